/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory functions for this library alone. Those of the program may be a
 * sanitizer's: it would watch the recorder's memory, whose order it cannot
 * see, and tell the user of races that are not there.
 */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word __attribute__((aligned(1), may_alias));
typedef uint32_t half __attribute__((aligned(1), may_alias));
typedef uint64_t whole_word __attribute__((may_alias));

#define EACH UINT64_C(0x0101010101010101)

/* A loop that the compiler takes for memcpy would call itself. */
static inline void stay_a_loop(void)
{
	__asm__ volatile("" : : : "memory");
}

/* The last bytes of fewer than a word, which need not be apart. */
static void copy_few(uint8_t *out, const uint8_t *in, size_t bytes)
{
	if (bytes >= sizeof(half)) {
		half first = *(const half *)in;
		half last = *(const half *)(in + bytes - sizeof(half));

		*(half *)out = first;
		*(half *)(out + bytes - sizeof(half)) = last;
		return;
	}
	for (; bytes; bytes--) {
		*out++ = *in++;
		stay_a_loop();
	}
}

/*
 * The last word covers what is left over by whole ones. It is read first:
 * memmove() comes here when `to` is below `from`, perhaps by a byte.
 */
void *memcpy(void *to, const void *from, size_t bytes)
{
	uint8_t *out = to;
	const uint8_t *in = from;
	uint64_t last;

	if (bytes < sizeof(word)) {
		copy_few(out, in, bytes);
		return to;
	}
	last = *(const word *)(in + bytes - sizeof(word));
	for (size_t at = 0; at + sizeof(word) < bytes; at += sizeof(word)) {
		*(word *)(out + at) = *(const word *)(in + at);
		stay_a_loop();
	}
	*(word *)(out + bytes - sizeof(word)) = last;
	return to;
}

/* Downwards when the end of one is the beginning of the other. */
void *memmove(void *to, const void *from, size_t bytes)
{
	uint8_t *out = to;
	const uint8_t *in = from;

	if ((uintptr_t)to - (uintptr_t)from >= bytes)
		return memcpy(to, from, bytes);
	while (bytes >= sizeof(word)) {
		bytes -= sizeof(word);
		*(word *)(out + bytes) = *(const word *)(in + bytes);
		stay_a_loop();
	}
	while (bytes--) {
		out[bytes] = in[bytes];
		stay_a_loop();
	}
	return to;
}

void *memset(void *to, int value, size_t bytes)
{
	uint8_t *out = to;
	uint64_t eight = (uint8_t)value * EACH;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)out = eight;
		out += sizeof(word);
		stay_a_loop();
	}
	for (; bytes; bytes--) {
		*out++ = (uint8_t)value;
		stay_a_loop();
	}
	return to;
}

int memcmp(const void *one, const void *other, size_t bytes)
{
	const uint8_t *a = one, *b = other;

	for (; bytes && *a == *b; bytes--) {
		a++;
		b++;
		stay_a_loop();
	}
	return bytes ? *a - *b : 0;
}

void *memchr(const void *from, int wanted, size_t bytes)
{
	const uint8_t *in = from;

	for (; bytes; bytes--, in++) {
		if (*in == (uint8_t)wanted)
			return (void *)(uintptr_t)in;
		stay_a_loop();
	}
	return NULL;
}

/* Bits of which the lowest is in the first byte that is zero. */
static uint64_t zeros_of(uint64_t eight)
{
	return (eight - EACH) & ~eight & EACH << 7;
}

/*
 * Whole words, which never reach into a page that the text is not in; what
 * lies before it counts as no end.
 */
size_t strnlen(const char *text, size_t most)
{
	size_t before = (uintptr_t)text % sizeof(word), length;
	const whole_word *at = (const whole_word *)(text - before);
	uint64_t eight = le64toh(*at) | ((UINT64_C(1) << before * 8) - 1);

	while (!zeros_of(eight)) {
		if ((size_t)((const char *)++at - text) >= most)
			return most;
		eight = le64toh(*at);
	}
	length = (size_t)((const char *)at - text) +
		 (size_t)__builtin_ctzll(zeros_of(eight)) / 8;
	return length < most ? length : most;
}

size_t strlen(const char *text)
{
	return strnlen(text, PTRDIFF_MAX);
}

int strncmp(const char *one, const char *other, size_t most)
{
	while (most && *one && *one == *other) {
		one++;
		other++;
		most--;
		stay_a_loop();
	}
	return most ? (uint8_t)*one - (uint8_t)*other : 0;
}

int strcmp(const char *one, const char *other)
{
	return strncmp(one, other, PTRDIFF_MAX);
}

char *strchr(const char *text, int wanted)
{
	return memchr(text, wanted, strlen(text) + 1);
}

size_t strcspn(const char *text, const char *unwanted)
{
	size_t length = 0;

	while (text[length] && !strchr(unwanted, text[length]))
		length++;
	return length;
}

char *strrchr(const char *text, int wanted)
{
	const char *found = NULL;

	do {
		if (*text == (char)wanted)
			found = text;
		stay_a_loop();
	} while (*text++);
	return (char *)found;
}
