/* SPDX-License-Identifier: BSD-3-Clause */
/* Offers the reader to other programs as a stable library. */
#include "api/weirtrace_event.h"
#include "api/weirtrace_process.h"
#include "trace/read/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <weir/trace.h>

struct weirtrace {
	struct weir_reader *reader;
	struct weirtrace_process *processes; /* by number - 1 */
	uint8_t *matches; /* by number of a name; NULL: all files */
	int reading;      /* an event was asked for */
	struct weirtrace_event_values values;
	struct weirtrace_event event;
};

const char *weirtrace_version(void)
{
	return WEIR_VERSION;
}

/* The reader's own codes get words that say what to do; others are libc's. */
const char *weirtrace_strerror(int err)
{
	const char *words = strerrordesc_np(abs(err));

	switch (err) {
	case -EBADMSG:
		return "not a trace";
	case -ENOTSUP:
		return "made by a later version of weir";
	case -ESTALE:
		return "the trace changed while it was read";
	case -EBUSY:
		return "events have been read already";
	default:
		return words ? words : "unknown error";
	}
}

/* All at once: callers keep pointers to them until the trace is closed. */
static int list_processes(struct weirtrace *trace)
{
	const struct weir_reader *reader = trace->reader;
	uint32_t count = weir_reader_processes(reader);

	trace->processes = calloc((size_t)count + 1,
				  sizeof(*trace->processes));
	if (!trace->processes)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		const struct weir_procinfo *info =
			weir_reader_process(reader, i + 1);

		trace->processes[i].info = info;
		if (info)
			trace->processes[i].node =
				weir_reader_node(reader, info->node);
	}
	return 0;
}

/* What is handed out points into the trace: nothing is copied for an event. */
int weirtrace_open(const char *path, struct weirtrace **ret_trace)
{
	struct weirtrace *trace = calloc(1, sizeof(*trace));
	int err;

	if (!trace)
		return -ENOMEM;
	err = weir_reader_open(path, &trace->reader);
	if (!err)
		err = list_processes(trace);
	if (err) {
		weirtrace_close(trace);
		return err;
	}
	trace->event.reader = trace->reader;
	trace->event.values = &trace->values;
	*ret_trace = trace;
	return 0;
}

/* NULL is allowed, and so is a trace that was opened only in part. */
void weirtrace_close(struct weirtrace *trace)
{
	if (!trace)
		return;
	weirtrace_value_fini(&trace->values.tree);
	free(trace->matches);
	free(trace->processes);
	weir_reader_close(trace->reader);
	free(trace);
}

/* One event is kept: it is good until the next call, as the header says. */
int weirtrace_next(struct weirtrace *trace,
		   const struct weirtrace_event **ret_event)
{
	struct weirtrace_event *event = &trace->event;
	int more;

	trace->reading = 1;
	do {
		more = weir_reader_next(trace->reader, &event->it);
		if (more <= 0)
			return more;
	} while (trace->matches && !trace->matches[event->it.file]);
	weirtrace_event_describe(event);
	*ret_event = event;
	return 1;
}

/* A choice in the middle would skip events in silence, so it is refused. */
int weirtrace_only_process(struct weirtrace *trace, const char *word)
{
	if (trace->reading)
		return -EBUSY;
	weir_select_process(trace->reader, word);
	return 0;
}

/* A file must match all globs that were given. */
int weirtrace_only_file(struct weirtrace *trace, const char *glob)
{
	uint8_t *matches;
	int err;

	if (trace->reading)
		return -EBUSY;
	err = weir_select_files(trace->reader, glob, &matches);
	if (err)
		return err;
	for (uint32_t i = 0; trace->matches && i <= weirtrace_files(trace); i++)
		matches[i] &= trace->matches[i];
	free(trace->matches);
	trace->matches = matches;
	return 0;
}

int weirtrace_only_between(struct weirtrace *trace, uint64_t from,
			   uint64_t to)
{
	if (trace->reading)
		return -EBUSY;
	weir_reader_between(trace->reader, from, to);
	return 0;
}

uint64_t weirtrace_begin(const struct weirtrace *trace)
{
	return weir_reader_begin(trace->reader);
}

/* Losses have no sum of it: it is not a loss but what --ring is for. */
static uint64_t count_overwritten(const struct weirtrace *trace)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < weirtrace_processes(trace); i++) {
		if (trace->processes[i].info)
			sum += trace->processes[i].info->overwritten;
	}
	return sum;
}

/*
 * Counters are numbers of the public header, which never change; what the
 * reader calls them may.
 */
uint64_t weirtrace_count(const struct weirtrace *trace,
			 enum weirtrace_counter what)
{
	struct weir_reader_losses losses;
	struct weir_unrecorded_count unrecorded;

	weir_reader_losses(trace->reader, &losses);
	unrecorded = weir_unrecorded_sum(&losses.unrecorded);
	switch (what) {
	case WEIRTRACE_DROPPED:
		return losses.dropped;
	case WEIRTRACE_LOST:
		return losses.lost;
	case WEIRTRACE_UNRECORDED_PROCESSES:
		return unrecorded.processes;
	case WEIRTRACE_UNRECORDED_CALLS:
		return unrecorded.calls;
	case WEIRTRACE_SYSTEM:
	case WEIRTRACE_EXCLUDED:
	case WEIRTRACE_PAUSED:
		return losses.hidden[what - WEIRTRACE_SYSTEM + 1];
	case WEIRTRACE_DAMAGED_BLOCKS:
		return losses.damaged_blocks;
	case WEIRTRACE_DAMAGED_CALLS:
		return losses.damaged_events;
	case WEIRTRACE_DAMAGED_BYTES:
		return losses.damaged_bytes;
	case WEIRTRACE_CUT_FILES:
		return losses.unended;
	case WEIRTRACE_OTHER_FILES:
		return losses.refused;
	case WEIRTRACE_OVERWRITTEN:
		return count_overwritten(trace);
	case WEIRTRACE_POLLS:
		return losses.hidden[0];
	}
	return 0;
}

int weirtrace_is_damaged(const struct weirtrace *trace)
{
	return weir_reader_is_damaged(trace->reader);
}

uint32_t weirtrace_processes(const struct weirtrace *trace)
{
	return weir_reader_processes(trace->reader);
}

uint32_t weirtrace_files(const struct weirtrace *trace)
{
	return weir_reader_names(trace->reader);
}

const struct weirtrace_process *
/* A number without a description: its part of the trace was lost. */
weirtrace_nth_process(const struct weirtrace *trace, uint32_t number)
{
	if (!number || number > weirtrace_processes(trace) ||
	    !trace->processes[number - 1].info)
		return NULL;
	return &trace->processes[number - 1];
}

const char *weirtrace_nth_file(const struct weirtrace *trace, uint32_t number,
			       size_t *ret_len)
{
	size_t len = 0;
	const char *name = weir_reader_name(trace->reader, number, &len);

	if (ret_len)
		*ret_len = name ? len : 0;
	return name;
}
