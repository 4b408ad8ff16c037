/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for traces that cannot be used; with the codes to exit with. */
#ifndef WEIR_CMDS_VERDICT_H
#define WEIR_CMDS_VERDICT_H

#include "spec/exits.h"

#include <stdint.h>

/* Says on stderr why a trace cannot be used, and returns what to exit with. */
int weir_verdict_refuse(const char *path, int err);

/* The same of a place to write to. */
int weir_verdict_refuse_output(const char *path, int err);

/* "weir: WHAT: COUNT" on stderr; nothing when there are none. */
void weir_verdict_tell(const char *what, uint64_t count);

#endif
