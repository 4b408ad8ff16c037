/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides who may ask: a token that works once, then a cookie. */
#include "pageserver/access.h"

#include "pageserver/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#define BYTES (WEIR_ACCESS_DIGITS / 2)

static int draw(char digits[WEIR_ACCESS_DIGITS + 1])
{
	uint8_t bytes[BYTES];

	/* so few come whole, or not at all */
	if (getrandom(bytes, sizeof(bytes), 0) != BYTES)
		return errno ? -errno : -EIO;
	for (int i = 0; i < BYTES; i++)
		snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int weir_access_init(struct weir_access *access, uint16_t port)
{
	int err = draw(access->token);

	access->port = port;
	snprintf(access->name, sizeof(access->name), "weir_%u", port);
	return err ? err : draw(access->secret);
}

/* In a time that does not tell how much of it is right. */
static bool is_same_secret(const char *right, const char *text, size_t len)
{
	unsigned char wrong = 0;

	if (len != WEIR_ACCESS_DIGITS || strlen(right) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		wrong |= (unsigned char)(right[i] ^ text[i]);
	return !wrong;
}

bool weir_access_use(struct weir_access *access, const char *token)
{
	if (!is_same_secret(access->token, token, strlen(token)))
		return false;
	memset(access->token, 0, sizeof(access->token));
	return true;
}

bool weir_access_holds(const struct weir_access *access, const char *cookies)
{
	size_t len;
	const char *value = weir_http_cookie(cookies, access->name, &len);

	return value && is_same_secret(access->secret, value, len);
}

bool weir_access_is_host(const struct weir_access *access, const char *host)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };
	char whole[32];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(whole, sizeof(whole), "%s:%u", names[i], access->port);
		if (!strcasecmp(host, whole))
			return true;
		/* nobody says the number that all know */
		if (access->port == 80 && !strcasecmp(host, names[i]))
			return true;
	}
	return false;
}
