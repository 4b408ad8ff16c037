/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a call for people: its name, arguments and result. */
#ifndef WEIR_DUMP_CALLTEXT_H
#define WEIR_DUMP_CALLTEXT_H

#include "export/dump/dump.h"

/* Without its times: pwrite(3</tmp/file>, len=10, off=0) = 10. */
void weir_calltext_put(struct weir_text *out,
		       const struct weir_dump_event *described);

#endif
