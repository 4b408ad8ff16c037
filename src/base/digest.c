/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes a digest of an object's bytes that is a sum. */
#include "base/digest.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define WORD	    8
#define BLOCK	    1024 /* bytes */
#define BLOCK_WORDS (BLOCK / WORD)
#define ONES	    UINT64_C(0x0101010101010101)

/* Steele, Lea and Flood's SplitMix64: the n-th number of the stream 0. */
#define STEP	  UINT64_C(0x9e3779b97f4a7c15)
#define MIX1(z)	  (((z) ^ (z) >> 30) * UINT64_C(0xbf58476d1ce4e5b9))
#define MIX2(z)	  (((z) ^ (z) >> 27) * UINT64_C(0x94d049bb133111eb))
#define MIX3(z)	  ((z) ^ (z) >> 31)
#define RANDOM(n) MIX3(MIX2(MIX1(STEP *(UINT64_C(n) + 1))))

#define KEY(n)	  (RANDOM(n) | 1)
#define KEYS4(n)  KEY(n), KEY(n + 1), KEY(n + 2), KEY(n + 3)
#define KEYS16(n) KEYS4(n), KEYS4(n + 4), KEYS4(n + 8), KEYS4(n + 12)
#define KEYS64(n) KEYS16(n), KEYS16(n + 16), KEYS16(n + 32), KEYS16(n + 48)

/* Of the words in a block. Odd: no change of a word can vanish. */
static const uint64_t keys[BLOCK_WORDS] = { KEYS64(0), KEYS64(64) };

#define SUM4(n)	 ((wide)KEY(n) + KEY(n + 1) + KEY(n + 2) + KEY(n + 3))
#define SUM16(n) (SUM4(n) + SUM4(n + 4) + SUM4(n + 8) + SUM4(n + 12))

/* Of the keys of sixteen words: what covers them need not be added up. */
#define SPAN 16
static const wide sums[BLOCK_WORDS / SPAN] = {
	SUM16(0),  SUM16(16), SUM16(32), SUM16(48),
	SUM16(64), SUM16(80), SUM16(96), SUM16(112),
};

static uint64_t random_of(uint64_t n)
{
	uint64_t z = STEP * (n + 1);

	z = MIX1(z);
	z = MIX2(z);
	return MIX3(z);
}

/* Of a block: the numbers of the stream after those of the words. */
static wide key_of_block(uint64_t block)
{
	uint64_t n = BLOCK_WORDS + 2 * block;

	return (wide)random_of(n + 1) << 64 | random_of(n) | 1;
}

static uint64_t load(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* A word of which only `size` bytes are there, from the `skip`-th on. */
static uint64_t load_part(const uint8_t *from, size_t skip, size_t size)
{
	uint8_t room[WORD] = { 0 };

	memcpy(room + skip, from, size);
	return load(room);
}

/* Several sums at once: each addition has to wait for the one before. */
static wide sum_words(const uint64_t *key, const uint8_t *from, size_t words)
{
	wide a = 0, b = 0, c = 0, d = 0;

	for (; words >= 4; words -= 4, key += 4, from += 4 * WORD) {
		a += (wide)load(from) * key[0];
		b += (wide)load(from + WORD) * key[1];
		c += (wide)load(from + 2 * WORD) * key[2];
		d += (wide)load(from + 3 * WORD) * key[3];
	}
	for (; words; words--, key++, from += WORD)
		a += (wide)load(from) * key[0];
	return a + b + c + d;
}

/* Bytes of one block, from its byte `start` on. */
static wide sum_block(size_t start, const uint8_t *from, size_t size)
{
	const uint64_t *key = &keys[start / WORD];
	size_t skip = start % WORD;
	size_t words;
	wide sum = 0;

	if (skip) {
		size_t part = WORD - skip < size ? WORD - skip : size;

		sum = (wide)load_part(from, skip, part) * *key++;
		from += part;
		size -= part;
	}
	words = size / WORD;
	sum += sum_words(key, from, words);
	size -= words * WORD;
	if (size)
		sum += (wide)load_part(from + words * WORD, 0, size) *
		       key[words];
	return sum;
}

static wide sum_bytes(uint64_t position, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	wide sum = 0;

	while (size) {
		size_t start = position % BLOCK;
		size_t part = BLOCK - start < size ? BLOCK - start : size;

		sum += sum_block(start, from, part) *
		       key_of_block(position / BLOCK);
		position += part;
		from += part;
		size -= part;
	}
	return sum;
}

static wide sum_keys(size_t word, size_t words)
{
	wide sum = 0;

	while (words) {
		bool is_span = word % SPAN == 0 && words >= SPAN;
		size_t done = is_span ? SPAN : 1;

		sum += is_span ? sums[word / SPAN] : keys[word];
		word += done;
		words -= done;
	}
	return sum;
}

/* What sum_block() would be of bytes that are all 1. */
static wide sum_ones(size_t start, size_t size)
{
	static const uint8_t ones[WORD] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	size_t head = (WORD - start % WORD) % WORD;
	wide sum = 0;

	if (head && head <= size) {
		sum = sum_block(start, ones, head);
		start += head;
		size -= head;
	}
	if (start % WORD == 0) {
		size_t words = size / WORD;

		sum += sum_keys(start / WORD, words) * ONES;
		start += words * WORD;
		size -= words * WORD;
	}
	return size ? sum + sum_block(start, ones, size) : sum;
}

static wide sum_range(uint64_t position, uint64_t size)
{
	wide sum = 0;

	while (size) {
		size_t start = position % BLOCK;
		uint64_t part = BLOCK - start < size ? BLOCK - start : size;

		sum += sum_ones(start, part) * key_of_block(position / BLOCK);
		position += part;
		size -= part;
	}
	return sum;
}

static struct weir_digest narrow(wide sum)
{
	return (struct weir_digest){ (uint64_t)sum, (uint64_t)(sum >> 64) };
}

void weir_digest_add(struct weir_digest *d, uint64_t position,
		     const void *bytes, size_t size)
{
	struct weir_digest part = narrow(sum_bytes(position, bytes, size));

	weir_digest_sum(d, &part);
}

void weir_digest_take(struct weir_digest *d, uint64_t position,
		      const void *bytes, size_t size)
{
	struct weir_digest part = narrow(sum_bytes(position, bytes, size));

	weir_digest_sub(d, &part);
}

void weir_digest_cover(struct weir_digest *d, uint64_t position, uint64_t size)
{
	struct weir_digest part = narrow(sum_range(position, size));

	weir_digest_sum(d, &part);
}

void weir_digest_bare(struct weir_digest *d, uint64_t position, uint64_t size)
{
	struct weir_digest part = narrow(sum_range(position, size));

	weir_digest_sub(d, &part);
}
