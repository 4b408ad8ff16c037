/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the function that a call would have reached without us. */
#ifndef WEIR_LAYERS_LAYERS_H
#define WEIR_LAYERS_LAYERS_H

#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_LAYERS_HOMES 4 /* objects of which a slot remembers the answer */

/*
 * One symbol. Which function is next depends on who calls: a library that was
 * loaded for itself (as every module of Python is) is seen by nobody else, and
 * two copies of a library in one process have two functions of one name.
 */
struct weir_layers_home {
	_Atomic uintptr_t low; /* of the caller; 0: free, 1: being filled in */
	uintptr_t high;
	void *function;
};

/* All zeros at first: what no call has used costs a process no page. */
struct weir_layers_slot {
	struct weir_layers_home homes[WEIR_LAYERS_HOMES];
};

/*
 * The next function of that name, for a call that came from the code at
 * `from`; NULL: there is none. `own` is our wrapper, which is not the next
 * one; NULL: there is no such wrapper. Keeps errno.
 */
void *weir_layers_find(struct weir_layers_slot *slot, const char *symbol,
		       const void *own, const void *from);

static inline void *weir_layers_next(struct weir_layers_slot *slot,
				     const char *symbol, const void *own,
				     const void *from)
{
	const struct weir_layers_home *home = &slot->homes[0];
	uintptr_t low = atomic_load_explicit(&home->low,
					     memory_order_acquire);

	if (__builtin_expect(low > 1 && (uintptr_t)from - low <
						home->high - low, 1))
		return home->function;
	return weir_layers_find(slot, symbol, own, from);
}

/*
 * Where code lies: the path of its object, and how far behind the beginning
 * of the object that is. False: nowhere that is known.
 */
struct weir_layers_place {
	char object[4096];
	uint64_t offset;
};

bool weir_layers_locate(const void *code, struct weir_layers_place *ret_place);

/* The addresses of the object that has this code or data; false: none. */
bool weir_layers_span(const void *at, uintptr_t *ret_low, uintptr_t *ret_high);

/* Another function of the same library, for our own use; NULL: none. */
void *weir_layers_sibling(const char *symbol, const void *from);

/* The same of a variable. */
void *weir_layers_object(const char *symbol, const void *from);

#endif
