/* SPDX-License-Identifier: BSD-3-Clause */
/* What others shall not read in a trace, and what stands in its place. */
#ifndef WEIR_SHARE_VEIL_H
#define WEIR_SHARE_VEIL_H

#include "share/secret.h"
#include "share/veilcache.h"
#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

/* What may stay as it is; a word of --keep each. */
enum weir_veil_keep {
	WEIR_VEIL_EXTENSIONS = 1, /* known ones: .h5, .nc, .txt … */
	WEIR_VEIL_HOST = 2,
	WEIR_VEIL_ARGS = 4,
	WEIR_VEIL_PROGRAMS = 8,
	WEIR_VEIL_USERS = 16,
	WEIR_VEIL_INODES = 32,
};

/* Numbers that tell who or where. */
enum weir_veil_number {
	WEIR_VEIL_UID = 'u',
	WEIR_VEIL_GID = 'g',
	WEIR_VEIL_INO = 'i',
	WEIR_VEIL_DEV = 'd',
};

#define WEIR_VEIL_PREFIXES 64

struct weir_veil {
	struct weir_secret secret;
	unsigned keep;				  /* WEIR_VEIL_… */
	const char *prefixes[WEIR_VEIL_PREFIXES]; /* borrowed; kept in clear */
	unsigned prefix_count;
	struct weir_veilcache *cache; /* or NULL */
};

/*
 * Takes a word of --keep: the name of one of the above, an absolute path, or
 * `none`, which forgets the default. -EINVAL: no such word; -E2BIG.
 */
int weir_veil_allow(struct weir_veil *veil, const char *word);

/*
 * Each of these appends what stands for a text; 0 or -ENOMEM. Of a path each
 * component is hidden alone, wherever it occurs, so that depth, common
 * directories and equality stay; so do `.`, `..` and what the kernel adds.
 */
int weir_veil_path(const struct weir_veil *veil, const void *text, size_t len,
		   struct weir_bytes *to);

/* Whether some paths below this one stay in clear, though it is hidden. */
int weir_veil_keeps_below(const struct weir_veil *veil, const char *path);

/* The name of a file as a trace has it; some are the recorder's own words. */
int weir_veil_name(const struct weir_veil *veil, const void *text, size_t len,
		   struct weir_bytes *to);
int weir_veil_host(const struct weir_veil *veil, const void *text, size_t len,
		   struct weir_bytes *to);
int weir_veil_program(const struct weir_veil *veil, const void *text,
		      size_t len, struct weir_bytes *to);

/* Where a mount comes from: a device, a server and its directory; one word. */
int weir_veil_source(const struct weir_veil *veil, const void *text, size_t len,
		     struct weir_bytes *to);

/* KEY=NUMBER, as stripes are told, stays where the key is known. */
int weir_veil_layout(const struct weir_veil *veil, const void *text, size_t len,
		     struct weir_bytes *to);

/* --option=path is hidden part by part. */
int weir_veil_argument(const struct weir_veil *veil, const void *text,
		       size_t len, struct weir_bytes *to);

uint64_t weir_veil_number(const struct weir_veil *veil,
			  enum weir_veil_number what, uint64_t number);

#endif
