/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the counted calls of a process as the payload of a PROFILE block. */
#ifndef WEIR_SUMS_PROFILE_H
#define WEIR_SUMS_PROFILE_H

#include "analyse/sums/row.h"
#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

enum weir_profile_kind {
	WEIR_PROFILE_FILE,   /* calls on a file with a name */
	WEIR_PROFILE_NONE,   /* on none, or one that is not known */
	WEIR_PROFILE_OTHERS, /* on files that have no row of their own */
};

/* A row as it was read; the name is borrowed from the payload. */
struct weir_profile_row {
	enum weir_profile_kind kind;
	const char *name;
	size_t name_len;
	uint64_t names; /* how many files the OTHERS are */
	struct weir_row row; /* to be given back */
};

/* Appends a row; name NULL: the one of no file. 0 or -ENOMEM. */
int weir_profile_put(struct weir_bytes *payload, const char *name,
		     size_t name_len, const struct weir_row *row);

/* Appends the row that stands for `names` files. */
int weir_profile_put_others(struct weir_bytes *payload, uint64_t names,
			    const struct weir_row *row);

/* What is left of a payload. */
struct weir_profile_walk {
	const uint8_t *at;
	size_t left;
};

/* 1 and a row; 0 after the last; -EBADMSG or -ENOMEM. */
int weir_profile_next(struct weir_profile_walk *walk,
		      struct weir_profile_row *ret_row);

#endif
