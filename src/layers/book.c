/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what is known of a handle of another library by its value. */
#include "layers/book.h"

#include <stdatomic.h>
#include <stdbool.h>

#define EMPTY UINT64_C(0)
#define GONE  UINT64_C(1) /* somebody after it may be further on */
#define HIDDEN UINT64_MAX
#define STEPS 64          /* farther than this nobody stands */

/* No value is one of these: the highest three, from -3 on, are no handles. */
static bool is_handle(uint64_t value)
{
	return value + 2 > GONE && value + 2 != HIDDEN;
}

static uint64_t written(uint64_t value)
{
	return value + 2;
}

static uint32_t home_of(uint64_t value, uint32_t step)
{
	uint64_t mixed = value * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((mixed >> 32) + step) % WEIR_BOOK_ROOM;
}

uint32_t weir_book_find(struct weir_book *book, uint64_t value)
{
	for (uint32_t i = 0; i < STEPS && is_handle(value); i++) {
		uint32_t at = home_of(value, i);
		uint64_t there = atomic_load_explicit(&book->values[at],
						      memory_order_acquire);

		if (there == written(value))
			return at;
		if (there == EMPTY)
			break;
	}
	return WEIR_BOOK_NONE;
}

/* Take the place if it is what it was. */
static int take_place(struct weir_book *book, uint32_t at, uint64_t value)
{
	uint64_t there = atomic_load(&book->values[at]);

	return (there == EMPTY || there == GONE) &&
	       atomic_compare_exchange_strong(&book->values[at], &there,
					      written(value));
}

uint32_t weir_book_add(struct weir_book *book, uint64_t value)
{
	uint32_t at = weir_book_find(book, value);

	if (at != WEIR_BOOK_NONE || !is_handle(value))
		return at;
	for (uint32_t i = 0; i < STEPS; i++) {
		at = home_of(value, i);
		if (take_place(book, at, value))
			return at;
	}
	atomic_fetch_add(&book->refused, 1);
	return WEIR_BOOK_NONE;
}

void weir_book_hide(struct weir_book *book, uint32_t at)
{
	atomic_store(&book->values[at], HIDDEN);
}

void weir_book_show(struct weir_book *book, uint32_t at, uint64_t value)
{
	atomic_store(&book->values[at], written(value));
}

void weir_book_leave(struct weir_book *book, uint32_t at)
{
	atomic_store(&book->values[at], GONE);
}

void weir_book_remove(struct weir_book *book, uint64_t value)
{
	uint32_t at = weir_book_find(book, value);

	if (at != WEIR_BOOK_NONE)
		atomic_store(&book->values[at], GONE);
}
