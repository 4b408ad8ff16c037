/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what was mounted on a host, and finds the mount of a file. */
#ifndef WEIR_FACTS_MOUNTS_H
#define WEIR_FACTS_MOUNTS_H

#include "trace/bytes/bytes.h"
#include "trace/facts/props.h"

#include <stddef.h>
#include <stdint.h>

/* Lines of HEAD: TYPE POINT SOURCE; and how many more there were. */
#define WEIR_MOUNTS_LINE   "mount"
#define WEIR_MOUNTS_UNTOLD "mounts_untold"

/* A host with more, or longer ones, is told in part. */
#define WEIR_MOUNTS_MOST    512
#define WEIR_MOUNTS_LONGEST 8192 /* bytes of a mount's texts */

struct weir_mount {
	const char *type, *point, *source;
};

/* Zero it to begin. */
struct weir_mounts {
	struct weir_mount *list; /* in the order they were mounted */
	uint32_t count, room;
	uint64_t untold; /* that are not in the list */
};

void weir_mounts_fini(struct weir_mounts *mounts);

/*
 * Adds a copy at the end, unless the same is there; one too many or too long
 * is counted as untold. 0 or -ENOMEM.
 */
int weir_mounts_add(struct weir_mounts *mounts, const struct weir_mount *mount);

/*
 * Adds what a HEAD tells; lines that make no sense are passed over. 0 or
 * -ENOMEM.
 */
int weir_mounts_parse(const void *text, size_t size,
		      struct weir_mounts *mounts);

/* Writes them as lines of HEAD. */
int weir_mounts_put(const struct weir_mounts *mounts,
		    struct weir_props *props);

/*
 * The mount that a file lies on by its name: that of most components; of
 * equal ones the last. NULL: none is known, or it is no name of a file.
 */
const struct weir_mount *weir_mounts_of(const struct weir_mounts *mounts,
					const char *path);

/*
 * A mount as the value of such a line, appended to `to`; and back: `text` is
 * changed, and the mount lies in it. -EBADMSG: it is none.
 */
int weir_mounts_write(const struct weir_mount *mount, struct weir_bytes *to);
int weir_mounts_read(char *text, struct weir_mount *ret_mount);

/* Takes the \040 of the kernel's tables of mounts back, in place. */
void weir_mounts_unescape(char *text);

#endif
