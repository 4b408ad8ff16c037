/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may ask: a token that lets in once, then a cookie. */
#ifndef WEIR_DESK_TICKET_H
#define WEIR_DESK_TICKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_TICKET_DIGITS 32 /* 128 bits, hexadecimal */

struct weir_ticket {
	char token[WEIR_TICKET_DIGITS + 1]; /* empty when it was used */
	char secret[WEIR_TICKET_DIGITS + 1]; /* the cookie's value */
	char name[24]; /* of the cookie: cookies do not know ports */
	uint16_t port;
};

/* 0, or -errno when there is nothing random. */
int weir_ticket_init(struct weir_ticket *ticket, uint16_t port);

/* The token is right: it is void from now on. */
bool weir_ticket_use(struct weir_ticket *ticket, const char *token);

/* The Cookie header of a request; may be NULL. */
bool weir_ticket_holds(const struct weir_ticket *ticket, const char *cookies);

/*
 * Whether a Host header names this server: a page from elsewhere whose name
 * was made to lead here has its own.
 */
bool weir_ticket_is_host(const struct weir_ticket *ticket, const char *host);

#endif
