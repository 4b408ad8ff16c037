/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes inputs by what is known of their format. */
#include "mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PARTS 256
#define ROOM  (1u << 18) /* for one part, unpacked */

/* An input on the way to another one. */
struct draft {
	uint8_t *bytes;
	size_t size, most;
	size_t parts, starts[PARTS + 1]; /* the last start is the end */
	uint64_t random;
};

static uint8_t body[ROOM], fresh[ROOM + 4096];

static uint64_t draw(struct draft *d, uint64_t below)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 7;
	d->random ^= d->random << 17;
	return below ? (d->random >> 11) % below : 0;
}

static void find_parts(struct draft *d)
{
	size_t at = 0, length;

	d->parts = 0;
	while (at < d->size && d->parts < PARTS) {
		d->starts[d->parts++] = at;
		length = fuzz_shape.part ?
			fuzz_shape.part(d->bytes + at, d->size - at) : 0;
		at = length && length < d->size - at ? at + length : d->size;
	}
	d->starts[d->parts] = d->size;
}

static size_t part_size(const struct draft *d, size_t part)
{
	return d->starts[part + 1] - d->starts[part];
}

/* False: there is no room, and nothing is changed. */
static bool replace(struct draft *d, size_t at, size_t old, const void *bytes,
		    size_t size)
{
	if (d->size - old + size > d->most)
		return false;
	memmove(d->bytes + at + size, d->bytes + at + old, d->size - at - old);
	if (size)
		memcpy(d->bytes + at, bytes, size);
	d->size = d->size - old + size;
	return true;
}

/* Numbers that readers count, add and multiply wrongly. */
static uint64_t strange_number(struct draft *d, uint64_t now)
{
	switch (draw(d, 8)) {
	case 0:
		return draw(d, 4);
	case 1:
		return UINT64_MAX - draw(d, 4);
	case 2:
		return (UINT64_C(1) << draw(d, 64)) - draw(d, 3) + 1;
	case 3:
		return d->size + draw(d, 17) - 8;
	case 4:
		return now ^ UINT64_C(1) << draw(d, 64);
	case 5:
		return draw(d, UINT64_MAX);
	default:
		return now + draw(d, 33) - 16;
	}
}

static bool change_number(struct draft *d, size_t part)
{
	const struct fuzz_number *numbers = fuzz_shape.numbers;
	uint64_t value = 0;
	size_t count = 0, at;

	while (numbers && numbers[count].size)
		count++;
	if (!count || part_size(d, part) < fuzz_shape.head)
		return false;
	numbers += draw(d, count);
	at = d->starts[part] + numbers->at;
	memcpy(&value, d->bytes + at, numbers->size);
	value = strange_number(d, value);
	memcpy(d->bytes + at, &value, numbers->size);
	return true;
}

/* A body is made of words of 4 or 8 bytes as often as not. */
static size_t change_plain(struct draft *d, size_t size)
{
	uint64_t value = 0;
	size_t width = 4u << draw(d, 2), at;

	if (size < width || draw(d, 3))
		return LLVMFuzzerMutate(body, size, sizeof(body));
	at = draw(d, size / width) * width;
	memcpy(&value, body + at, width);
	value = strange_number(d, value);
	memcpy(body + at, &value, width);
	return size;
}

static size_t load_body(const uint8_t *part, size_t size)
{
	size_t length = 0;

	if (fuzz_shape.unpack)
		length = fuzz_shape.unpack(part, size, body, sizeof(body));
	if (length)
		return length;
	length = size - fuzz_shape.head;
	if (length > sizeof(body))
		length = sizeof(body);
	memcpy(body, part + fuzz_shape.head, length);
	return length;
}

static size_t store_body(const uint8_t *part, size_t length)
{
	if (fuzz_shape.head)
		memcpy(fresh, part, fuzz_shape.head);
	if (fuzz_shape.pack)
		return fuzz_shape.pack(fresh, sizeof(fresh), body, length);
	memcpy(fresh + fuzz_shape.head, body, length);
	return fuzz_shape.head + length;
}

static bool change_body(struct draft *d, size_t part)
{
	size_t size = part_size(d, part), length;
	const uint8_t *old = d->bytes + d->starts[part];

	if (size < fuzz_shape.head)
		return false;
	length = load_body(old, size);
	length = change_plain(d, length);
	length = store_body(old, length);
	return replace(d, d->starts[part], size, fresh, length);
}

static bool drop_part(struct draft *d, size_t part)
{
	return d->parts > 1 &&
	       replace(d, d->starts[part], part_size(d, part), NULL, 0);
}

static bool copy_part(struct draft *d, size_t part)
{
	size_t size = part_size(d, part);

	if (d->parts < 2 || size > sizeof(fresh))
		return false;
	memcpy(fresh, d->bytes + d->starts[part], size);
	return replace(d, d->starts[draw(d, d->parts + 1)], 0, fresh, size);
}

static bool move_part(struct draft *d, size_t part)
{
	if (!copy_part(d, part))
		return false;
	find_parts(d); /* they may be fewer now */
	return drop_part(d, part % d->parts);
}

static bool is_of_word(uint8_t byte)
{
	return isalnum(byte) || byte == '_' || byte == '-' || byte == '.';
}

/* The word, or what stands between two, around a place. */
static size_t find_word(const struct draft *d, size_t *at)
{
	bool kind = is_of_word(d->bytes[*at]);
	size_t end = *at;

	while (*at && is_of_word(d->bytes[*at - 1]) == kind)
		--*at;
	while (end < d->size && is_of_word(d->bytes[end]) == kind)
		end++;
	return end - *at;
}

static size_t other_word(struct draft *d, char *to, size_t room)
{
	size_t count = 0, at, length;

	while (fuzz_shape.words[count])
		count++;
	switch (draw(d, 4)) {
	case 0:
		return (size_t)snprintf(to, room, "%llu",
			(unsigned long long)strange_number(d, draw(d, 1000)));
	case 1: /* one that is there already */
		at = draw(d, d->size);
		length = find_word(d, &at);
		length = length < room ? length : room;
		memcpy(to, d->bytes + at, length);
		return length;
	default:
		length = (size_t)snprintf(to, room, "%s",
				fuzz_shape.words[draw(d, count)]);
		return length < room ? length : room - 1;
	}
}

static bool change_word(struct draft *d, size_t part)
{
	size_t at, old, length;
	char word[256];

	if (!fuzz_shape.words || !d->size)
		return false;
	at = draw(d, d->size);
	old = find_word(d, &at);
	length = other_word(d, word, sizeof(word));
	if (draw(d, 2)) /* before it, not instead */
		old = 0;
	return replace(d, at, old, word, length);
}

/* Deep, long and many: what a reader might take for ever over. */
static bool repeat_piece(struct draft *d, size_t part)
{
	size_t at = draw(d, d->size), length = 1 + draw(d, 24);
	size_t times = 1u << draw(d, 7);
	uint8_t piece[24];

	if (length > d->size - at)
		length = d->size - at;
	memcpy(piece, d->bytes + at, length);
	while (times-- && replace(d, at, 0, piece, length))
		;
	return true;
}

static bool change_any(struct draft *d, size_t part)
{
	d->size = LLVMFuzzerMutate(d->bytes, d->size, d->most);
	return true;
}

static void change(struct draft *d)
{
	static bool (*const steps[])(struct draft *d, size_t part) = {
		change_number, change_number, change_body, change_body,
		change_body,   change_word,   change_word, drop_part,
		copy_part,     move_part,     repeat_piece, change_any,
	};

	for (int tries = 0; tries < 8; tries++) {
		find_parts(d);
		if (steps[draw(d, sizeof(steps) / sizeof(*steps))](
			    d, draw(d, d->parts)))
			return;
	}
	change_any(d, 0);
}

static void begin(struct draft *d, unsigned int seed)
{
	d->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	draw(d, 0);
}

static size_t end(struct draft *d)
{
	if (fuzz_shape.repair && draw(d, 16))
		fuzz_shape.repair(d->bytes, d->size);
	return d->size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	struct draft d = { .bytes = data, .size = size, .most = max_size };

	begin(&d, seed);
	if (!size)
		return LLVMFuzzerMutate(data, size, max_size);
	do
		change(&d);
	while (d.size && !draw(&d, 3));
	return end(&d);
}

/* Parts of the second input come between those of the first. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
				 const uint8_t *data2, size_t size2,
				 uint8_t *out, size_t max_size,
				 unsigned int seed)
{
	struct draft other = { .bytes = (uint8_t *)data2, .size = size2 };
	struct draft d = { .bytes = out, .most = max_size };
	size_t part, at;

	begin(&d, seed);
	d.size = size1 < max_size ? size1 : max_size;
	if (!d.size || !size2)
		return 0;
	memcpy(out, data1, d.size);
	find_parts(&d);
	find_parts(&other);
	part = draw(&d, other.parts);
	at = fuzz_shape.part ? d.starts[draw(&d, d.parts + 1)] :
			       draw(&d, d.size + 1);
	replace(&d, at, 0, data2 + other.starts[part], part_size(&other, part));
	return end(&d);
}
