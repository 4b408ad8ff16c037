/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads options of a plug-in: KEY=VALUE, joined by commas. */
#ifndef WEIR_BACKENDS_TERMS_H
#define WEIR_BACKENDS_TERMS_H

#include <stddef.h>
#include <stdint.h>

enum weir_terms_kind {
	WEIR_TERMS_NUMBER, /* uint64_t */
	WEIR_TERMS_SIZE,   /* uint64_t, bytes */
	WEIR_TERMS_TIME,   /* uint64_t, nanoseconds */
	WEIR_TERMS_TEXT,   /* char *, to be freed; NULL if not given */
	WEIR_TERMS_PATH,   /* the same; must begin with a slash */
};

/* A table of them ends with a name of NULL. */
struct weir_terms_option {
	const char *name;
	enum weir_terms_kind kind;
	size_t place; /* in the struct that is filled in */
};

/* 0, or -EINVAL, -ENOMEM after saying what is wrong with `backend`'s. */
int weir_terms_read(const char *backend, const char *text,
		    const struct weir_terms_option *table, void *ret_options);

#endif
