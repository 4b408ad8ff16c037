/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the metrics, figures and groups of a query's answer. */
#ifndef WEIR_QUERY_QUERY_WORDS_H
#define WEIR_QUERY_QUERY_WORDS_H

#include "analyse/query/answer.h"

struct weir_query_words {
	const char *unit;    /* of the figures, for programs */
	const char *meaning; /* in a line, for people */
	double scale;	     /* to that unit */
	int decimals;
	bool is_count;	/* only the mean needs decimals */
	bool has_total; /* the sum over calls means something */
};

extern const struct weir_query_words weir_query_words[WEIR_QUERY_METRICS];

/* What a row has for a group. */
struct weir_query_key_value {
	const char *text; /* any bytes; NULL: it is the number */
	size_t len;
	uint64_t number;
	bool is_there;
};

struct weir_query_key_value
weir_query_words_key(const struct weir_answer *answer,
		     const struct weir_query_row *row, unsigned group);

/* Whether a client's number is a rank. */
bool weir_query_words_is_rank(const struct weir_query_row *row,
			      unsigned group);

#endif
