/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides time by the phases and steps that programs mark. */
#include "analyse/view/marksteps.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/event/detail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weir_marksteps_init(struct weir_marksteps *steps, uint32_t processes)
{
	*steps = (struct weir_marksteps){
		.rows = calloc(1, sizeof(*steps->rows)),
		.count = 1,
		.room = 1,
		.row_of = calloc((size_t)processes + 1,
				 sizeof(*steps->row_of)),
		.processes = processes,
	};
	if (steps->rows && steps->row_of)
		return 0;
	weir_marksteps_fini(steps);
	return -ENOMEM;
}

void weir_marksteps_fini(struct weir_marksteps *steps)
{
	weir_names_fini(&steps->names);
	weir_map_fini(&steps->index);
	free(steps->rows);
	free(steps->row_of);
	*steps = (struct weir_marksteps){ 0 };
}

static int make_row(struct weir_marksteps *steps,
		    const struct weir_markstep *row)
{
	if (steps->count == WEIR_MARKSTEPS_MOST)
		return -E2BIG;
	if (WEIR_GROW(steps->rows, steps->count, steps->room))
		return -ENOMEM;
	steps->rows[steps->count++] = *row;
	return 0;
}

static int enter_step(struct weir_marksteps *steps, uint32_t proc,
		      const struct weir_markstep *to)
{
	uint64_t parts[] = { to->phase, (uint64_t)to->has_step,
			     (uint64_t)to->step };
	uint64_t key = weir_hash_numbers(parts, sizeof(parts));
	uint64_t row = weir_map_get(&steps->index, key);
	int err;

	if (!row) {
		err = make_row(steps, to);
		row = steps->count;
		err = err ? err : weir_map_put(&steps->index, key, row);
		if (err)
			return err;
	}
	steps->row_of[proc] = (uint32_t)row - 1;
	return 0;
}

/* A phase ends the time step before it. */
int weir_marksteps_take(struct weir_marksteps *steps,
			const struct weir_event *event,
			const struct weir_call *call, uint64_t start)
{
	struct weir_markstep to = { .start = start };
	struct weir_detail detail;
	struct weir_value value;
	int err;

	if (!event->proc || event->proc > steps->processes)
		return 0;
	weir_detail_start(&detail, event, call);
	if (!weir_detail_next(&detail, &value) || !value.given)
		return 0;
	if (!strcmp(call->name, "mark_phase")) {
		err = weir_names_add(&steps->names, value.text,
				     value.text_len, &to.phase);
		if (err)
			return err;
	} else if (!strcmp(call->name, "mark_step")) {
		to.phase = steps->rows[steps->row_of[event->proc]].phase;
		to.has_step = 1;
		to.step = (int64_t)value.number;
	} else {
		return 0;
	}
	return enter_step(steps, event->proc, &to);
}
