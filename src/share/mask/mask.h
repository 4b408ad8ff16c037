/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks what others shall not read in a trace. */
#ifndef WEIR_MASK_MASK_H
#define WEIR_MASK_MASK_H

#include "share/mask/secret.h"
#include "share/mask/maskcache.h"
#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

/* What may stay as it is; a word of --keep each. */
enum weir_mask_keep {
	WEIR_MASK_EXTENSIONS = 1, /* known ones: .h5, .nc, .txt … */
	WEIR_MASK_HOST = 2,
	WEIR_MASK_ARGS = 4,
	WEIR_MASK_PROGRAMS = 8,
	WEIR_MASK_USERS = 16,
	WEIR_MASK_INODES = 32,
};

/* Numbers that tell who or where. */
enum weir_mask_number {
	WEIR_MASK_UID = 'u',
	WEIR_MASK_GID = 'g',
	WEIR_MASK_INO = 'i',
	WEIR_MASK_DEV = 'd',
};

#define WEIR_MASK_PREFIXES 64

struct weir_mask {
	struct weir_secret secret;
	unsigned keep;				  /* WEIR_MASK_… */
	const char *prefixes[WEIR_MASK_PREFIXES]; /* borrowed; kept in clear */
	unsigned prefix_count;
	struct weir_maskcache *cache; /* or NULL */
};

/*
 * Takes a word of --keep: the name of one of the above, an absolute path, or
 * `none`, which forgets the default. -EINVAL: no such word; -E2BIG.
 */
int weir_mask_allow(struct weir_mask *mask, const char *word);

/*
 * Each of these appends what stands for a text; 0 or -ENOMEM. Of a path each
 * component is hidden alone, wherever it occurs, so that depth, common
 * directories and equality stay; so do `.`, `..` and what the kernel adds.
 */
int weir_mask_path(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to);

/* Whether some paths below this one stay in clear, though it is hidden. */
int weir_mask_keeps_below(const struct weir_mask *mask, const char *path);

/* The name of a file as a trace has it; some are the recorder's own words. */
int weir_mask_name(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to);
int weir_mask_host(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to);
int weir_mask_program(const struct weir_mask *mask, const void *text,
		      size_t len, struct weir_bytes *to);

/* Where a mount comes from: a device, a server and its directory; one word. */
int weir_mask_source(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to);

/* KEY=NUMBER, as stripes are told, stays where the key is known. */
int weir_mask_layout(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to);

/* --option=path is hidden part by part. */
int weir_mask_argument(const struct weir_mask *mask, const void *text,
		       size_t len, struct weir_bytes *to);

uint64_t weir_mask_number(const struct weir_mask *mask,
			  enum weir_mask_number what, uint64_t number);

#endif
