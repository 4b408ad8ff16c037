/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the contents of a trace as JSON. */
#ifndef WEIR_SHARE_INFOJSON_H
#define WEIR_SHARE_INFOJSON_H

#include "share/info.h"

/* Writes one object of JSON to fd. 0 or -errno. */
int weir_infojson_write(const struct weir_info *info, const char *trace,
			int fd);

#endif
