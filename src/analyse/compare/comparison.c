/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences of two runs: all that compare tells. */
#include "analyse/compare/comparison.h"

const struct weir_compare_measure weir_comparison_measures[] = {
	[WEIR_FIGURE_SPAN] = { "span", "first call to last", WEIR_UNIT_TIME },
	[WEIR_FIGURE_SLOWEST] = { "slowest", "in I/O, slowest",
				   WEIR_UNIT_TIME },
	[WEIR_FIGURE_TIME] = { "time", "in I/O, all", WEIR_UNIT_TIME },
	[WEIR_FIGURE_READ] = { "read", "read", WEIR_UNIT_BYTES },
	[WEIR_FIGURE_WRITTEN] = { "written", "written", WEIR_UNIT_BYTES },
	[WEIR_FIGURE_CALLS] = { "calls", "calls", WEIR_UNIT_COUNT },
	[WEIR_FIGURE_FAILED] = { "failed", "calls that failed",
				  WEIR_UNIT_COUNT },
	[WEIR_FIGURE_FILES] = { "files", "files", WEIR_UNIT_COUNT },
	[WEIR_FIGURE_PROCESSES] = { "processes", "processes",
				     WEIR_UNIT_COUNT },
	[WEIR_FIGURE_THREADS] = { "threads", "threads", WEIR_UNIT_COUNT },
};

const char *weir_comparison_state_name(enum weir_compare_state state)
{
	static const char *const names[] = {
		[WEIR_FINDING_GONE] = "gone",
		[WEIR_FINDING_NEW] = "new",
		[WEIR_FINDING_STILL] = "still",
		[WEIR_FINDING_UNKNOWN] = "unknown",
	};

	return names[state];
}

int weir_comparison_changed(const struct weir_compare *compare,
			 const struct weir_figure *figure,
			 enum weir_compare_unit unit)
{
	uint64_t apart = weir_comparison_distance(figure);

	if (!apart ||
	    (unit == WEIR_UNIT_TIME && apart < WEIR_COMPARE_LEAST_TIME))
		return 0;
	return (double)apart * 100 >=
	       (double)figure->of[0] * (double)compare->least;
}

static int grew(const struct weir_figure *figure, uint64_t percent)
{
	return figure->of[1] > figure->of[0] &&
	       weir_comparison_distance(figure) >= WEIR_COMPARE_LEAST_TIME &&
	       (double)weir_comparison_distance(figure) * 100 >
		       (double)figure->of[0] * (double)percent;
}

int weir_comparison_grew(const struct weir_compare *compare, uint64_t percent)
{
	const struct weir_figure *figures = compare->figures;

	return grew(&figures[WEIR_FIGURE_SLOWEST], percent) ||
	       (!weir_comparison_distance(&figures[WEIR_FIGURE_PROCESSES]) &&
		grew(&figures[WEIR_FIGURE_TIME], percent));
}
