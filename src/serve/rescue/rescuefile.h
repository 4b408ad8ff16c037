/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that hold what could not be stored of one other file, so that it can be
 * once the reason has gone (`weir serve recover`). Little-endian:
 *
 *	head | path, padded with zeros to 8 | bytes of the ranges | ranges
 *
 * The head is written last; a file without it is not whole. See doc/rescue.md.
 */
#ifndef WEIR_RESCUE_RESCUEFILE_H
#define WEIR_RESCUE_RESCUEFILE_H

#include "serve/files/file.h"

#define WEIR_RESCUEFILE_MAGIC	UINT64_C(0x3163736572696577) /* "weiresc1" */
#define WEIR_RESCUEFILE_VERSION 1u
#define WEIR_RESCUEFILE_RANGE	(1u << 20) /* bytes of one, at most */
#define WEIR_RESCUEFILE_RANGES	(1u << 22)

struct weir_rescuefile_head {
	uint64_t magic;
	uint32_t version;
	uint32_t path; /* bytes, no zero among them; it begins with / */
	uint64_t ranges;
	uint64_t total; /* bytes of this file */
	/* the other one, as it was: */
	uint64_t dev, ino;
	int64_t size, seconds, nanoseconds; /* of its last change */
	/* XXH3 of this with 0 here, then the path and its padding, then the
	   ranges */
	uint64_t sum;
};
_Static_assert(sizeof(struct weir_rescuefile_head) == 80, "");

/* In order, and they do not overlap. */
struct weir_rescuefile_range {
	uint64_t offset;
	uint64_t length;
	uint64_t sum; /* XXH3 of its bytes */
};

/*
 * All that a file's index holds; its locks are held. 0, and the name of the
 * rescue file in `ret_name` (PATH_MAX bytes), or -errno: then there is none.
 * -ENODATA: the file has no name any more.
 */
int weir_rescuefile_write(const char *directory, struct weir_file *file,
			  char *ret_name);

/* A rescue file that was read, and is all right. */
struct weir_rescuefile {
	int fd; /* borrowed */
	struct weir_rescuefile_head head;
	char *path;
	struct weir_rescuefile_range *ranges;
	uint64_t bytes_at; /* of the first range */
};

/* 0, -ENOMEM, -EBADMSG: it is damaged, or none; or of reading. */
int weir_rescuefile_open(int fd, struct weir_rescuefile *ret_rescue);
void weir_rescuefile_close(struct weir_rescuefile *rescue);

/*
 * Stores what a rescue file holds, and removes it. Nothing is changed unless it
 * is whole and the other file is as it was; `force`: whatever is there by this
 * name. 0 or -errno, after saying why.
 */
int weir_rescuefile_recover(const char *name, bool force);

#endif
