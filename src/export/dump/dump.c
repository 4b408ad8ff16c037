/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of a trace in one of several formats. */
#include "export/dump/dump.h"

#include "trace/read/select.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct weir_dump_format *const formats[] = {
	&weir_as_text,
	&weir_as_jsonl,
	&weir_as_csv,
	&weir_as_catamount,
};

const struct weir_dump_format *weir_dump_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

const char *weir_dump_name(const struct weir_dump_event *event,
			   char room[WEIR_DUMP_NAME])
{
	if (event->event->call == WEIR_NOTE_LOSS)
		return "weir:loss";
	if (event->call)
		return event->call->name;
	snprintf(room, WEIR_DUMP_NAME, "call#%u", event->event->call);
	return room;
}

void weir_dump_put_call(struct weir_text *out,
			const struct weir_dump_event *event)
{
	char room[WEIR_DUMP_NAME];

	weir_text_string(out, weir_dump_name(event, room));
}

void weir_dump_put_flags(struct weir_text *out, uint8_t flags,
			 const char *between)
{
	static const struct {
		uint8_t flag;
		const char *name;
	} names[] = {
		{ WEIR_EVENT_FAILED, "failed" },
		{ WEIR_EVENT_VFORK, "vfork" },
		{ WEIR_EVENT_ENTERED, "entered" },
		{ WEIR_EVENT_CUT, "cut" },
	};
	int some = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(flags & names[i].flag))
			continue;
		if (some++)
			weir_text_string(out, between);
		weir_text_string(out, names[i].name);
	}
}

void weir_dump_put_process(struct weir_text *out,
			   const struct weir_procinfo *process)
{
	int64_t rank = weir_procinfo_rank(process);
	const char *slash = process->exe ? strrchr(process->exe, '/') : NULL;
	const char *exe = slash ? slash + 1 :
			  process->exe ? process->exe : "?";

	if (rank >= 0) {
		weir_text_string(out, "rank ");
		weir_text_signed(out, rank);
		weir_text_char(out, ' ');
	}
	weir_text_safe(out, exe, strlen(exe));
}

void weir_dump_put_id(struct weir_text *out, struct weir_tree_id id)
{
	weir_text_unsigned(out, id.proc);
	weir_text_char(out, '.');
	weir_text_unsigned(out, id.thread);
	weir_text_char(out, '.');
	weir_text_unsigned(out, id.index);
}

void weir_dump_describe(const struct weir_reader *reader,
			const struct weir_event *event,
			struct weir_dump_event *described)
{
	const struct weir_procinfo_thread *thread = NULL;

	described->event = event;
	described->call = weir_reader_call(reader, event);
	described->process = weir_reader_process(reader, event->proc);
	described->node = NULL;
	if (described->process) {
		described->node = weir_reader_node(reader,
						   described->process->node);
		thread = weir_procinfo_find(described->process, event->thread);
	}
	described->tid = thread ? thread->tid : 0;
	described->file = weir_reader_name(reader, event->file,
					   &described->file_len);
	described->start = weir_reader_real(reader, event) -
			   weir_reader_begin(reader);
}

/* All events have relation, also those that are not printed. */
static int find_kin(const struct weir_dump_filter *filter,
		    const struct weir_event *event,
		    struct weir_dump_event *described,
		    struct weir_relation *relation)
{
	if (!filter->relations)
		return 0;
	described->relation = relation;
	return weir_relations_add(filter->relations, event, described->call,
				  relation);
}

int weir_dump_walk(struct weir_reader *reader,
		   const struct weir_dump_filter *filter,
		   int (*each)(void *context,
			       const struct weir_dump_event *event),
		   void *context)
{
	struct weir_dump_event described = { 0 };
	uint8_t *matches = NULL;
	struct weir_event event;
	struct weir_relation relation;
	int err = 0, more = 0;

	if (filter->file)
		err = weir_select_files(reader, filter->file, &matches);
	if (filter->process)
		weir_select_process(reader, filter->process);
	weir_reader_between(reader, filter->from, filter->to);
	while (!err && (more = weir_reader_next(reader, &event)) > 0) {
		if (event.call == WEIR_NOTE_SUM)
			continue;
		weir_dump_describe(reader, &event, &described);
		err = find_kin(filter, &event, &described, &relation);
		if (err || (matches && !matches[event.file]))
			continue;
		err = each(context, &described);
		if (!err && filter->pending)
			err = weir_pending_add(filter->pending, &event,
					       described.call);
	}
	free(matches);
	return err ? err : more;
}

/* A dump under way, and what it is written as. */
struct writing {
	struct weir_dump dump;
	const struct weir_dump_format *format;
};

static int write_event(void *context, const struct weir_dump_event *event)
{
	struct writing *writing = context;

	writing->format->event(&writing->dump, event);
	return writing->dump.out.err;
}

int weir_dump_write(struct weir_reader *reader,
		    const struct weir_dump_format *format,
		    const struct weir_dump_filter *filter, int fd)
{
	struct writing writing = {
		.dump = { .reader = reader, .sites = filter->sites },
		.format = format,
	};
	struct weir_dump *dump = &writing.dump;
	int err = weir_text_init(&dump->out, fd), flushed;

	if (err)
		return err;
	if (format->by_process)
		weir_reader_by_process(reader);
	if (format->begin)
		format->begin(dump);
	err = weir_dump_walk(reader, filter, write_event, &writing);
	if (format->end)
		format->end(dump);
	flushed = weir_text_flush(&dump->out);
	weir_text_fini(&dump->out);
	return err ? err : flushed;
}
