/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects the clock of one host to that of the whole trace. */
#include "trace/facts/clockfix.h"

#include <stdio.h>

/* A century: what is further is no measurement. */
#define FARTHEST (INT64_C(3155760000) * 1000000000)

/* A point that could not be read has no error: it is not there. */
#define NOT_THERE UINT64_MAX

static void read_point(const struct weir_props_line *line,
		       struct weir_clockfix_point *to)
{
	unsigned long long mono, error;
	long long ahead;
	char text[96], rest;

	to->error = NOT_THERE;
	weir_props_value(line, text, sizeof(text));
	if (sscanf(text, "%llu %lld %llu%c", &mono, &ahead, &error, &rest) != 3)
		return;
	if (ahead > FARTHEST || ahead < -FARTHEST || error > FARTHEST)
		return;
	*to = (struct weir_clockfix_point){
		.mono = mono, .ahead = ahead, .error = error };
}

void weir_clockfix_read(struct weir_clockfix *fix,
			const struct weir_props_line *line)
{
	if (weir_props_is(line, WEIR_CLOCKFIX_OF) &&
	    weir_props_number(line, &fix->of))
		fix->of = 0;
	if (weir_props_is(line, WEIR_CLOCKFIX_BEGIN)) {
		read_point(line, &fix->points[0]);
		fix->count |= 1;
	}
	if (weir_props_is(line, WEIR_CLOCKFIX_END)) {
		read_point(line, &fix->points[1]);
		fix->count |= 2;
	}
}

/* No clock drifts so much that time would stand still or run twice as fast. */
static bool is_even(const struct weir_clockfix *fix)
{
	uint64_t span = fix->points[1].mono - fix->points[0].mono;
	int64_t drift = fix->points[1].ahead - fix->points[0].ahead;

	return fix->points[1].mono > fix->points[0].mono &&
	       (uint64_t)(drift < 0 ? -drift : drift) <= span / 2;
}

/* Until now the count was of bits: which lines have been seen. */
void weir_clockfix_settle(struct weir_clockfix *fix)
{
	bool has_end = fix->count & 2 && fix->points[1].error != NOT_THERE;

	if (!fix->of || !(fix->count & 1) || fix->points[0].error == NOT_THERE)
		*fix = (struct weir_clockfix){ 0 };
	else
		fix->count = has_end && is_even(fix) ? 2 : 1;
}

static int put_point(struct weir_props *props, const char *key,
		     const struct weir_clockfix_point *point)
{
	char text[80];

	snprintf(text, sizeof(text), "%llu %lld %llu",
		 (unsigned long long)point->mono, (long long)point->ahead,
		 (unsigned long long)point->error);
	return weir_props_add_text(props, key, text);
}

int weir_clockfix_put(const struct weir_clockfix *fix,
		      struct weir_props *props)
{
	int err = 0;

	if (!fix->count)
		return 0;
	err = weir_props_add_number(props, WEIR_CLOCKFIX_OF, fix->of);
	err = err ?: put_point(props, WEIR_CLOCKFIX_BEGIN, &fix->points[0]);
	if (!err && fix->count > 1)
		err = put_point(props, WEIR_CLOCKFIX_END, &fix->points[1]);
	return err;
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

void weir_clockfix_bind(struct weir_clockfix_bound *bound,
			const struct weir_clockfix *fix)
{
	uint64_t error = weir_clockfix_error(fix);

	if (!fix->count || (bound->of && bound->of != fix->of))
		bound->apart = true;
	bound->of = fix->of;
	if (error >= bound->largest) {
		bound->second = bound->largest;
		bound->largest = error;
	} else if (error > bound->second) {
		bound->second = error;
	}
}

/* Two may be wrong in opposite directions. */
bool weir_clockfix_within(const struct weir_clockfix_bound *bound,
			  uint64_t *ret_error)
{
	if (bound->apart || !bound->of)
		return false;
	*ret_error = bound->largest + bound->second;
	return true;
}
