/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of a report as one file, with its data in it. */
#include "report/page/pagefile.h"

#include "report/page/pageblob.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's way to ask for gzip */
#define LEVEL       6
#define STEP        (48u << 10) /* a multiple of 3: no padding within */

/* The words that web/build.py leaves open, in the order of the page. */
static const char connect_word[] = "@WEIR_CONNECT@";
static const char data_word[] = "@WEIR_DATA@";

bool weir_pagefile_exists(void)
{
	return weir_pageblob_size;
}

static void put_base64(struct weir_text *out, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char four[4];

	for (size_t at = 0; at < len; at += 3) {
		size_t left = len - at;
		uint32_t word = (uint32_t)bytes[at] << 16;

		if (left > 1)
			word |= (uint32_t)bytes[at + 1] << 8;
		if (left > 2)
			word |= bytes[at + 2];
		for (int i = 0; i < 4; i++)
			four[i] = digits[word >> (18 - 6 * i) & 63];
		if (left < 3)
			four[3] = '=';
		if (left < 2)
			four[2] = '=';
		weir_text_bytes(out, four, sizeof(four));
	}
}

/* Takes bytes of any number, as zlib's counters do not. */
static void feed(z_stream *zip, const uint8_t **from, size_t *left)
{
	if (zip->avail_in || !*left)
		return;
	zip->next_in = (uint8_t *)(uintptr_t)*from;
	zip->avail_in = *left < STEP ? (uInt)*left : STEP;
	*from += zip->avail_in;
	*left -= zip->avail_in;
}

static int put_data(struct weir_text *out, const void *data, size_t size)
{
	static const int flush[] = { Z_FINISH, Z_NO_FLUSH };
	const uint8_t *from = data;
	uint8_t squeezed[STEP];
	z_stream zip = { .next_in = NULL };
	size_t left = size;
	int state;

	if (deflateInit2(&zip, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	do {
		zip.next_out = squeezed;
		zip.avail_out = sizeof(squeezed);
		do {
			feed(&zip, &from, &left);
			state = deflate(&zip, flush[left > 0]);
		} while (state == Z_OK && zip.avail_out);
		put_base64(out, squeezed, sizeof(squeezed) - zip.avail_out);
	} while (state == Z_OK);
	deflateEnd(&zip);
	return state == Z_STREAM_END ? 0 : -ENOMEM;
}

/* Writes what stands before a word and goes behind it; false: it is missing. */
static bool pass(struct weir_text *out, const char **at, const char *word)
{
	const char *end = weir_pageblob_bytes + weir_pageblob_size;
	const char *found = memmem(*at, (size_t)(end - *at), word,
				   strlen(word));

	if (!found)
		return false;
	weir_text_bytes(out, *at, (size_t)(found - *at));
	*at = found + strlen(word);
	return true;
}

int weir_pagefile_write(struct weir_text *out, const void *data, size_t size,
			bool served)
{
	const char *end = weir_pageblob_bytes + weir_pageblob_size;
	const char *at = weir_pageblob_bytes;
	int err;

	if (!pass(out, &at, connect_word))
		return -EBADMSG;
	weir_text_string(out, served ? "'self'" : "'none'");
	if (!pass(out, &at, data_word))
		return -EBADMSG;
	err = put_data(out, data, size);
	weir_text_bytes(out, at, (size_t)(end - at));
	return err;
}
