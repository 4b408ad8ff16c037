/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over a whole trace: all that a report tells. */
#include "analyse/sums/totals.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void weir_totals_fini(struct weir_totals *totals)
{
	weir_names_fini(&totals->names);
	weir_stock_fini(&totals->files);
	weir_ledger_fini(&totals->processes);
	weir_row_fini(&totals->others);
	weir_row_fini(&totals->total);
	weir_row_fini(&totals->unreturned);
	weir_iotime_fini(&totals->times);
	free(totals->calls);
	free(totals->classes);
	*totals = (struct weir_totals){ 0 };
}

struct weir_cell weir_totals_sum(const struct weir_totals *totals,
				   const struct weir_row *row,
				   enum weir_callclass class)
{
	struct weir_cell sum = { 0 };

	for (uint32_t i = 0; i < row->count; i++) {
		const struct weir_entry *entry = &row->entries[i];

		if (totals->classes[entry->call] == class)
			weir_cell_merge(&sum, &entry->cell);
	}
	return sum;
}

int weir_totals_apart(const struct weir_totals *totals,
		      struct weir_row *ret_others, struct weir_row *ret_waits)
{
	int err;

	*ret_others = *ret_waits = (struct weir_row){ 0 };
	err = weir_row_merge(ret_others, &totals->others);
	for (size_t i = 0; !err && i < totals->files.count; i++) {
		const struct weir_row *row = weir_stock_at(&totals->files, i);

		err = weir_row_merge(row->is_channel ? ret_waits : ret_others,
				     row);
	}
	return err;
}

static int is_of_layer(const struct weir_call *call, const char *layer)
{
	return !layer || (call && call->layer && !strcmp(call->layer, layer));
}

/* What reaches the system: the bytes of libraries above are the same ones. */
static int is_of_system(const struct weir_call *call)
{
	static const char *const layers[] = { "posix", "stdio", "async",
					      "recent" };

	for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++)
		if (is_of_layer(call, layers[i]))
			return 1;
	return !call || !call->layer;
}

/* FILE:/PATH, which only libraries that have objects deal with. */
int weir_totals_is_object(const struct weir_totals *totals,
			  const struct weir_row *row)
{
	size_t len = 0;
	const char *name =
		weir_names_get(&totals->names, (uint32_t)row->key, &len);

	for (uint32_t i = 0; i < row->count; i++) {
		const struct weir_call *call =
			totals->calls[row->entries[i].call];

		if (!call || (!is_of_layer(call, "hdf5") &&
			      !is_of_layer(call, "pnetcdf")))
			return 0;
	}
	return name && row->count && memmem(name, len, ":/", 2);
}

struct weir_digest
weir_totals_layer_digest(const struct weir_totals *totals,
			   const struct weir_row *row, const char *layer)
{
	struct weir_digest digest = { .row = row };

	for (uint32_t i = 0; i < row->count; i++) {
		const struct weir_cell *cell = &row->entries[i].cell;
		uint16_t call = row->entries[i].call;
		enum weir_callclass class = totals->classes[call];

		if (weir_callclass_is_inner(class) ||
		    !is_of_layer(totals->calls[call], layer))
			continue;
		digest.calls += cell->calls;
		digest.failed += cell->failed;
		digest.time += cell->time;
		digest.timed += cell->timed;
		if (cell->longest > digest.longest)
			digest.longest = cell->longest;
		if (!layer && !is_of_system(totals->calls[call]))
			continue;
		if (class == WEIR_CLASS_READ || class == WEIR_CLASS_GET)
			digest.read += cell->bytes;
		if (class == WEIR_CLASS_WRITE || class == WEIR_CLASS_PUT)
			digest.written += cell->bytes;
		digest.read += cell->done[0];
		digest.written += cell->done[1];
	}
	return digest;
}

struct weir_digest weir_totals_digest(const struct weir_totals *totals,
					const struct weir_row *row)
{
	static const char *const libraries[] = { "hdf5", "pnetcdf" };
	struct weir_digest digest =
		weir_totals_layer_digest(totals, row, NULL);
	bool is_object = weir_totals_is_object(totals, row);

	/* What an object holds is moved by its library, and nobody else. */
	for (size_t i = 0; is_object && i < 2; i++) {
		struct weir_digest own =
			weir_totals_layer_digest(totals, row, libraries[i]);

		digest.read += own.read;
		digest.written += own.written;
	}
	/* Calls that others made are within the time of those. */
	digest.time = row->own;
	digest.longest = row->longest;
	return digest;
}

/* Few calls and fewer layers: no need to remember them. */
const char *weir_totals_layer(const struct weir_totals *totals,
				unsigned number)
{
	const struct weir_row *total = &totals->total;
	const char *seen[8];
	unsigned count = 0, k;

	for (uint32_t i = 0; i < total->count; i++) {
		const struct weir_call *call =
			totals->calls[total->entries[i].call];

		if (!call || !call->layer)
			continue;
		for (k = 0; k < count && strcmp(seen[k], call->layer); k++)
			;
		if (k < count)
			continue;
		if (count == number)
			return call->layer;
		if (count == sizeof(seen) / sizeof(*seen))
			return NULL;
		seen[count++] = call->layer;
	}
	return NULL;
}

/* By names and numbers where the figures are the same: always one order. */
static int by_key(const void *left, const void *right)
{
	const struct weir_digest *a = left, *b = right;

	return (a->row->key > b->row->key) - (a->row->key < b->row->key);
}

static int by_bytes(const void *left, const void *right)
{
	const struct weir_digest *a = left, *b = right;
	uint64_t moved_a = a->read + a->written, moved_b = b->read + b->written;

	if (moved_a != moved_b)
		return moved_a < moved_b ? 1 : -1;
	return by_key(left, right);
}

static int by_time(const void *left, const void *right)
{
	const struct weir_digest *a = left, *b = right;

	/* What waits for others tells nothing of the storage. */
	if (a->row->is_channel != b->row->is_channel)
		return a->row->is_channel ? 1 : -1;
	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return by_bytes(left, right);
}

int weir_totals_sort(const struct weir_totals *totals,
		       enum weir_totals_order order,
		       struct weir_digest **ret_digests)
{
	static int (*const orders[])(const void *, const void *) = {
		[WEIR_ORDER_TIME] = by_time,
		[WEIR_ORDER_BYTES] = by_bytes,
		[WEIR_ORDER_KEY] = by_key,
	};
	const struct weir_ledger *ledger = &totals->processes;
	struct weir_digest *digests =
		malloc((ledger->count + 1) * sizeof(*digests));

	if (!digests)
		return -ENOMEM;
	for (size_t i = 0; i < ledger->count; i++)
		digests[i] = weir_totals_digest(totals, &ledger->rows[i]);
	qsort(digests, ledger->count, sizeof(*digests), orders[order]);
	*ret_digests = digests;
	return 0;
}

/* What decides of a file: there may be very many. */
struct standing {
	uint64_t much; /* the key, or what there is most of */
	uint32_t key;
	uint32_t number; /* of the row, with WAITS where it comes last */
};

#define WAITS (UINT32_C(1) << 31)

static int by_standing(const void *left, const void *right)
{
	const struct standing *a = left, *b = right;

	if ((a->number ^ b->number) & WAITS)
		return a->number & WAITS ? 1 : -1;
	if (a->much != b->much)
		return a->much < b->much ? 1 : -1;
	return (a->key > b->key) - (a->key < b->key);
}

static struct standing standing_of(const struct weir_totals *totals, size_t i,
				   enum weir_totals_order order)
{
	const struct weir_row *row = weir_stock_at(&totals->files, i);
	struct standing standing = { 0, (uint32_t)row->key, (uint32_t)i };
	struct weir_digest digest = weir_totals_digest(totals, row);

	if (order != WEIR_ORDER_KEY)
		standing.much = digest.read + digest.written;
	if (order != WEIR_ORDER_TIME)
		return standing;
	if (!totals->is_untimed)
		standing.much = digest.time;
	if (row->is_channel)
		standing.number |= WAITS;
	return standing;
}

int weir_totals_sort_files(const struct weir_totals *totals,
			   enum weir_totals_order order, uint32_t **ret_numbers)
{
	size_t count = totals->files.count;
	struct standing *all = malloc((count + 1) * sizeof(*all));
	uint32_t *numbers = malloc((count + 1) * sizeof(*numbers));

	if (!all || !numbers) {
		free(all);
		free(numbers);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = standing_of(totals, i, order);
	qsort(all, count, sizeof(*all), by_standing);
	for (size_t i = 0; i < count; i++)
		numbers[i] = all[i].number & ~WAITS;
	free(all);
	*ret_numbers = numbers;
	return 0;
}
