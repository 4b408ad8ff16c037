/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides a run for an overview: time, processes, files. */
#include "analyse/page/outline.h"

#include "analyse/page/cube.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ns, 146 years: what is longer is damaged, and would not fit in sums. */
#define LONGEST (UINT64_C(1) << 62)

void weir_outline_fini(struct weir_outline *outline)
{
	free(outline->order);
	free(outline->group_of);
	free(outline->files);
	weir_map_fini(&outline->file_index);
	weir_map_fini(&outline->evidence);
	*outline = (struct weir_outline){0};
}

uint64_t weir_outline_key(uint32_t proc, uint32_t thread, uint64_t index)
{
	uint64_t what[] = {proc, thread, index};

	return weir_hash_bytes(what, sizeof(what));
}

uint32_t weir_outline_groups(const struct weir_outline *outline)
{
	return (outline->order_count + outline->per_group - 1) /
	       outline->per_group;
}

static uint8_t layer_of(const struct weir_runfacts *facts,
			const struct weir_entry *entry)
{
	return weir_callviews_layer_of(facts->totals.calls[entry->call]);
}

/* Sums have moments too, if no calls have: of the first and the last. */
static void measure_time(struct weir_outline *outline,
			 const struct weir_reader *reader)
{
	const struct weir_row *total = &outline->facts->totals.total;
	uint64_t end = weir_reader_end(reader);

	outline->begin = weir_reader_begin(reader);
	if (!outline->begin || (total->first && total->first < outline->begin))
		outline->begin = total->first;
	end = total->last > end ? total->last : end;
	outline->span = end > outline->begin ? end - outline->begin : 0;
	if (outline->span > LONGEST)
		outline->span = LONGEST;
	outline->width = outline->span / WEIR_CUBE_BINS + 1;
	outline->is_timeless = outline->facts->totals.has_sums;
	outline->calls = outline->facts->totals.entered +
			 outline->facts->totals.behind;
	for (uint32_t i = 0; i < total->count; i++)
		if (!weir_outline_is_note(
			    layer_of(outline->facts, &total->entries[i])))
			outline->calls += total->entries[i].cell.calls;
}

/* A process and its place. */
struct seat {
	uint64_t rank; /* who has none comes last */
	uint32_t proc;
};

static int by_process_rank(const void *left, const void *right)
{
	const struct seat *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->proc > b->proc) - (a->proc < b->proc);
}

static void take_seat(struct seat *seat, const struct weir_reader *reader,
		      uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);

	seat->proc = proc;
	seat->rank = process ? (uint64_t)weir_procinfo_rank(process) :
			       UINT64_MAX;
}

/* Servers make no calls for themselves, and so have no rows. */
static size_t seat_servers(const struct weir_ledger *all,
			   const struct weir_reader *reader, struct seat *seats)
{
	size_t count = 0;

	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_procinfo_is_server(process) &&
		    !weir_ledger_find(all, i))
			take_seat(&seats[count++], reader, i);
	}
	return count;
}

static int find_seats(const struct weir_outline *outline,
		      const struct weir_reader *reader,
		      struct seat **ret_seats, size_t *ret_count)
{
	const struct weir_ledger *all = &outline->facts->totals.processes;
	size_t count = all->count;
	struct seat *seats = calloc(count + weir_reader_processes(reader) + 1,
				    sizeof(*seats));

	if (!seats)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		take_seat(&seats[i], reader, (uint32_t)all->rows[i].key);
	if (outline->facts->totals.behind)
		count += seat_servers(all, reader, seats + count);
	qsort(seats, count, sizeof(*seats), by_process_rank);
	*ret_seats = seats;
	*ret_count = count;
	return 0;
}

static int group_processes(struct weir_outline *outline,
			   const struct weir_reader *reader)
{
	struct seat *seats;
	size_t count;
	int err = find_seats(outline, reader, &seats, &count);

	if (err)
		return err;
	outline->processes = weir_reader_processes(reader);
	outline->order_count = (uint32_t)count;
	outline->per_group = (uint32_t)(count / WEIR_OUTLINE_GROUPS) +
			     (count % WEIR_OUTLINE_GROUPS || !count);
	outline->order = calloc(count + 1, sizeof(*outline->order));
	outline->group_of = calloc((size_t)outline->processes + 1, 1);
	if (!outline->order || !outline->group_of)
		err = -ENOMEM;
	if (!err)
		memset(outline->group_of, WEIR_OUTLINE_NOBODY,
		       (size_t)outline->processes + 1);
	for (uint32_t i = 0; !err && i < count; i++) {
		outline->order[i] = seats[i].proc;
		if (seats[i].proc <= outline->processes)
			outline->group_of[seats[i].proc] =
				(uint8_t)(i / outline->per_group);
	}
	free(seats);
	return err;
}

/* Files that findings name are shown, however little time they took. */
static void mark_told(const struct weir_outline *outline, uint8_t *told)
{
	const struct weir_findings *findings = outline->findings;

	for (size_t i = 0; i < findings->count; i++) {
		const struct weir_finding *f = &findings->list[i];

		for (unsigned k = 0; k < f->top_count; k++)
			told[f->top[k].file] = 1;
	}
}

static uint64_t extent_of(const struct weir_row *row)
{
	uint64_t extent = 0;

	for (uint32_t i = 0; i < row->count; i++)
		if (row->entries[i].cell.top > extent)
			extent = row->entries[i].cell.top;
	return extent;
}

/* Objects are FILE:/PATH, and known to libraries alone. */
static enum weir_outline_kind kind_of(const struct weir_runfacts *facts,
				      const struct weir_row *row)
{
	size_t len = 0;
	const char *name =
		weir_names_get(&facts->totals.names, (uint32_t)row->key, &len);

	if (row->is_channel)
		return WEIR_OUTLINE_CHANNEL;
	if (!name || !strstr(name, ":/"))
		return WEIR_OUTLINE_FILE;
	for (uint32_t i = 0; i < row->count; i++) {
		uint8_t layer = layer_of(facts, &row->entries[i]);

		if (layer != WEIR_CALLVIEW_HDF5 &&
		    layer != WEIR_CALLVIEW_PNETCDF)
			return WEIR_OUTLINE_FILE;
	}
	return WEIR_OUTLINE_OBJECT;
}

static int add_file(struct weir_outline *outline, const struct weir_row *row)
{
	struct weir_outline_file *file = &outline->files[outline->file_count];
	size_t len = 0;
	const char *name = weir_names_get(&outline->facts->totals.names,
					  (uint32_t)row->key, &len);

	if (!name)
		return 0;
	file->number = (uint32_t)row->key;
	file->kind = kind_of(outline->facts, row);
	file->extent = extent_of(row);
	file->unit = file->extent / WEIR_OUTLINE_OFFSETS + 1;
	outline->file_count++;
	return weir_map_put(&outline->file_index, weir_hash_bytes(name, len),
			    outline->file_count);
}

/* All rows in order, and of which kind each is. */
struct listing {
	uint32_t *sorted; /* their numbers */
	uint8_t *kinds;
};

/*
 * Which rows are listed: all that are told of, and of the others those that
 * there is room for, files before objects and channels.
 */
static void choose_rows(const struct weir_outline *outline,
			const struct listing *all, uint8_t *told)
{
	const struct weir_totals *totals = &outline->facts->totals;
	uint32_t count = 0;

	mark_told(outline, told);
	told[0] = 0;
	for (uint32_t i = 1; i <= totals->names.count; i++)
		count += told[i];
	for (int kind = 0; kind < WEIR_OUTLINE_KINDS; kind++) {
		for (size_t i = 0; i < totals->files.count; i++) {
			uint32_t key = weir_stock_key(&totals->files,
						      all->sorted[i]);

			if (count >= WEIR_OUTLINE_FILES)
				return;
			if (!key || told[key] || all->kinds[i] != kind)
				continue;
			told[key] = 1;
			count++;
		}
	}
}

static int list_rows(struct weir_outline *outline, const struct listing *all,
		     const uint8_t *told)
{
	const struct weir_stock *files = &outline->facts->totals.files;
	int err = 0;

	for (int kind = 0; kind < WEIR_OUTLINE_KINDS; kind++) {
		for (size_t i = 0; !err && i < files->count; i++) {
			uint32_t number = all->sorted[i];

			if (told[weir_stock_key(files, number)] &&
			    outline->file_count < WEIR_OUTLINE_FILES &&
			    all->kinds[i] == kind)
				err = add_file(outline,
					       weir_stock_at(files, number));
		}
	}
	return err;
}

/* Those that took most time first. */
static int make_listing(const struct weir_runfacts *facts,
			struct listing *ret_all)
{
	const struct weir_stock *files = &facts->totals.files;
	struct listing all = { .kinds = malloc(files->count + 1) };
	int err = all.kinds ? weir_totals_sort_files(&facts->totals,
						     WEIR_ORDER_TIME,
						     &all.sorted) : -ENOMEM;

	if (err) {
		free(all.kinds);
		return err;
	}
	for (size_t i = 0; i < files->count; i++)
		all.kinds[i] = (uint8_t)kind_of(
			facts, weir_stock_at(files, all.sorted[i]));
	*ret_all = all;
	return 0;
}

static int choose_files(struct weir_outline *outline)
{
	const struct weir_totals *totals = &outline->facts->totals;
	uint8_t *told = calloc((size_t)totals->names.count + 2, 1);
	struct listing all = { 0 };
	int err = told ? make_listing(outline->facts, &all) : -ENOMEM;

	outline->files = calloc(WEIR_OUTLINE_FILES, sizeof(*outline->files));
	if (!outline->files)
		err = -ENOMEM;
	if (!err) {
		choose_rows(outline, &all, told);
		err = list_rows(outline, &all, told);
	}
	outline->files_in_all += weir_stock_files(&totals->files) +
				 totals->folded;
	free(all.sorted);
	free(all.kinds);
	free(told);
	return err;
}

uint32_t weir_outline_file(const struct weir_outline *outline, const char *name,
			   size_t len)
{
	const char *known;
	size_t known_len = 0;
	uint64_t at;

	if (!name)
		return weir_outline_none(outline);
	at = weir_map_get(&outline->file_index, weir_hash_bytes(name, len));
	if (!at)
		return weir_outline_others(outline);
	/* Names are anybody's, and may have been made to collide. */
	known = weir_names_get(&outline->facts->totals.names,
			       outline->files[at - 1].number, &known_len);
	return known_len == len && !memcmp(known, name, len)
		       ? (uint32_t)at - 1
		       : weir_outline_others(outline);
}

static int note_evidence(struct weir_outline *outline)
{
	int err = 0;

	for (size_t i = 0; i < outline->findings->count; i++) {
		const struct weir_finding *f = &outline->findings->list[i];

		for (unsigned k = 0; !err && k < f->evidence_count; k++) {
			const struct weir_witness *w = &f->evidence[k];

			err = weir_map_put(
				&outline->evidence,
				weir_outline_key(w->proc, w->thread, w->index),
				1);
		}
	}
	return err;
}

int weir_outline_init(struct weir_outline *outline,
		      const struct weir_reader *reader,
		      const struct weir_runfacts *facts,
		      const struct weir_findings *findings)
{
	int err;

	*outline = (struct weir_outline){.facts = facts, .findings = findings};
	measure_time(outline, reader);
	err = group_processes(outline, reader);
	err = err ? err : choose_files(outline);
	err = err ? err : note_evidence(outline);
	if (err)
		weir_outline_fini(outline);
	return err;
}
