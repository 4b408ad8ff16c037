/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may ask: a token that lets in once, then a cookie. */
#include "desk/ticket.h"

#include "desk/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#define BYTES (WEIR_TICKET_DIGITS / 2)

static int draw(char digits[WEIR_TICKET_DIGITS + 1])
{
	uint8_t bytes[BYTES];

	/* so few come whole, or not at all */
	if (getrandom(bytes, sizeof(bytes), 0) != BYTES)
		return errno ? -errno : -EIO;
	for (int i = 0; i < BYTES; i++)
		snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int weir_ticket_init(struct weir_ticket *ticket, uint16_t port)
{
	int err = draw(ticket->token);

	ticket->port = port;
	snprintf(ticket->name, sizeof(ticket->name), "weir_%u", port);
	return err ? err : draw(ticket->secret);
}

/* In a time that does not tell how much of it is right. */
static bool is_same(const char *right, const char *text, size_t len)
{
	unsigned char wrong = 0;

	if (len != WEIR_TICKET_DIGITS || strlen(right) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		wrong |= (unsigned char)(right[i] ^ text[i]);
	return !wrong;
}

bool weir_ticket_use(struct weir_ticket *ticket, const char *token)
{
	if (!is_same(ticket->token, token, strlen(token)))
		return false;
	memset(ticket->token, 0, sizeof(ticket->token));
	return true;
}

bool weir_ticket_holds(const struct weir_ticket *ticket, const char *cookies)
{
	size_t len;
	const char *value = weir_http_cookie(cookies, ticket->name, &len);

	return value && is_same(ticket->secret, value, len);
}

bool weir_ticket_is_host(const struct weir_ticket *ticket, const char *host)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };
	char whole[32];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(whole, sizeof(whole), "%s:%u", names[i],
			 ticket->port);
		if (!strcasecmp(host, whole))
			return true;
		/* nobody says the number that all know */
		if (ticket->port == 80 && !strcasecmp(host, names[i]))
			return true;
	}
	return false;
}
