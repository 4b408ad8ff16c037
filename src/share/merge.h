/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins several traces into one directory. */
#ifndef WEIR_SHARE_MERGE_H
#define WEIR_SHARE_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct weir_merge {
	char where[PATH_MAX];		 /* what an error is about */
	bool writing;			 /* it is one of the output */
	uint32_t files;			 /* in the new trace */
	uint32_t linked, copied, packed; /* how they came there */
	uint32_t twice;	  /* given more than once, and taken once */
	uint32_t refused; /* files that are no traces */
	uint32_t marks;	  /* of processes that could not be recorded */
	uint64_t calls;	  /* as the given files tell */
	uint64_t written; /* as the new ones tell */
	uint64_t bytes;
	uint64_t damaged_blocks, damaged_bytes, damaged_events;
	uint32_t unended;
};

/*
 * Makes a directory of all parts of all traces; `traces` ends with NULL. A
 * file is linked or copied as it is, or packed when it was not. On failure
 * nothing stays. -EILSEQ: what was written does not tell what was given.
 */
int weir_merge_traces(struct weir_merge *job, char *const *traces,
		      const char *out);

/*
 * Makes one file, with a part for each of them. Also -EISDIR: what directories
 * tell of processes that could not be recorded has no place in it; -ENODATA:
 * a file is damaged where it begins.
 */
int weir_merge_to_file(struct weir_merge *job, char *const *traces,
		       const char *out);

#endif
