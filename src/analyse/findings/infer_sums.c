/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws clues from sums of one process on one file, where calls were not
 * recorded: what kinds of calls, how large, how many go on where one ended.
 */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

#define MUCH (UINT64_C(1) << 20) /* worth a sync, or an open, of its own */

/* Classes of sizes: to 100, 1 KiB, 10 KiB. */
#define TINY_SIZES  2
#define SMALL_SIZES 3
#define PAGE_SIZES  2 /* the class that holds pieces of a page */

/* What is added up of a row. */
struct kinds {
	struct weir_cell classes[WEIR_CLASS_COUNT]; /* of the system's calls */
	int by_library; /* MPI-IO, HDF5 or the like have the file */
	int is_renamed; /* or removed: it may be another file each time */
	uint64_t calls;
};

static struct kinds look_at_row(const struct weir_row *row,
				const struct weir_callviews *views)
{
	struct kinds kinds = { .calls = 0 };

	for (uint32_t i = 0; i < row->count; i++) {
		uint16_t id = row->entries[i].call;
		const struct weir_call *call = weir_callviews_call(views, id);
		uint8_t layer = call ? weir_callviews_layer_of(call) :
				       (uint8_t)WEIR_CALLVIEW_OTHER;

		kinds.is_renamed |=
			(weir_callviews_marks_on(views, id, false) &
			 (WEIR_CALLVIEW_REMOVES | WEIR_CALLVIEW_RENAMES)) != 0;
		kinds.by_library |= layer > WEIR_CALLVIEW_ASYNC;
		if (layer > WEIR_CALLVIEW_STDIO)
			continue;
		weir_cell_merge(&kinds.classes[weir_callviews_class(views, id)],
				&row->entries[i].cell);
		kinds.calls += row->entries[i].cell.calls;
	}
	return kinds;
}

/* Those of a cell that are so small, and so much of it as go on. */
static uint64_t count_sizes(const struct weir_cell *cell, unsigned from,
			    unsigned to)
{
	uint64_t count = 0;

	for (unsigned i = from; i < to; i++)
		count += cell->sizes[i];
	return count < cell->calls ? count : cell->calls;
}

static uint64_t count_followed(const struct weir_cell *cell, uint64_t count)
{
	return weir_arith_part(count, cell->follow, cell->placed);
}

/* One clue, and the time and bytes of so many of the calls in a cell. */
static int add_cell(struct weir_clues *clues, struct weir_clue clue,
		    const struct weir_cell *cell, uint64_t bytes)
{
	static const struct weir_rates none;

	clue.from_sums = 1;
	clue.of = cell->calls;
	clue.bytes = bytes;
	clue.time = weir_arith_part(cell->time, clue.count, cell->calls);
	clue.saving = weir_arith_less(
		clue.time, weir_infer_cost(&none, WEIR_CALLVIEW_POSIX,
					   WEIR_CLASS_WRITE, bytes));
	return clue.count ? weir_clues_add(clues, &clue) : 0;
}

/* Most calls are small: so many bytes at most are theirs. */
static int infer_small(const struct weir_cell *cell, struct weir_clue clue,
		       struct weir_clues *clues)
{
	uint64_t small = count_sizes(cell, 0, SMALL_SIZES);

	if (small * 2 < cell->calls)
		return 0;
	clue.count = count_followed(cell, small);
	return add_cell(clues, clue, cell,
			weir_arith_part(cell->bytes, clue.count, cell->calls));
}

static int infer_streams(const struct weir_cell *cell, struct weir_clue clue,
			 int drains, struct weir_clues *clues)
{
	uint64_t pages = count_sizes(cell, PAGE_SIZES, PAGE_SIZES + 1);
	int err = 0;

	clue.rule = WEIR_RULE_STREAM_BUFFERS;
	clue.count = count_followed(cell, pages);
	err = add_cell(clues, clue, cell, clue.count * WEIR_FLOW_PAGE);
	if (err || !drains)
		return err;
	clue.rule = WEIR_RULE_FLUSHED_STREAMS;
	clue.count = count_sizes(cell, 0, TINY_SIZES);
	return add_cell(clues, clue, cell, 0);
}

/* All but one could go, if not much is done between them. */
static int infer_again(const struct kinds *kinds, struct weir_clue clue,
		       enum weir_callclass class, struct weir_clues *clues)
{
	struct weir_cell cell = kinds->classes[class];
	uint64_t calls = weir_arith_less(cell.calls, cell.failed);
	uint64_t moved = kinds->classes[WEIR_CLASS_WRITE].bytes +
			 kinds->classes[WEIR_CLASS_DRAIN].bytes;

	if (class == WEIR_CLASS_OPEN) {
		moved += kinds->classes[WEIR_CLASS_READ].bytes +
			 kinds->classes[WEIR_CLASS_FILL].bytes;
		cell.time += kinds->classes[WEIR_CLASS_CLOSE].time;
	}
	if (calls < 2 || moved / calls >= MUCH)
		return 0;
	clue.count = calls - 1;
	return add_cell(clues, clue, &cell, 0);
}

static int infer_metadata(const struct kinds *kinds, struct weir_clue clue,
			  struct weir_clues *clues)
{
	static const uint8_t classes[] = {
		WEIR_CLASS_OPEN, WEIR_CLASS_CLOSE, WEIR_CLASS_STAT,
		WEIR_CLASS_LIST, WEIR_CLASS_OTHER,
	};

	clue.rule = WEIR_RULE_METADATA_SHARE;
	clue.from_sums = 1;
	clue.of = kinds->calls;
	for (size_t i = 0; i < sizeof(classes); i++) {
		clue.count += kinds->classes[classes[i]].calls;
		clue.time += kinds->classes[classes[i]].time;
	}
	return clue.of ? weir_clues_add(clues, &clue) : 0;
}

int weir_infer_sums(const struct weir_row *row, uint32_t file, uint32_t proc,
		    const struct weir_callviews *views,
		    struct weir_clues *clues)
{
	struct kinds kinds = look_at_row(row, views);
	struct weir_clue clue = { .file = file, .proc = proc };
	const struct weir_cell *cells = kinds.classes;
	int err = infer_metadata(&kinds, clue, clues);

	if (kinds.by_library)
		return err; /* which asks the system in its own way */
	clue.rule = WEIR_RULE_SMALL_READS;
	err = err ?: infer_small(&cells[WEIR_CLASS_READ], clue, clues);
	clue.rule = WEIR_RULE_SMALL_WRITES;
	err = err ?: infer_small(&cells[WEIR_CLASS_WRITE], clue, clues);
	err = err ?: infer_streams(&cells[WEIR_CLASS_FILL], clue, 0, clues);
	err = err ?: infer_streams(&cells[WEIR_CLASS_DRAIN], clue, 1, clues);
	clue.rule = WEIR_RULE_FREQUENT_SYNCS;
	err = err ?: infer_again(&kinds, clue, WEIR_CLASS_SYNC, clues);
	clue.rule = WEIR_RULE_REPEATED_OPENS;
	if (kinds.is_renamed || cells[WEIR_CLASS_MAP].calls)
		return err;
	return err ?: infer_again(&kinds, clue, WEIR_CLASS_OPEN, clues);
}
