/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the clock of one host is from that of the whole trace. */
#include "trace/clockfix.h"

#include <stdbool.h>
#include <stdio.h>

/* A century: what is further is no measurement. */
#define FARTHEST (INT64_C(3155760000) * 1000000000)

/* 1, or 0 when the process does not tell it, or no such thing. */
static uint32_t read_point(const struct weir_procinfo *process,
			   const char *key, struct weir_clockfix_point *ret)
{
	const char *text = weir_procinfo_tells(process, key);
	unsigned long long mono, error;
	long long ahead;
	char rest;

	if (!text || sscanf(text, "%llu %lld %llu%c", &mono, &ahead, &error,
			    &rest) != 3)
		return 0;
	if (ahead > FARTHEST || ahead < -FARTHEST || error > FARTHEST)
		return 0;
	*ret = (struct weir_clockfix_point){
		.mono = mono, .ahead = ahead, .error = error };
	return 1;
}

/* No clock drifts so much that time would stand still or run twice as fast. */
static bool is_even(const struct weir_clockfix *fix)
{
	uint64_t span = fix->points[1].mono - fix->points[0].mono;
	int64_t drift = fix->points[1].ahead - fix->points[0].ahead;

	return fix->points[1].mono > fix->points[0].mono &&
	       (uint64_t)(drift < 0 ? -drift : drift) <= span / 2;
}

void weir_clockfix_take(struct weir_clockfix *fix,
			const struct weir_procinfo *process)
{
	struct weir_clockfix found = { 0 };

	found.count = read_point(process, WEIR_CLOCKFIX_BEGIN,
				 &found.points[0]);
	if (!found.count)
		return;
	found.count += read_point(process, WEIR_CLOCKFIX_END,
				  &found.points[1]);
	if (found.count == 2 && !is_even(&found))
		found.count = 1;
	*fix = found;
}

int64_t weir_clockfix_ahead(const struct weir_clockfix *fix, uint64_t mono)
{
	__extension__ typedef __int128 wide;
	const struct weir_clockfix_point *first = &fix->points[0];
	const struct weir_clockfix_point *last = &fix->points[1];
	wide drift;

	if (fix->count < 2)
		return fix->count ? first->ahead : 0;
	if (mono <= first->mono)
		return first->ahead;
	if (mono >= last->mono)
		return last->ahead;
	drift = (wide)(last->ahead - first->ahead) * (mono - first->mono);
	return first->ahead + (int64_t)(drift / (last->mono - first->mono));
}

uint64_t weir_clockfix_error(const struct weir_clockfix *fix)
{
	uint64_t error = fix->count ? fix->points[0].error : 0;

	if (fix->count == 2 && fix->points[1].error > error)
		error = fix->points[1].error;
	return error;
}
