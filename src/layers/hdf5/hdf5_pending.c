/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows operations in event sets until they are seen to end. */
#include "layers/hdf5/hdf5_pending.h"

#include "layers/book.h"

#include <stdatomic.h>
#include <stddef.h>

/*
 * Threads may share a set: its operations are a stack, to which single ones
 * are added and from which only all are taken.
 */
struct set {
	_Atomic(struct weir_hdf5_library *) library; /* NULL: nobody's */
	_Atomic uint64_t key;
	_Atomic uint32_t first;
	_Atomic bool doubt;
};

static struct weir_book set_book, op_book;
static struct set sets[WEIR_BOOK_ROOM];
static struct weir_hdf5_op ops[WEIR_BOOK_ROOM];
static _Atomic uint64_t ids;
static _Atomic int64_t open_ops;

static struct set *find_set(struct weir_hdf5_library *lib, long es)
{
	uint32_t at;

	if (!lib || es <= 0)
		return NULL;
	at = weir_book_find(&set_book, weir_hdf5_key(lib, es));
	return at == WEIR_BOOK_NONE ? NULL : &sets[at];
}

/* Two threads may meet a set at once; which place counts, finding tells. */
static struct set *meet_set(struct weir_hdf5_library *lib, long es)
{
	uint64_t key = weir_hdf5_key(lib, es);
	struct set *set;

	if (weir_book_add(&set_book, key) == WEIR_BOOK_NONE)
		return NULL;
	set = find_set(lib, es);
	if (set) {
		atomic_store(&set->library, lib);
		atomic_store(&set->key, key);
	}
	return set;
}

static void push(struct set *set, uint32_t at)
{
	uint32_t first = atomic_load(&set->first);

	do
		ops[at - 1].next = first;
	while (!atomic_compare_exchange_weak(&set->first, &first, at));
}

static void empty(struct set *set)
{
	uint32_t at = atomic_exchange(&set->first, 0);

	while (at)
		at = weir_hdf5_pending_drop(at);
	atomic_store(&set->doubt, false);
}

void weir_hdf5_pending_begin(struct weir_hdf5_library *lib, long es)
{
	struct set *set = meet_set(lib, es);

	if (set)
		empty(set);
}

bool weir_hdf5_pending_knows(struct weir_hdf5_library *lib, long es)
{
	return find_set(lib, es);
}

uint64_t weir_hdf5_pending_add(struct weir_hdf5_library *lib, long es,
			       uint32_t handle, uint64_t bytes)
{
	struct weir_hdf5_op op = { .bytes = bytes, .handle = handle };
	struct set *set = meet_set(lib, es);
	uint32_t at;

	op.id = 1 + atomic_fetch_add(&ids, 1);
	at = set ? weir_book_add(&op_book, op.id) : WEIR_BOOK_NONE;
	if (at == WEIR_BOOK_NONE)
		return op.id;
	ops[at] = op;
	atomic_fetch_add(&open_ops, 1);
	push(set, at + 1);
	return op.id;
}

uint64_t weir_hdf5_pending_latest(void)
{
	return atomic_load(&ids);
}

bool weir_hdf5_pending_has(struct weir_hdf5_library *lib, long es)
{
	struct set *set = find_set(lib, es);

	return set && atomic_load(&set->first);
}

bool weir_hdf5_pending_any(void)
{
	return atomic_load_explicit(&open_ops, memory_order_relaxed);
}

void weir_hdf5_pending_doubt(struct weir_hdf5_library *lib, long es, bool doubt)
{
	struct set *set = find_set(lib, es);

	if (set)
		atomic_store(&set->doubt, doubt);
}

bool weir_hdf5_pending_is_doubtful(struct weir_hdf5_library *lib, long es)
{
	struct set *set = find_set(lib, es);

	return set && atomic_load(&set->doubt);
}

uint32_t weir_hdf5_pending_take(struct weir_hdf5_library *lib, long es,
				uint64_t until)
{
	struct set *set = find_set(lib, es);
	uint32_t at = set ? atomic_exchange(&set->first, 0) : 0;
	uint32_t chain = 0;

	for (uint32_t next; at; at = next) {
		next = ops[at - 1].next;
		if (ops[at - 1].id > until) {
			push(set, at);
			continue;
		}
		ops[at - 1].next = chain;
		chain = at;
	}
	return chain;
}

const struct weir_hdf5_op *weir_hdf5_pending_get(uint32_t at)
{
	return &ops[at - 1];
}

uint32_t weir_hdf5_pending_drop(uint32_t at)
{
	uint32_t next = ops[at - 1].next;

	weir_book_leave(&op_book, at - 1);
	atomic_fetch_sub(&open_ops, 1);
	return next;
}

static void leave_set(struct set *set)
{
	empty(set);
	atomic_store(&set->library, NULL);
	weir_book_remove(&set_book, atomic_load(&set->key));
}

void weir_hdf5_pending_end(struct weir_hdf5_library *lib, long es)
{
	struct set *set = find_set(lib, es);

	if (set)
		leave_set(set);
}

void weir_hdf5_pending_forget(struct weir_hdf5_library *lib)
{
	for (uint32_t i = 0; i < WEIR_BOOK_ROOM; i++)
		if (atomic_load(&sets[i].library) == lib)
			leave_set(&sets[i]);
}
