/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns names and numbers into others by a secret key. */
#include "share/mask/secret.h"

#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#define DIGITS	   ((size_t)2 * WEIR_SECRET_BYTES)
#define MOST_BYTES 256 /* of a file with a key: blanks may surround it */
#define HASH_BYTES crypto_generichash_BYTES_MIN

int weir_secret_make(struct weir_secret *ret_secret)
{
	if (sodium_init() < 0)
		return -EIO;
	randombytes_buf(ret_secret->key, sizeof(ret_secret->key));
	return 0;
}

/* The whole file, when it is short enough; its length, or -errno. */
static ssize_t read_short(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t got;

	if (fd < 0)
		return -errno;
	got = weir_whole_fill(fd, to, room);
	close(fd);
	return got;
}

static int parse(const char *text, size_t len, struct weir_secret *ret_secret)
{
	static const char blanks[] = " \t\r\n";
	struct weir_secret secret;
	const char *end;
	size_t bytes;
	int err = 0;

	while (len && strchr(blanks, text[len - 1]))
		len--;
	while (len && strchr(blanks, *text)) {
		text++;
		len--;
	}
	if (sodium_hex2bin(secret.key, sizeof(secret.key), text, len, NULL,
			   &bytes, &end) ||
	    bytes != sizeof(secret.key) || end != text + len)
		err = -EINVAL;
	else
		*ret_secret = secret;
	sodium_memzero(&secret, sizeof(secret));
	return err;
}

int weir_secret_load(const char *path, struct weir_secret *ret_secret)
{
	char text[MOST_BYTES];
	ssize_t len;
	int err;

	if (sodium_init() < 0)
		return -EIO;
	len = read_short(path, text, sizeof(text));
	err = len < 0 ? (int)len : parse(text, (size_t)len, ret_secret);
	sodium_memzero(text, sizeof(text));
	return err;
}

void weir_secret_wipe(struct weir_secret *secret)
{
	sodium_memzero(secret, sizeof(*secret));
}

void weir_secret_spell(const struct weir_secret *secret, char to[DIGITS + 1])
{
	sodium_bin2hex(to, DIGITS + 1, secret->key, sizeof(secret->key));
}

static void hash(const struct weir_secret *secret, char what, const void *bytes,
		 size_t len, uint8_t to[HASH_BYTES])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, secret->key, sizeof(secret->key),
				HASH_BYTES);
	crypto_generichash_update(&state, (const uint8_t *)&what, 1);
	crypto_generichash_update(&state, bytes, len);
	crypto_generichash_final(&state, to, HASH_BYTES);
	sodium_memzero(&state, sizeof(state));
}

/* Ten bytes are sixteen letters of five bits. */
void weir_secret_word(const struct weir_secret *secret, const void *bytes,
		      size_t len, char to[WEIR_SECRET_WORD + 1])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	uint8_t hashed[HASH_BYTES];

	hash(secret, 'n', bytes, len, hashed);
	for (unsigned i = 0; i < WEIR_SECRET_WORD; i++) {
		unsigned bit = 5 * i, two = (unsigned)hashed[bit / 8] << 8;

		two |= hashed[bit / 8 + 1];
		to[i] = letters[two >> (11 - bit % 8) & 31];
	}
	to[WEIR_SECRET_WORD] = 0;
}

uint64_t weir_secret_number(const struct weir_secret *secret, char what,
			    uint64_t number)
{
	uint8_t bytes[8], hashed[HASH_BYTES];
	uint64_t result = 0;

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
	hash(secret, what, bytes, sizeof(bytes), hashed);
	for (int i = 0; i < 8; i++)
		result |= (uint64_t)hashed[i] << 8 * i;
	return result;
}
