/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the contents of a trace for people. */
#ifndef WEIR_SHARE_INFOTEXT_H
#define WEIR_SHARE_INFOTEXT_H

#include "share/info.h"

/* Writes it to fd; `trace` is how the user named it. 0 or -errno. */
int weir_infotext_write(const struct weir_info *info, const char *trace,
			int fd);

#endif
