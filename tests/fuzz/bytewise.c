/* SPDX-License-Identifier: BSD-3-Clause */
/* LLVMFuzzerMutate where libFuzzer is not. */
#include "bytewise.h"

#include "mutate.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 128 /* bytes that one step adds, takes or copies */

static uint64_t state = 1;

void bytewise_seed(uint64_t seed)
{
	state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

uint64_t bytewise_draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? (state >> 11) % below : 0;
}

static size_t at_most(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t change_bit(uint8_t *data, size_t size, size_t most)
{
	data[bytewise_draw(size)] ^= (uint8_t)(1u << bytewise_draw(8));
	return size;
}

static size_t change_byte(uint8_t *data, size_t size, size_t most)
{
	data[bytewise_draw(size)] = (uint8_t)bytewise_draw(256);
	return size;
}

static size_t take_away(uint8_t *data, size_t size, size_t most)
{
	size_t at = bytewise_draw(size);
	size_t length = 1 + bytewise_draw(at_most(size - at, LONGEST));

	memmove(data + at, data + at + length, size - at - length);
	return size - length;
}

/* Room for so many bytes at a place, if there is; its start. */
static uint8_t *open_gap(uint8_t *data, size_t *size, size_t most,
			 size_t length)
{
	size_t at = bytewise_draw(*size + 1);

	if (length > most - *size)
		return NULL;
	memmove(data + at + length, data + at, *size - at);
	*size += length;
	return data + at;
}

static size_t insert_any(uint8_t *data, size_t size, size_t most)
{
	uint8_t *gap = open_gap(data, &size, most, 1);

	if (gap)
		*gap = (uint8_t)bytewise_draw(256);
	return size;
}

static size_t insert_many(uint8_t *data, size_t size, size_t most)
{
	size_t length = 3 + bytewise_draw(LONGEST - 3);
	uint8_t *gap = open_gap(data, &size, most, length);

	if (gap)
		memset(gap, bytewise_draw(2) ? 0 : (int)bytewise_draw(256),
		       length);
	return size;
}

static size_t copy_within(uint8_t *data, size_t size, size_t most)
{
	size_t from = bytewise_draw(size), to = bytewise_draw(size);
	size_t length = at_most(size - (from > to ? from : to), LONGEST);

	memmove(data + to, data + from, 1 + bytewise_draw(length));
	return size;
}

static size_t insert_copy(uint8_t *data, size_t size, size_t most)
{
	size_t from = bytewise_draw(size);
	size_t length = 1 + bytewise_draw(at_most(size - from, LONGEST));
	uint8_t piece[LONGEST + 1], *gap;

	memcpy(piece, data + from, length);
	gap = open_gap(data, &size, most, length);
	if (gap)
		memcpy(gap, piece, length);
	return size;
}

static size_t change_integer(uint8_t *data, size_t size, size_t most)
{
	size_t width = (size_t)1 << bytewise_draw(4), at;
	uint64_t value = 0;

	if (size < width)
		return change_byte(data, size, most);
	at = bytewise_draw(size - width + 1);
	memcpy(&value, data + at, width);
	if (bytewise_draw(4) == 0)
		value = size;
	else if (bytewise_draw(2))
		value += bytewise_draw(21) - 10;
	else
		value = -value;
	memcpy(data + at, &value, width);
	return size;
}

/* Digits that are there become others. */
static size_t change_decimal(uint8_t *data, size_t size, size_t most)
{
	size_t at = bytewise_draw(size);

	while (at < size && (data[at] < '0' || data[at] > '9'))
		at++;
	if (at == size)
		return change_byte(data, size, most);
	while (at < size && data[at] >= '0' && data[at] <= '9')
		data[at++] = (uint8_t)('0' + bytewise_draw(10));
	return size;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	static size_t (*const steps[])(uint8_t *data, size_t size,
				       size_t most) = {
		change_bit,  change_byte, take_away,	  insert_any,
		insert_many, copy_within, insert_copy, change_integer,
		change_decimal,
	};

	if (!size)
		return max_size ? insert_any(data, size, max_size) : 0;
	return steps[bytewise_draw(sizeof(steps) / sizeof(*steps))](
		data, size, max_size);
}
