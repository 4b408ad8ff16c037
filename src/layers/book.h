/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what is known of a handle of another library by its value. */
#ifndef WEIR_LAYERS_BOOK_H
#define WEIR_LAYERS_BOOK_H

#include <stdint.h>

/*
 * Where a value stands says where its owner keeps what is known of it: in an
 * array of WEIR_BOOK_ROOM elements beside the book. No locks: who uses a
 * handle while another thread closes it is wrong without us too. -1 to -3 are
 * never there. A book is zeros to begin with.
 */
#define WEIR_BOOK_ROOM 16384
#define WEIR_BOOK_NONE UINT32_MAX

struct weir_book {
	_Atomic uint64_t values[WEIR_BOOK_ROOM];
	_Atomic uint64_t refused; /* there was no room */
};

/* Where the value stands, or WEIR_BOOK_NONE. */
uint32_t weir_book_find(struct weir_book *book, uint64_t value);

/* The same, and it stands there from now on; NONE: there is no room. */
uint32_t weir_book_add(struct weir_book *book, uint64_t value);

/*
 * While a call may end what a value stands for: nobody finds it, but its place
 * is kept. Afterwards it is shown again, as it was, or left for good.
 */
void weir_book_hide(struct weir_book *book, uint32_t at);
void weir_book_show(struct weir_book *book, uint32_t at, uint64_t value);
void weir_book_leave(struct weir_book *book, uint32_t at);

void weir_book_remove(struct weir_book *book, uint64_t value);

#endif
