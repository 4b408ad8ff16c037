/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a report tells: sums over a trace, with calls or with sums in it. */
#include "analyse/totals.h"

#include "analyse/profile.h"
#include "base/hash.h"
#include "trace/select.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* While totals are gathered. */
struct gathering {
	struct weir_totals *totals;
	struct weir_reader *reader;
	const struct weir_totals_filter *filter;
	uint32_t *number_of; /* the reader's names to ours + 1; NO: unwanted */
	struct weir_map seen; /* file and process */
	struct weir_map ends; /* where the last such call ended, + 1 */
};

#define NO UINT32_MAX

void weir_totals_fini(struct weir_totals *totals)
{
	weir_names_fini(&totals->names);
	weir_ledger_fini(&totals->files);
	weir_ledger_fini(&totals->processes);
	weir_row_fini(&totals->others);
	weir_row_fini(&totals->total);
	free(totals->calls);
	free(totals->classes);
	*totals = (struct weir_totals){ 0 };
}

/* Our number of a name; NO when nobody wants it, 0 for no name. */
static int number_name(struct gathering *g, const char *name, size_t len,
		       uint32_t *ret_number)
{
	int err;

	*ret_number = 0;
	if (!name) {
		*ret_number = g->filter->file ? NO : 0;
		return 0;
	}
	err = weir_names_add(&g->totals->names, name, len, ret_number);
	if (err || !g->filter->file)
		return err;
	name = weir_names_get(&g->totals->names, *ret_number, &len);
	if (fnmatch(g->filter->file, name, 0))
		*ret_number = NO;
	return 0;
}

/* The same for a number of the reader, looked up once for each. */
static int number_file(struct gathering *g, uint32_t file,
		       uint32_t *ret_number)
{
	uint32_t number = 0;
	const char *name;
	size_t len = 0;
	int err;

	if (file > weir_reader_names(g->reader))
		file = 0;
	if (!g->number_of[file]) {
		name = weir_reader_name(g->reader, file, &len);
		err = number_name(g, name, len, &number);
		if (err)
			return err;
		g->number_of[file] = number == NO ? NO : number + 1;
	}
	number = g->number_of[file];
	*ret_number = number == NO ? NO : number - 1;
	return 0;
}

/* The call's description is kept for who prints it. */
static void meet_call(struct gathering *g, uint32_t proc, uint16_t call)
{
	struct weir_event event = { .proc = proc, .call = call };

	const struct weir_call **known = &g->totals->calls[call];

	if (*known)
		return;
	*known = weir_reader_call(g->reader, &event);
	g->totals->classes[call] = (uint8_t)weir_callclass_of(*known);
}

/* A process counts once for a file. */
static int note_process(struct gathering *g, struct weir_row *row,
			uint32_t proc)
{
	uint64_t key = row->key << 32 | proc;

	if (weir_map_get(&g->seen, key))
		return 0;
	row->processes++;
	return weir_map_put(&g->seen, key, 1);
}

/* One call, to the rows of its file and of its process. */
static int add_call(struct gathering *g, const struct weir_event *event,
		    uint32_t file, const struct weir_cell *cell,
		    uint64_t start)
{
	struct weir_totals *f = g->totals;
	struct weir_row *rows[] = {
		weir_ledger_row(&f->files, file),
		weir_ledger_row(&f->processes, event->proc),
	};

	for (int i = 0; i < 2; i++) {
		struct weir_cell *to =
			rows[i] ? weir_row_cell(rows[i], event->call) : NULL;

		if (!to)
			return -ENOMEM;
		weir_cell_merge(to, cell);
		weir_row_span(rows[i], start, start + event->dur);
	}
	meet_call(g, event->proc, event->call);
	return note_process(g, rows[0], event->proc);
}

/* How it lies to the call before by the same thread on the same handle. */
static int add_place(struct gathering *g, const struct weir_event *event,
		     struct weir_cell *cell)
{
	uint32_t who[] = { event->proc, event->thread, event->call,
			   event->handle };
	uint64_t key = weir_hash_bytes(who, sizeof(who));
	uint64_t before = weir_map_get(&g->ends, key);

	if (event->flags & (WEIR_EVENT_NOOFF | WEIR_EVENT_FAILED))
		return 0;
	if (before)
		weir_cell_add_place(cell, (uint64_t)event->off, before - 1);
	return weir_map_put(&g->ends, key, weir_cell_end(event) + 1 ?: 1);
}

/* What a killed process left of its sums: times are ticks there. */
static int add_sum(struct gathering *g, const struct weir_event *event,
		   uint32_t file)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(g->reader, event->proc);
	struct weir_event call = *event;
	struct weir_cell cell = { 0 };
	struct weir_sum sum;

	if (event->detail_len != sizeof(sum))
		return 0;
	memcpy(&sum, event->detail, sizeof(sum));
	if ((uint16_t)sum.key >= WEIR_NOTE_FIRST)
		return 0;
	g->totals->has_sums = 1;
	weir_cell_add_sum(&cell, &sum);
	weir_cell_scale(&cell, node ? node->mult : UINT64_C(1) << 32);
	call.call = (uint16_t)sum.key;
	return add_call(g, &call, file, &cell,
			sum.first ? weir_reader_real(g->reader, event) : 0);
}

static int add_event(struct gathering *g, const struct weir_event *event)
{
	struct weir_cell cell = { 0 };
	uint32_t file = 0;
	int err;

	if (event->call >= WEIR_NOTE_FIRST && event->call != WEIR_NOTE_SUM)
		return 0;
	err = number_file(g, event->file, &file);
	if (err || file == NO)
		return err;
	if (event->call == WEIR_NOTE_SUM)
		return add_sum(g, event, file);
	if (event->flags & WEIR_EVENT_ENTERED) {
		g->totals->entered++;
		return 0;
	}
	weir_cell_add_event(&cell, event);
	err = add_place(g, event, &cell);
	return err ? err : add_call(g, event, file, &cell,
				    weir_reader_real(g->reader, event));
}

/* A row as it is in the file, in nanoseconds of the common clock. */
static void scale_row(const struct weir_nodeinfo *node, struct weir_row *row)
{
	for (uint32_t i = 0; i < row->count; i++)
		weir_cell_scale(&row->entries[i].cell, node->mult);
	if (!row->first)
		return;
	row->first = weir_nodeinfo_mono(node, row->first) - node->mono0 +
		     node->real0;
	row->last = weir_nodeinfo_mono(node, row->last) - node->mono0 +
		    node->real0;
}

static int add_row(struct gathering *g, uint32_t proc,
		   struct weir_profile_row *from)
{
	struct weir_totals *f = g->totals;
	struct weir_row *file = &f->others, *process;
	uint32_t number = 0;
	int err = 0;

	scale_row(weir_reader_node_of(g->reader, proc), &from->row);
	for (uint32_t i = 0; i < from->row.count; i++)
		meet_call(g, proc, from->row.entries[i].call);
	if (from->kind != WEIR_PROFILE_OTHERS)
		err = number_name(g, from->name, from->name_len, &number);
	else if (g->filter->file)
		return 0;
	if (err || number == NO)
		return err;
	if (from->kind != WEIR_PROFILE_OTHERS)
		file = weir_ledger_row(&f->files, number);
	process = weir_ledger_row(&f->processes, proc);
	if (!file || !process)
		return -ENOMEM;
	f->folded += from->names;
	err = weir_row_merge(file, &from->row);
	err = err ? err : weir_row_merge(process, &from->row);
	return err ? err : note_process(g, file, proc);
}

static int add_profile(struct gathering *g, uint32_t proc,
		       const struct weir_bytes *payload)
{
	struct weir_profile_walk walk = { payload->data, payload->used };
	struct weir_profile_row row;
	int more, err = 0;

	g->totals->has_sums = 1;
	while (!err && (more = weir_profile_next(&walk, &row)) > 0) {
		err = add_row(g, proc, &row);
		weir_row_fini(&row.row);
	}
	if (!err && more == -EBADMSG)
		weir_reader_note_damage(g->reader);
	return err ? err : more == -EBADMSG ? 0 : more;
}

static int read_all(struct gathering *g)
{
	struct weir_bytes payload = { 0 };
	struct weir_event event;
	int more = 0, err = 0;

	for (uint32_t i = 0; !err && i < 2 * weir_reader_processes(g->reader);
	     i++) {
		more = weir_reader_profile(g->reader, i / 2 + 1, i % 2,
					   &payload);
		err = more > 0 ? add_profile(g, i / 2 + 1, &payload) : more;
	}
	weir_bytes_fini(&payload);
	while (!err && (more = weir_reader_next(g->reader, &event)) > 0)
		err = add_event(g, &event);
	return err ? err : more;
}

/* What is true of all rows together. */
static int conclude(struct gathering *g)
{
	struct weir_totals *f = g->totals;
	int err = 0;

	for (size_t i = 0; !err && i < f->processes.count; i++) {
		struct weir_row *row = &f->processes.rows[i];
		const struct weir_procinfo *process =
			weir_reader_process(g->reader, (uint32_t)row->key);

		err = weir_row_merge(&f->total, row);
		for (size_t t = 0; process && t < process->thread_count; t++)
			f->threads += !process->threads[t].level;
	}
	weir_reader_losses(g->reader, &f->losses);
	return err;
}

int weir_totals_gather(struct weir_totals *totals,
			 struct weir_reader *reader,
			 const struct weir_totals_filter *filter)
{
	struct gathering g = {
		.totals = totals,
		.reader = reader,
		.filter = filter,
	};
	int err = -ENOMEM;

	totals->others.key = NO;
	totals->calls = calloc(UINT16_MAX + 1, sizeof(*totals->calls));
	totals->classes = calloc(UINT16_MAX + 1, 1);
	g.number_of = calloc((size_t)weir_reader_names(reader) + 1,
			     sizeof(*g.number_of));
	if (totals->calls && totals->classes && g.number_of) {
		if (filter->process)
			weir_select_process(reader, filter->process);
		err = read_all(&g);
	}
	err = err ? err : conclude(&g);
	free(g.number_of);
	weir_map_fini(&g.seen);
	weir_map_fini(&g.ends);
	return err;
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

static int is_of_layer(const struct weir_call *call, const char *layer)
{
	return !layer || (call && call->layer && !strcmp(call->layer, layer));
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
		if (class == WEIR_CLASS_READ || class == WEIR_CLASS_GET)
			digest.read += cell->bytes;
		if (class == WEIR_CLASS_WRITE || class == WEIR_CLASS_PUT)
			digest.written += cell->bytes;
	}
	return digest;
}

struct weir_digest weir_totals_digest(const struct weir_totals *totals,
					const struct weir_row *row)
{
	return weir_totals_layer_digest(totals, row, NULL);
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

static int by_time(const void *left, const void *right)
{
	const struct weir_digest *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return by_key(left, right);
}

static int by_bytes(const void *left, const void *right)
{
	const struct weir_digest *a = left, *b = right;
	uint64_t moved_a = a->read + a->written, moved_b = b->read + b->written;

	if (moved_a != moved_b)
		return moved_a < moved_b ? 1 : -1;
	return by_key(left, right);
}

int weir_totals_sort(const struct weir_totals *totals,
		       const struct weir_ledger *ledger,
		       enum weir_totals_order order,
		       struct weir_digest **ret_digests)
{
	static int (*const orders[])(const void *, const void *) = {
		[WEIR_ORDER_TIME] = by_time,
		[WEIR_ORDER_BYTES] = by_bytes,
		[WEIR_ORDER_KEY] = by_key,
	};
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
