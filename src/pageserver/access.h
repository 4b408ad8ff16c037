/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides who may ask: a token that works once, then a cookie. */
#ifndef WEIR_PAGESERVER_ACCESS_H
#define WEIR_PAGESERVER_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_ACCESS_DIGITS 32 /* 128 bits, hexadecimal */

struct weir_access {
	char token[WEIR_ACCESS_DIGITS + 1];  /* empty when it was used */
	char secret[WEIR_ACCESS_DIGITS + 1]; /* the cookie's value */
	char name[24]; /* of the cookie: cookies do not know ports */
	uint16_t port;
};

/* 0, or -errno when there is nothing random. */
int weir_access_init(struct weir_access *access, uint16_t port);

/* The token is right: it is void from now on. */
bool weir_access_use(struct weir_access *access, const char *token);

/* The Cookie header of a request; may be NULL. */
bool weir_access_holds(const struct weir_access *access, const char *cookies);

/*
 * Whether a Host header names this server: a page from elsewhere whose name
 * was made to lead here has its own.
 */
bool weir_access_is_host(const struct weir_access *access, const char *host);

#endif
