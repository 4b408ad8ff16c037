/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a report page does not show. */
#include "report/page/pagelimits.h"

#include "report/output/jsonout.h"

#include <inttypes.h>

struct limits {
	struct weir_text *out;
	int some;
};

/* Words and figures of ours alone: nothing in them is to be escaped. */
static void add_limit(struct limits *limits, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_limit(struct limits *limits, const char *format, ...)
{
	va_list args;

	weir_text_string(limits->out, limits->some ? ",\n\"" : "\n\"");
	va_start(args, format);
	weir_text_format_list(limits->out, format, args);
	va_end(args);
	weir_text_char(limits->out, '"');
	limits->some = 1;
}

/* Sums of a table that grows too large are halved in time until it fits. */
static void say_folds(struct limits *limits,
		      const struct weir_overview *overview)
{
	static const struct {
		enum weir_overview_cube cube;
		const char *what;
	} tables[] = {
		{ WEIR_OVERVIEW_CELLS, "Sums by layer and process" },
		{ WEIR_OVERVIEW_PATHS, "Sums by caller" },
		{ WEIR_OVERVIEW_SIZES, "Sizes" },
		{ WEIR_OVERVIEW_SHARE, "Sums by file" },
		{ WEIR_OVERVIEW_STEPSUM, "Sums by marked step" },
		{ WEIR_OVERVIEW_ACCESS, "Places in files" },
		{ WEIR_OVERVIEW_LATENCY, "Latencies" },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		const struct weir_cube *cube = &overview->cubes[tables[i].cube];
		unsigned folds = weir_overview_folds(tables[i].cube);

		if (cube->folds > folds && !overview->outline->is_timeless)
			add_limit(limits,
				  "%s have %u time steps instead of %u, for "
				  "lack of room.",
				  tables[i].what, WEIR_CUBE_BINS >> cube->folds,
				  WEIR_CUBE_BINS >> folds);
		if (cube->joined)
			add_limit(limits,
				  "%s do not separate processes, for lack of "
				  "room.",
				  tables[i].what);
	}
}

/* What was joined is still in the sums; only its parts cannot be told apart. */
static void say_joined(struct limits *limits,
		       const struct weir_overview *overview)
{
	const struct weir_outline *outline = overview->outline;

	if (outline->per_group > 1)
		add_limit(limits,
			  "%u processes are shown as %u groups of up to %u "
			  "neighbours, by rank.",
			  outline->order_count, weir_outline_groups(outline),
			  outline->per_group);
	if (outline->files_in_all > outline->file_count)
		add_limit(limits,
			  "Of %" PRIu64 " files, %u are shown one by one: "
			  "those that findings name, and those that took "
			  "longest; the others are added up.",
			  outline->files_in_all, outline->file_count);
	if (overview->joined_nodes)
		add_limit(limits,
			  "%" PRId64 " call paths are joined with others.",
			  overview->joined_nodes);
	if (overview->steps_in_all > WEIR_OVERVIEW_STEPS)
		add_limit(limits,
			  "%u marked steps are shown as %u, neighbours "
			  "joined.",
			  overview->steps_in_all, overview->step_count);
	if (overview->lost_steps)
		add_limit(limits,
			  "There are too many marked steps; calls of the "
			  "later ones are not in the sums by step.");
	if (overview->lost_sites)
		add_limit(limits,
			  "There are too many call sites; some calls are "
			  "shown without.");
}

/* Sums are of all calls; whoever counts dots must know that dots are not. */
static void say_sample(struct limits *limits,
		       const struct weir_pagesource *page)
{
	const struct weir_overview *overview = page->overview;
	uint64_t unplaced = 0;

	if (overview->outline->calls > WEIR_SAMPLE_MOST)
		add_limit(limits,
			  "Of %" PRIu64 " calls, %u are shown one by one: "
			  "those that show findings, the slowest of each "
			  "kind and file, and a random sample. Sums include "
			  "all calls.",
			  overview->outline->calls, overview->chosen_count);
	if (overview->outline->calls > WEIR_SAMPLE_MOST &&
	    overview->outline->file_count > WEIR_OUTLINE_PLACED)
		add_limit(limits,
			  "The offsets of all transfers are shown for the %u "
			  "files that took longest.",
			  WEIR_OUTLINE_PLACED);
	for (uint32_t i = 0; i < overview->outline->file_count; i++)
		unplaced += overview->unplaced[i];
	if (unplaced)
		add_limit(limits,
			  "The offsets of %" PRIu64 " transfers are "
			  "unknown.",
			  unplaced);
	if (page->facts->overflowed)
		add_limit(limits,
			  "There are too many pairs of files and processes: "
			  "the order of transfers is not shown, and findings "
			  "cover only a part.");
}

/* What the trace itself lacks comes first: no view of the page can show it. */
static void say_unseen(struct limits *limits,
		       const struct weir_pagesource *page)
{
	const struct weir_totals *totals = &page->facts->totals;
	const struct weir_reader_losses *losses = &totals->losses;
	uint64_t lost = losses->dropped + losses->lost +
			losses->damaged_events;

	if (page->overview->outline->is_timeless)
		add_limit(limits,
			  "This is a profile, with sums instead of calls: "
			  "when calls were made, and which call made which, "
			  "is unknown; there is one time step, and sizes "
			  "have ten classes, shown by their upper ends.");
	if (page->overview->unknown)
		add_limit(limits,
			  "The callers of %" PRIu64 " calls are unknown.",
			  page->overview->unknown);
	if (totals->entered)
		add_limit(limits,
			  "%" PRIu64 " calls never returned; they are in no "
			  "sum.",
			  totals->entered);
	if (lost)
		add_limit(limits,
			  "%" PRIu64 " calls were lost during recording, or "
			  "are in damaged parts of the trace.",
			  lost);
	if (losses->overwritten)
		add_limit(limits,
			  "Only the last calls were kept; %" PRIu64 " were "
			  "overwritten by later ones.",
			  losses->overwritten);
	if (totals->files.count > WEIR_PAGESOURCE_LISTED)
		add_limit(
			limits,
			"The report lists the %u files with the most bytes, of "
			"%zu.",
			WEIR_PAGESOURCE_LISTED, totals->files.count);
	if (totals->processes.count > WEIR_PAGESOURCE_LISTED)
		add_limit(limits,
			  "The report lists the first %u of %zu processes.",
			  WEIR_PAGESOURCE_LISTED, totals->processes.count);
}

void weir_pagelimits_put(const struct weir_pagesource *page,
			 struct weir_text *out)
{
	struct limits limits = { .out = out };

	weir_jsonout_key(out, "limits", 0);
	weir_text_char(out, '[');
	say_unseen(&limits, page);
	say_joined(&limits, page->overview);
	say_folds(&limits, page->overview);
	say_sample(&limits, page);
	weir_text_char(out, ']');
}
