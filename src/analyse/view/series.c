/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up bytes or requests by time step, and by who moved them. */
#include "analyse/view/series.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The least of 1, 2, 5, 10, 20 .. of which `most` reach beyond `span`. */
static uint64_t round_step(uint64_t span, uint64_t most)
{
	static const uint64_t heads[] = { 1, 2, 5 };

	for (uint64_t power = 1; power <= UINT64_MAX / 50; power *= 10)
		for (int i = 0; i < 3; i++)
			if (span / (heads[i] * power) < most)
				return heads[i] * power;
	return UINT64_MAX;
}

/* Rows come in doubling portions; what is new is nothing. */
static int make_rows(struct weir_series *series, uint64_t rows,
		     uint64_t *room)
{
	uint64_t width = (uint64_t)series->who.count * 2;
	size_t more = *room;

	if (rows > WEIR_SERIES_CELLS / series->who.count)
		return -E2BIG;
	series->rows = (uint32_t)rows;
	if (rows <= *room)
		return 0;
	if (weir_grow_zeroed((void **)&series->cells, rows, &more,
			     width * sizeof(*series->cells)))
		return -ENOMEM;
	*room = more;
	return 0;
}

/* The time that is asked for, as far as anything happened in it. */
static int plan_steps(struct weir_series *series,
		      const struct weir_traffic *traffic,
		      const struct weir_series_wish *wish, uint64_t *room)
{
	const struct weir_traffic_choice *choice = &traffic->choice;
	uint64_t end = weir_reader_end(traffic->reader) -
		       weir_reader_begin(traffic->reader);
	uint64_t span;

	if (choice->to <= end)
		end = choice->to - !!choice->to;
	span = end > choice->from ? end - choice->from : 0;
	series->from = choice->from;
	series->step = wish->step ? wish->step :
				    round_step(span, wish->steps);
	if (!weir_reader_begin(traffic->reader))
		return 0; /* an empty trace has no steps */
	return make_rows(series, span / series->step + 1, room);
}

static uint32_t row_of(const struct weir_series *series,
		       const struct weir_traffic_item *item)
{
	uint64_t row;

	if (series->by_marks)
		return weir_marksteps_row(&series->marks, item->event.proc);
	row = (item->start - series->from) / series->step;
	return row < series->rows ? (uint32_t)row : series->rows - 1;
}

static int add_request(struct weir_series *series,
		       struct weir_traffic *traffic,
		       const struct weir_traffic_item *item)
{
	uint64_t group = weir_who_of(&series->who, item->event.proc);
	uint64_t cell = ((uint64_t)row_of(series, item) * series->who.count +
			 group) * 2;

	for (int way = 0; series->rows && way < 2; way++) {
		if (!(item->ways & 1 << way))
			continue;
		series->cells[cell + (uint64_t)way] +=
			series->of_calls ? 1 : item->bytes;
		if (item->open)
			return weir_traffic_tag(traffic,
						cell + (uint64_t)way + 1);
	}
	return 0;
}

static int take_item(struct weir_series *series, struct weir_traffic *traffic,
		     const struct weir_traffic_item *item, uint64_t *room)
{
	int err;

	switch (item->kind) {
	case WEIR_TRAFFIC_REQUEST:
		return add_request(series, traffic, item);
	case WEIR_TRAFFIC_END:
		if (!series->of_calls)
			series->cells[item->tag - 1] += item->bytes;
		return 0;
	case WEIR_TRAFFIC_MARK:
		err = weir_marksteps_take(&series->marks, &item->event,
					  item->call, item->start);
		return err ? err :
			     make_rows(series, series->marks.count, room);
	default:
		return 0;
	}
}

/* Ranks and hosts that were idle tell something; processes do not. */
static int choose_shown(struct weir_series *series, int all)
{
	uint32_t groups = series->who.count;

	series->shown = calloc(groups, sizeof(*series->shown));
	if (!series->shown)
		return -ENOMEM;
	for (uint32_t group = 0; group < groups; group++) {
		int busy = all && (series->who.by != WEIR_WHO_RANK ||
				   series->who.groups[group].rank >= 0);

		for (uint32_t row = 0; !busy && row < series->rows; row++)
			busy = weir_series_at(series, row, group, 0) ||
			       weir_series_at(series, row, group, 1);
		if (busy)
			series->shown[series->shown_count++] = group;
	}
	return 0;
}

static int start_series(struct weir_series *series,
			struct weir_traffic *traffic,
			const struct weir_series_wish *wish, uint64_t *room)
{
	int err;

	*series = (struct weir_series){ .by_marks = wish->marks,
					.of_calls = wish->calls };
	err = weir_who_init(&series->who, traffic->reader, wish->by);
	if (err || !wish->marks)
		return err ? err : plan_steps(series, traffic, wish, room);
	err = weir_marksteps_init(&series->marks,
				  weir_reader_processes(traffic->reader));
	return err ? err : make_rows(series, 1, room);
}

int weir_series_gather(struct weir_series *series,
		       struct weir_traffic *traffic,
		       const struct weir_series_wish *wish)
{
	struct weir_traffic_item item;
	uint64_t room = 0;
	int more = 0, err = start_series(series, traffic, wish, &room);

	while (!err && (more = weir_traffic_next(traffic, &item)) > 0)
		err = take_item(series, traffic, &item, &room);
	err = err ? err : more;
	if (!err)
		err = choose_shown(series, wish->by == WEIR_WHO_TOTAL ||
				   (wish->by != WEIR_WHO_PROCESS &&
				    !traffic->choice.process));
	if (err)
		weir_series_fini(series);
	return err;
}

void weir_series_fini(struct weir_series *series)
{
	weir_who_fini(&series->who);
	weir_marksteps_fini(&series->marks);
	free(series->cells);
	free(series->shown);
	*series = (struct weir_series){ 0 };
}

uint64_t weir_series_all(const struct weir_series *series, uint32_t row,
			 int way)
{
	uint64_t sum = 0;

	for (uint32_t group = 0; group < series->who.count; group++)
		sum += weir_series_at(series, row, group, way);
	return sum;
}

uint64_t weir_series_start(const struct weir_series *series, uint32_t row)
{
	return series->by_marks ? series->marks.rows[row].start :
				  series->from + row * series->step;
}
