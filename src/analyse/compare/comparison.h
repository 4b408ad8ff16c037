/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences of two runs: all that compare tells. */
#ifndef WEIR_COMPARE_COMPARISON_H
#define WEIR_COMPARE_COMPARISON_H

#include "analyse/compare/pairing.h"
#include "analyse/findings/findings.h"

/* One of the two; all is borrowed. */
struct weir_compare_run {
	const char *path;
	const struct weir_reader *reader;
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
};

/* The same figure of both, in nanoseconds where it is a time. */
struct weir_figure {
	uint64_t of[2];
};

/* What may be noise is no change. */
#define WEIR_COMPARE_LEAST_TIME UINT64_C(1000000)

/* What belongs together in both runs: a layer, a class, files, processes. */
struct weir_compare_row {
	struct weir_figure time;
	struct weir_figure whole; /* of layers: with what is below */
	struct weir_figure calls, read, written;
	struct weir_figure bytes; /* of classes: what calls moved */
	enum weir_pairing_how how;
	uint32_t key[2];     /* number of the first, where it has members */
	uint32_t members[2]; /* files or processes */
	uint8_t is_channel;
};

/* So many files have a row at most, those whose time changed most. */
#define WEIR_COMPARE_FILES (UINT32_C(128) << 10)

struct weir_compare_rows {
	struct weir_compare_row *list; /* the largest change of time first */
	size_t count;
	/* Also of files that have no row: */
	uint64_t changes;      /* rows whose time changed */
	uint64_t only[2];      /* what one run has alone, */
	uint64_t only_time[2]; /* and its time there */
};

enum weir_compare_state {
	WEIR_FINDING_GONE,
	WEIR_FINDING_NEW,
	WEIR_FINDING_STILL,
	WEIR_FINDING_UNKNOWN, /* of the other run only sums are known */
};

struct weir_compare_finding {
	enum weir_compare_state state;
	const struct weir_finding *of[2]; /* NULL: not found there */
	struct weir_figure saving;
};

/* What the two runs are in one figure each. */
enum weir_figure_of_run {
	WEIR_FIGURE_SPAN,    /* from the first call to the last */
	WEIR_FIGURE_SLOWEST, /* in I/O, of the process that was so longest */
	WEIR_FIGURE_TIME,    /* in I/O, of all processes */
	WEIR_FIGURE_READ,
	WEIR_FIGURE_WRITTEN,
	WEIR_FIGURE_CALLS,
	WEIR_FIGURE_FAILED,
	WEIR_FIGURE_FILES,
	WEIR_FIGURE_PROCESSES,
	WEIR_FIGURE_THREADS,
	WEIR_FIGURE_COUNT,
};

enum weir_compare_unit { WEIR_UNIT_TIME, WEIR_UNIT_BYTES, WEIR_UNIT_COUNT };

struct weir_compare_measure {
	const char *id, *title;
	enum weir_compare_unit unit;
};

extern const struct weir_compare_measure
	weir_comparison_measures[WEIR_FIGURE_COUNT];

/* Zero it to begin. */
struct weir_compare {
	const struct weir_compare_run *runs; /* two, borrowed */
	uint64_t least; /* per cent; smaller differences are no changes */
	int of_all_calls; /* times count calls within calls: see below */
	struct weir_figure figures[WEIR_FIGURE_COUNT];
	struct weir_compare_row layers[WEIR_CALLVIEW_LAYERS];
	/* What calls of each layer did, with what they called. */
	struct weir_compare_row classes[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
	struct weir_compare_rows files, processes;
	struct weir_compare_row others; /* files without a row, all in one */
	struct weir_compare_finding findings[WEIR_RULE_COUNT];
	size_t finding_count;
};

/* How far apart both are. */
static inline uint64_t weir_comparison_distance(const struct weir_figure *f)
{
	return f->of[0] > f->of[1] ? f->of[0] - f->of[1] :
				     f->of[1] - f->of[0];
}

/* Whether it is more than noise. */
int weir_comparison_changed(const struct weir_compare *compare,
			    const struct weir_figure *figure,
			    enum weir_compare_unit unit);

/*
 * Whether the time in I/O grew by more than so many per cent and more than
 * noise: that of the slowest process, or that of all of them where there are
 * as many in both.
 */
int weir_comparison_grew(const struct weir_compare *compare, uint64_t percent);

const char *weir_comparison_state_name(enum weir_compare_state state);

#endif
