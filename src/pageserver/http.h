/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the head of an HTTP request, strictly. */
#ifndef WEIR_PAGESERVER_HTTP_H
#define WEIR_PAGESERVER_HTTP_H

#include <stddef.h>

/* Bytes that a head may have, with the empty line behind it. */
#define WEIR_HTTP_MOST 8192

/* All point into what was parsed and end with a zero byte. */
struct weir_http_request {
	char *path;
	char *query;	    /* behind the question mark; NULL: there is none */
	const char *host;
	const char *cookie; /* NULL: there is none */
};

/*
 * Takes the head of a GET request apart in its place; one byte of room behind
 * it is needed. Returns its length, 0 when it is not whole yet, or the
 * negative status to answer with: -400 for anything that is not as the
 * standard has it, or that only a request with a body would have.
 */
int weir_http_parse(char *bytes, size_t len,
		    struct weir_http_request *ret_request);

/* The value of a cookie in such a header; NULL: it is not there. */
const char *weir_http_cookie(const char *header, const char *name,
			     size_t *ret_len);

#endif
