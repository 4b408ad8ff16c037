/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns names and numbers into others by a secret key. */
#ifndef WEIR_MASK_SECRET_H
#define WEIR_MASK_SECRET_H

#include <stddef.h>
#include <stdint.h>

#define WEIR_SECRET_BYTES 32
#define WEIR_SECRET_WORD  16 /* letters of a word: 80 bits */

struct weir_secret {
	uint8_t key[WEIR_SECRET_BYTES];
};

/* A new key. -EIO when there is no randomness to be had. */
int weir_secret_make(struct weir_secret *ret_secret);

/*
 * Reads 64 hexadecimal digits from a file; blanks around them do not count.
 * -EINVAL when that is not what it holds.
 */
int weir_secret_load(const char *path, struct weir_secret *ret_secret);

/* Must be called when a key is no longer needed. */
void weir_secret_wipe(struct weir_secret *secret);

/* The digits that load reads, and a NUL. Wipe them after use. */
void weir_secret_spell(const struct weir_secret *secret,
		       char to[2 * WEIR_SECRET_BYTES + 1]);

/* What stands for some bytes: letters a-z and digits 2-7, and a NUL. */
void weir_secret_word(const struct weir_secret *secret, const void *bytes,
		      size_t len, char to[WEIR_SECRET_WORD + 1]);

/* What stands for a number; `what` keeps apart what is counted apart. */
uint64_t weir_secret_number(const struct weir_secret *secret, char what,
			    uint64_t number);

#endif
