/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a raw trace back: what fakeapp.h recorded, and in which order. */
#ifndef WEIR_TESTS_RAWFILE_H
#define WEIR_TESTS_RAWFILE_H

#include "base/hash.h"
#include "trace/layout/trace_layout.h"

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAW_THREADS 8192
#define RAW_MAGIC   (htole16(1) == 1 ? WEIR_BLOCK_MAGIC : WEIR_BLOCK_MAGIC_BIG)

struct raw_file {
	uint64_t next[RAW_THREADS]; /* records seen of each thread */
	uint64_t sequence[RAW_THREADS];
	uint64_t records, entered, told_drops, dropped, lost;
	unsigned heads, dicts, procs, chunks;
	int may_repeat; /* this file continues another */
	int torn;
	int repeats; /* chunks that stood in an earlier file too */
	int broken;  /* line of the check that failed; 0: all is well */
};

#define RAW_CHECK(raw, condition)                                              \
	((condition) ? 0 : ((raw)->broken = (raw)->broken ?: __LINE__))

static inline void raw_take_records(struct raw_file *raw,
				    const struct weir_block *block,
				    const uint64_t *word)
{
	const uint64_t *end = word + block->stored / 8;

	while (word < end && !raw->broken) {
		uint64_t bits = word[0];

		if (bits & WEIR_RECORD_WIDE) { /* made by the collector */
			if ((word[1] & 0xffff) == WEIR_NOTE_LOSS) {
				raw->told_drops += *(const uint8_t *)&word[6];
				word += 6 + (word[5] + 7) / 8;
			} else {
				RAW_CHECK(raw, word[1] >> 24 & 0xff &
						       WEIR_EVENT_ENTERED);
				raw->entered++;
				word += 5;
			}
			continue;
		}
		RAW_CHECK(raw, bits & (WEIR_RECORD_DEF | WEIR_RECORD_SIZE));
		word += bits & WEIR_RECORD_DEF ? 2 : 1;
		RAW_CHECK(raw, *word >= raw->next[block->thread]);
		raw->next[block->thread] = *word++ + 1;
		raw->records++;
	}
}

static inline uint64_t raw_number(const char *text, size_t size,
				  const char *key)
{
	char *copy = strndup(text, size), *at = strstr(copy, key);
	uint64_t number = at ? strtoull(at + strlen(key), NULL, 10) : 0;

	free(copy);
	return number;
}

static inline void raw_take_block(struct raw_file *raw,
				  const struct weir_block *block,
				  const void *payload)
{
	RAW_CHECK(raw, !memcmp(block->magic, RAW_MAGIC, 8));
	RAW_CHECK(raw, block->check == weir_hash_bytes(payload, block->stored));
	switch (block->type) {
	case WEIR_BLOCK_HEAD:
		raw->heads++;
		break;
	case WEIR_BLOCK_DICT:
		raw->dicts++;
		break;
	case WEIR_BLOCK_PROC:
		raw->procs++;
		raw->dropped +=
			raw_number(payload, block->stored, "\ndropped=");
		raw->lost += raw_number(payload, block->stored, "\nlost=");
		break;
	case WEIR_BLOCK_CHUNK:
		raw->chunks++;
		RAW_CHECK(raw, block->thread < RAW_THREADS);
		if (raw->may_repeat &&
		    block->first <= raw->sequence[block->thread]) {
			raw->repeats++;
			break;
		}
		RAW_CHECK(raw, block->first > raw->sequence[block->thread]);
		raw->sequence[block->thread] = block->first;
		raw_take_records(raw, block, payload);
		break;
	default:
		RAW_CHECK(raw, 0);
	}
}

static inline void raw_read_on(struct raw_file *raw, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct weir_block block;
	void *payload;

	RAW_CHECK(raw, file);
	while (!raw->broken && fread(&block, sizeof(block), 1, file) == 1) {
		size_t padded = (block.stored + 7u) & ~7u;

		payload = malloc(padded + 8);
		if (fread(payload, 1, padded, file) == padded)
			raw_take_block(raw, &block, payload);
		else
			raw->torn++; /* killed within the last write */
		free(payload);
	}
	if (file)
		fclose(file);
}

static inline void raw_read(struct raw_file *raw, const char *path)
{
	memset(raw, 0, sizeof(*raw));
	raw_read_on(raw, path);
}

#endif
