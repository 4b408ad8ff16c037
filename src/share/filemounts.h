/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the files of a trace by mount. */
#ifndef WEIR_SHARE_FILEMOUNTS_H
#define WEIR_SHARE_FILEMOUNTS_H

#include "trace/facts/mounts.h"
#include "trace/event/names.h"

#include <stdint.h>

/* Zero it to begin. */
struct weir_filemounts {
	struct weir_names mounts; /* TYPE POINT, each once for all hosts */
	uint64_t *files;	  /* by number in `mounts` - 1 */
	uint32_t room;
	struct weir_names seen; /* files, each counted once */
	uint32_t settled; /* of them, on mounts that are known */
};

void weir_filemounts_fini(struct weir_filemounts *to);

/* Takes a file that lies on the mounts that are told next. */
int weir_filemounts_see_name(struct weir_filemounts *to, const char *name,
			     size_t len);

/* Takes the files of a NAMES block: those of the mounts that are told next. */
int weir_filemounts_see(struct weir_filemounts *to,
			const struct weir_bytes *names);

/* Adds the mounts of a host, and counts the files seen since the last. */
int weir_filemounts_settle(struct weir_filemounts *to,
			   const struct weir_mounts *mounts);

/* A mount by its number, from 1; *ret_point is terminated, the type not. */
const char *weir_filemounts_get(const struct weir_filemounts *of,
				uint32_t number, size_t *ret_type_len,
				const char **ret_point);

#endif
