/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins and tidies paths by their text alone. */
#ifndef WEIR_EVENT_PATHJOIN_H
#define WEIR_EVENT_PATHJOIN_H

#include "trace/bytes/bytes.h"

#include <stddef.h>

struct weir_path {
	const char *text;
	size_t len;
};

/*
 * Writes `path` as seen from the directory `base` (text NULL: not known) to
 * ret_joined. An absolute result has no empty, "." or ".." parts; what is
 * not absolute stays as it is. The file system is not asked: a link in the
 * path keeps its name. 0 or -ENOMEM.
 */
int weir_pathjoin_make(struct weir_path base, struct weir_path path,
		       struct weir_bytes *ret_joined);

#endif
