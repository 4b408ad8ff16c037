/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows what a dataspace selects: how much, in how many pieces. */
#include "layers/hdf5/hdf5_space.h"

#include <stdatomic.h>
#include <string.h>

#define PLACES	     256 /* dataspaces that we remember */
#define TYPES	     64
#define PATIENCE     100000
#define LONGEST_RANK 32 /* H5S_MAX_RANK */

/* What H5Sget_select_type() says. */
enum { NONE = 0, POINTS = 1, HYPERSLABS = 2, ALL = 3 };

/* Somebody writes while `turn` is odd; who reads sees it change. */
struct place {
	_Atomic uint32_t turn;
	uint64_t key;
	struct weir_hdf5_space space;
};

static struct place places[PLACES];
static atomic_bool blind;

/* The id's lower half, then the size: one word, so no lock. */
static _Atomic uint64_t sizes[TYPES];

static struct place *space_place(uint64_t key)
{
	return &places[(key ^ key >> 48) % PLACES];
}

static bool lock_place(struct place *place)
{
	uint32_t turn = atomic_load(&place->turn);

	return !(turn & 1) &&
	       atomic_compare_exchange_strong(&place->turn, &turn, turn + 1);
}

static void unlock_place(struct place *place)
{
	atomic_fetch_add_explicit(&place->turn, 1, memory_order_release);
}

/* No more than there is of it: this is on every transfer's way. */
static void copy_space(struct weir_hdf5_space *to,
		       const struct weir_hdf5_space *from)
{
	int rank = from->rank;

	if ((unsigned)rank > WEIR_HDF5_RANK)
		rank = WEIR_HDF5_RANK; /* somebody is writing it */
	memcpy(to, from, offsetof(struct weir_hdf5_space, axes));
	for (int i = 0; i < rank; i++)
		to->axes[i] = from->axes[i];
	to->rank = rank;
}

static bool recall(uint64_t key, struct weir_hdf5_space *ret_space)
{
	struct place *place = space_place(key);
	uint32_t turn =
		atomic_load_explicit(&place->turn, memory_order_acquire);

	if (turn & 1 || place->key != key || atomic_load(&blind))
		return false;
	copy_space(ret_space, &place->space);
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&place->turn, memory_order_relaxed) == turn;
}

static void remember_space(uint64_t key, const struct weir_hdf5_space *space)
{
	struct place *place = space_place(key);

	if (!lock_place(place))
		return;
	place->key = key;
	copy_space(&place->space, space);
	unlock_place(place);
}

/*
 * What is no longer true must not stay. Writers are quick, but one may be lost
 * in a fork: then nothing is remembered any more.
 */
static void empty(struct place *place)
{
	int tries = 0;

	while (!lock_place(place)) {
		if (++tries > PATIENCE) {
			atomic_store(&blind, true);
			return;
		}
	}
	place->key = 0;
	unlock_place(place);
}

static void drop(uint64_t key)
{
	struct place *place = space_place(key);

	if (place->key == key)
		empty(place);
}

void weir_hdf5_space_forget(void)
{
	for (int i = 0; i < PLACES; i++)
		empty(&places[i]);
	for (int i = 0; i < TYPES; i++)
		atomic_store(&sizes[i], 0);
}

static void set_axis(struct weir_hdf5_axis *axis, uint64_t start,
		     uint64_t length)
{
	axis->start = start;
	axis->stride = 1;
	axis->count = 1;
	axis->block = length;
}

void weir_hdf5_space_whole(struct weir_hdf5_space *space, const uint64_t *dims,
			   int rank)
{
	space->rank = rank;
	space->even = true;
	space->shifted = false;
	for (int i = 0; i < rank; i++) {
		space->axes[i].dim = dims[i];
		set_axis(&space->axes[i], 0, dims[i]);
	}
}

static bool is_regular(struct weir_hdf5_library *lib, long id,
		       struct weir_hdf5_space *space, const uint64_t *low)
{
	uint64_t all[4][LONGEST_RANK];

	if (lib->select_is_regular(id) <= 0 ||
	    lib->select_regular(id, all[0], all[1], all[2], all[3]) < 0)
		return false;
	for (int i = 0; i < space->rank; i++) {
		struct weir_hdf5_axis *axis = &space->axes[i];

		space->shifted |= all[0][i] != low[i];
		axis->start = low[i];
		axis->stride = all[1][i];
		axis->count = all[2][i];
		axis->block = all[3][i];
	}
	return true;
}

/* Points or hyperslabs: neither call fails on one that is not empty. */
static bool ask_part(struct weir_hdf5_library *lib, long id, int kind,
		     struct weir_hdf5_space *space)
{
	uint64_t low[LONGEST_RANK], high[LONGEST_RANK];

	space->points = (uint64_t)lib->select_points(id);
	space->runs = space->points;
	if (!space->points)
		return true;
	if (lib->select_bounds(id, low, high) < 0)
		return false;
	space->even = kind == HYPERSLABS && is_regular(lib, id, space, low);
	if (space->even)
		return true;
	for (int i = 0; i < space->rank; i++)
		set_axis(&space->axes[i], low[i], high[i] - low[i] + 1);
	if (kind == HYPERSLABS)
		space->runs = (uint64_t)lib->select_blocks(id);
	return true;
}

static bool ask_library(struct weir_hdf5_library *lib, long id,
			struct weir_hdf5_space *space)
{
	uint64_t dims[LONGEST_RANK];
	int kind;

	memset(space, 0, sizeof(*space));
	if (lib->id_type(id) != WEIR_HDF5_DATASPACE)
		return false;
	space->rank = lib->space_rank(id);
	if (space->rank < 0 || space->rank > WEIR_HDF5_RANK)
		return false;
	if (space->rank && lib->space_dims(id, dims, NULL) < 0)
		return false;
	for (int i = 0; i < space->rank; i++)
		space->axes[i].dim = dims[i];
	kind = lib->select_type(id);
	if (kind == ALL && space->rank)
		weir_hdf5_space_whole(space, dims, space->rank);
	else if (kind == ALL) /* one element, or none */
		space->runs = space->points = (uint64_t)lib->select_points(id);
	return kind == ALL || kind == NONE || ask_part(lib, id, kind, space);
}

bool weir_hdf5_space_look(struct weir_hdf5_library *lib, long id,
			  struct weir_hdf5_space *ret_space)
{
	uint64_t key = weir_hdf5_key(lib, id);

	struct weir_hdf5_hush hush;
	bool known;

	if (recall(key, ret_space))
		return true;
	weir_hdf5_hush(lib, &hush);
	known = ask_library(lib, id, ret_space);
	weir_hdf5_unhush(lib, &hush);
	if (known)
		remember_space(key, ret_space);
	return known;
}

uint64_t weir_hdf5_space_points(const struct weir_hdf5_space *space)
{
	uint64_t points = 1;

	if (!space->even)
		return space->points;
	for (int i = 0; i < space->rank; i++)
		points *= space->axes[i].count * space->axes[i].block;
	return points;
}

/* Blocks that touch are one. */
static uint64_t pieces(const struct weir_hdf5_axis *axis)
{
	return axis->stride == axis->block ? 1 : axis->count;
}

uint64_t weir_hdf5_space_runs(const struct weir_hdf5_space *space)
{
	bool whole = true; /* the dimensions so far leave nothing out */
	uint64_t runs = 1;

	if (!space->even)
		return space->runs;
	for (int i = space->rank - 1; i >= 0; i--) {
		const struct weir_hdf5_axis *axis = &space->axes[i];
		uint64_t number = axis->count * axis->block;

		if (!number)
			return 0;
		runs *= whole ? pieces(axis) : number;
		whole &= pieces(axis) == 1 && number == axis->dim;
	}
	return runs;
}

static char *spell_number(char *at, uint64_t number)
{
	char digits[20];
	int n = 0;

	if (number < 10) {
		*at = (char)('0' + number);
		return at + 1;
	}
	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10));
	while (n)
		*at++ = digits[--n];
	return at;
}

static char *put_extent(char *at, const struct weir_hdf5_axis *axis)
{
	uint64_t count = axis->count, stride = axis->stride;

	at = spell_number(at, axis->start);
	*at++ = '+';
	if (axis->block != 1 || count < 2 || stride < 2)
		return spell_number(
			at, count ? (count - 1) * stride + axis->block : 0);
	at = spell_number(at, count);
	*at++ = '*';
	return spell_number(at, stride);
}

#define LONGEST_EXTENT 62 /* three numbers and two signs */

void weir_hdf5_space_spell(const struct weir_hdf5_space *space,
			   char text[WEIR_HDF5_TEXT])
{
	char *at = text, *end = text + WEIR_HDF5_TEXT - LONGEST_EXTENT - 5;

	for (int i = 0; i < space->rank; i++) {
		if (i)
			*at++ = ',';
		if (at > end) {
			memcpy(at, "...", 3);
			at += 3;
			break;
		}
		at = put_extent(at, &space->axes[i]);
	}
	*at = '\0';
}

void weir_hdf5_space_shape(const uint64_t *dims, int rank,
			   char text[WEIR_HDF5_TEXT])
{
	char *at = text;

	for (int i = 0; i < rank && i < WEIR_HDF5_RANK; i++) {
		if (i)
			*at++ = 'x';
		at = spell_number(at, dims[i]);
	}
	if (rank > WEIR_HDF5_RANK) {
		memcpy(at, "x...", 4);
		at += 4;
	}
	*at = '\0';
}

/* As the library takes it; the same conditions make it refuse. */
static bool can_follow(const struct weir_hdf5_space *space,
		       const struct weir_hdf5_change *change)
{
	const uint64_t *count = change->count, *stride = change->stride,
		       *block = change->block;

	if (space->shifted || !space->rank || !change->start || !count)
		return false;
	for (int i = 0; i < space->rank; i++) {
		uint64_t step = stride ? stride[i] : 1;
		uint64_t each = block ? block[i] : 1;

		if (!step || !each || !count[i] ||
		    (count[i] > 1 && step < each))
			return false;
	}
	return true;
}

static void apply_change(struct weir_hdf5_space *space,
			 const struct weir_hdf5_change *change)
{
	const uint64_t *start = change->start, *count = change->count,
		       *stride = change->stride, *block = change->block;

	space->even = true;
	for (int i = 0; i < space->rank; i++) {
		struct weir_hdf5_axis *axis = &space->axes[i];

		axis->start = start[i];
		axis->count = count[i];
		axis->stride = stride && count[i] > 1 ? stride[i] : 1;
		axis->block = block ? block[i] : 1;
	}
}

/* What is selected is set anew (0), not combined with what was before. */
void weir_hdf5_select(const struct weir_hdf5_change *change)
{
	struct weir_hdf5_library *lib = weir_hdf5_library(change->from);
	uint64_t key = lib ? weir_hdf5_key(lib, change->select) : 0;
	struct place *place = space_place(key);

	if (!lib || place->key != key)
		return;
	if (change->op || !lock_place(place)) {
		drop(key);
		return;
	}
	if (place->key == key && can_follow(&place->space, change))
		apply_change(&place->space, change);
	else
		place->key = 0;
	unlock_place(place);
}

void weir_hdf5_alter(const struct weir_hdf5_change *change)
{
	struct weir_hdf5_library *lib = weir_hdf5_library(change->from);

	if (lib)
		drop(weir_hdf5_key(lib, change->select));
}

void weir_hdf5_retype(const struct weir_hdf5_change *change)
{
	(void)change;
	for (int i = 0; i < TYPES; i++)
		atomic_store(&sizes[i], 0);
}

uint64_t weir_hdf5_type_size(struct weir_hdf5_library *lib, long type)
{
	uint64_t tag = (uint64_t)(uint32_t)(type + lib->number * 0x10000001)
		       << 32;
	_Atomic uint64_t *there = &sizes[(uint64_t)type % TYPES];
	uint64_t known = atomic_load_explicit(there, memory_order_relaxed);
	uint64_t size;

	if (known && (known & ~(uint64_t)UINT32_MAX) == tag)
		return (uint32_t)known;
	if (lib->id_type(type) != WEIR_HDF5_DATATYPE)
		return 0;
	size = lib->type_size(type);
	if (size && size <= UINT32_MAX)
		atomic_store(there, tag | size);
	return size;
}
