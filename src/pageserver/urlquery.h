/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the query of a URL: KEY=VALUE&... */
#ifndef WEIR_PAGESERVER_URLQUERY_H
#define WEIR_PAGESERVER_URLQUERY_H

#include <stddef.h>
#include <stdint.h>

/* In the order of the keys that are known; NULL: not given. */
struct weir_urlquery {
	const char *const *keys; /* known ones, ended by NULL */
	const char *values[12];
};

/*
 * Takes the text apart and decodes it in its place; NULL: nothing is given.
 * Values that are empty count as not given. 0, or -EINVAL with *ret_wrong: what
 * is wrong with it.
 */
int weir_urlquery_parse(struct weir_urlquery *query, char *text,
			const char *const *keys, const char **ret_wrong);

/* Numbers like 1-4,9, in any order. */
struct weir_urlquery_numbers {
	size_t count;
	struct {
		uint64_t first, last;
	} ranges[512];
};

/* 0 or -EINVAL. */
int weir_urlquery_numbers(const char *text,
			  struct weir_urlquery_numbers *ret_all);
int weir_urlquery_has(const struct weir_urlquery_numbers *all, uint64_t number);

/* Whether a word is one of a list A,B,C. */
int weir_urlquery_names(const char *list, const char *word);

#endif
