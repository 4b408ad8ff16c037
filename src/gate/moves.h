/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what a stream call asks for and moves: words of the tables. */
#ifndef WEIR_GATE_MOVES_H
#define WEIR_GATE_MOVES_H

#include "gate/stream.h"

#include <stddef.h>

extern size_t strlen(const char *text);

static inline uint64_t items(unsigned long count, unsigned long size)
{
	return count * size;
}

/* One character, unless the result is EOF. */
static inline uint64_t one(int result)
{
	return result != -1;
}

/* It only filled or emptied the buffer. */
static inline uint64_t nothing(void)
{
	return 0;
}

/* A word that the file does not have whole is lost, part by part. */
static inline uint64_t word(const struct weir_stream *s, int result,
			    bool *unsure)
{
	if (result != -1 || !(s->flags & (WEIR_STREAM_EOF | WEIR_STREAM_ERROR)))
		return sizeof(int);
	*unsure = true;
	return 0;
}

/* What was written, given whether that worked. */
static inline uint64_t text(int result, const char *written)
{
	return result < 0 ? 0 : strlen(written);
}

static inline uint64_t text_and_newline(int result, const char *written)
{
	return result < 0 ? 0 : strlen(written) + 1;
}

static inline uint64_t length(long result)
{
	return result < 0 ? 0 : (uint64_t)result;
}

static inline uint64_t wide_line(const int *line)
{
	uint64_t count = 0;

	while (line && line[count])
		count++;
	return count;
}

static inline uint64_t wide_text(int result, const int *written)
{
	return result < 0 ? 0 : wide_line(written);
}

/*
 * The bytes that fgets took from the stream. A line may have zero bytes in
 * it; unless it ends as a line does, nobody knows.
 */
static inline uint64_t line(const char *got, int room, bool *unsure)
{
	size_t len = got ? strlen(got) : 0;

	*unsure = got && !(len && got[len - 1] == '\n') &&
		  (int)len != room - 1;
	return len;
}

#endif
