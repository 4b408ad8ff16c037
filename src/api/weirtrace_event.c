/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out an event of a trace to users of the library. */
#include "api/weirtrace_event.h"

#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <string.h>

#define SAME(flag, other) \
	_Static_assert(WEIRTRACE_##flag == WEIR_EVENT_##other, #flag)

SAME(FAILED, FAILED);
SAME(NO_OFFSET, NOOFF);
SAME(VFORK, VFORK);
SAME(ENTERED, ENTERED);
SAME(CUT, CUT);
SAME(NEW, NEWHANDLE);

#define KNOWN_FLAGS                                                      \
	(WEIRTRACE_FAILED | WEIRTRACE_NO_OFFSET | WEIRTRACE_VFORK |      \
	 WEIRTRACE_ENTERED | WEIRTRACE_CUT | WEIRTRACE_NEW)

/*
 * The arguments are decoded when the first of them is asked for: most users
 * want few events' arguments.
 */
void weirtrace_event_describe(struct weirtrace_event *event)
{
	event->call = weir_reader_call(event->reader, &event->it);
	event->start = weir_reader_real(event->reader, &event->it) -
		       weir_reader_begin(event->reader);
	event->values->decoded = 0;
	if (!event->call)
		snprintf(event->unknown, sizeof(event->unknown), "call#%u",
			 (unsigned)event->it.call);
}

static int is_loss(const struct weirtrace_event *event)
{
	return event->it.call == WEIR_NOTE_LOSS;
}

/* Only flags that the header knows: others may change. */
uint32_t weirtrace_event_flags(const struct weirtrace_event *event)
{
	return (event->it.flags & KNOWN_FLAGS) |
	       (is_loss(event) ? WEIRTRACE_LOSS : 0);
}

/* Never NULL, so that it may be printed: an unknown call has its number. */
const char *weirtrace_event_name(const struct weirtrace_event *event)
{
	if (is_loss(event))
		return "weir:loss";
	return event->call ? event->call->name : event->unknown;
}

const char *weirtrace_event_layer(const struct weirtrace_event *event)
{
	return event->call && event->call->layer ? event->call->layer : "";
}

const char *weirtrace_event_role(const struct weirtrace_event *event)
{
	return event->call ? event->call->role : "";
}

uint32_t weirtrace_event_call(const struct weirtrace_event *event)
{
	return event->it.call;
}

uint64_t weirtrace_event_start(const struct weirtrace_event *event)
{
	return event->start;
}

uint64_t weirtrace_event_duration(const struct weirtrace_event *event)
{
	return event->it.dur;
}

uint32_t weirtrace_event_process(const struct weirtrace_event *event)
{
	return event->it.proc;
}

uint32_t weirtrace_event_thread(const struct weirtrace_event *event)
{
	return event->it.thread;
}

uint32_t weirtrace_event_tid(const struct weirtrace_event *event)
{
	const struct weir_procinfo *process =
		weir_reader_process(event->reader, event->it.proc);
	const struct weir_procinfo_thread *thread = NULL;

	if (process)
		thread = weir_procinfo_find(process, event->it.thread);
	return thread ? thread->tid : 0;
}

uint64_t weirtrace_event_index(const struct weirtrace_event *event)
{
	return event->it.index;
}

uint32_t weirtrace_event_depth(const struct weirtrace_event *event)
{
	return event->it.depth;
}

int32_t weirtrace_event_fd(const struct weirtrace_event *event)
{
	return event->it.fd;
}

uint32_t weirtrace_event_file(const struct weirtrace_event *event)
{
	return event->it.file;
}

const char *weirtrace_event_path(const struct weirtrace_event *event,
				 size_t *ret_len)
{
	size_t len = 0;
	const char *path = weir_reader_name(event->reader, event->it.file,
					    &len);

	if (ret_len)
		*ret_len = path ? len : 0;
	return path;
}

uint32_t weirtrace_event_handle(const struct weirtrace_event *event)
{
	return event->it.handle;
}

int64_t weirtrace_event_offset(const struct weirtrace_event *event)
{
	return event->it.off;
}

uint64_t weirtrace_event_size(const struct weirtrace_event *event)
{
	return event->it.size;
}

int64_t weirtrace_event_result(const struct weirtrace_event *event)
{
	return event->it.flags & WEIRTRACE_ENTERED ? 0 : event->it.ret;
}

int32_t weirtrace_event_error(const struct weirtrace_event *event)
{
	return event->it.err;
}

int weirtrace_event_arguments(const struct weirtrace_event *event)
{
	struct weirtrace_event_values *values = event->values;
	int err;

	if (!event->call)
		return 0;
	if (!values->decoded) {
		err = weirtrace_value_decode(&values->tree, &event->it,
					     event->call);
		if (err)
			return err;
		values->decoded = 1;
	}
	return (int)values->tree.arguments;
}

const struct weirtrace_value *
weirtrace_event_argument(const struct weirtrace_event *event, size_t n)
{
	int count = weirtrace_event_arguments(event);

	return count > 0 && n < (size_t)count ? &event->values->tree.values[n] :
						NULL;
}

const struct weirtrace_value *
weirtrace_event_find(const struct weirtrace_event *event, const char *name)
{
	const struct weirtrace_value *value;

	for (size_t i = 0; (value = weirtrace_event_argument(event, i)); i++) {
		if (!strcmp(value->name, name))
			return value;
	}
	return NULL;
}
