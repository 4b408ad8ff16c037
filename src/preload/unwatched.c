/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory functions for this library alone. Those of the program may be a
 * sanitizer's: it would watch the recorder's memory, whose order it cannot
 * see, and tell the user of races that are not there.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word __attribute__((aligned(1), may_alias));

/* A loop that the compiler takes for memcpy would call itself. */
static inline void stay_a_loop(void)
{
	__asm__ volatile("" : : : "memory");
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	uint8_t *out = to;
	const uint8_t *in = from;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)out = *(const word *)in;
		out += sizeof(word);
		in += sizeof(word);
		stay_a_loop();
	}
	for (; bytes; bytes--) {
		*out++ = *in++;
		stay_a_loop();
	}
	return to;
}

/* Downwards when the end of one is the beginning of the other. */
void *memmove(void *to, const void *from, size_t bytes)
{
	uint8_t *out = to;
	const uint8_t *in = from;

	if ((uintptr_t)to - (uintptr_t)from >= bytes)
		return memcpy(to, from, bytes);
	while (bytes--) {
		out[bytes] = in[bytes];
		stay_a_loop();
	}
	return to;
}

void *memset(void *to, int value, size_t bytes)
{
	uint8_t *out = to;
	uint64_t eight = (uint8_t)value * UINT64_C(0x0101010101010101);

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

size_t strnlen(const char *text, size_t most)
{
	size_t length = 0;

	while (length < most && text[length]) {
		length++;
		stay_a_loop();
	}
	return length;
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
