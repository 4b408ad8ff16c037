/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints events as comma-separated values. */
#include "export/dump/dump.h"

#include "trace/layout/trace_layout.h"

#include <string.h>

static void put_heading(struct weir_dump *dump)
{
	weir_text_string(&dump->out,
			 "start,dur,host,pid,proc,thread,tid,index,depth,call,"
			 "layer,fd,file,handle,size,off,ret,err,flags\n");
}

static void put_unsigned(struct weir_text *out, uint64_t number)
{
	weir_text_unsigned(out, number);
	weir_text_char(out, ',');
}

static void put_who(struct weir_text *out,
		    const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	put_unsigned(out, described->start);
	put_unsigned(out, event->dur);
	if (described->node)
		weir_text_csv(out, described->node->host,
			      strlen(described->node->host));
	weir_text_char(out, ',');
	put_unsigned(out, described->process ? described->process->pid : 0);
	put_unsigned(out, event->proc);
	put_unsigned(out, event->thread);
	put_unsigned(out, described->tid);
	put_unsigned(out, event->index);
	put_unsigned(out, event->depth);
}

/* What is not known stays empty. */
static void put_what(struct weir_text *out,
		     const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	weir_dump_put_call(out, described);
	weir_text_char(out, ',');
	if (described->call && described->call->layer)
		weir_text_string(out, described->call->layer);
	weir_text_char(out, ',');
	if (event->fd >= 0)
		weir_text_unsigned(out, (uint64_t)event->fd);
	weir_text_char(out, ',');
	if (described->file)
		weir_text_csv(out, described->file, described->file_len);
	weir_text_char(out, ',');
	put_unsigned(out, event->handle);
	put_unsigned(out, event->size);
	if (!(event->flags & WEIR_EVENT_NOOFF))
		weir_text_signed(out, event->off);
	weir_text_char(out, ',');
	if (!(event->flags & WEIR_EVENT_ENTERED))
		weir_text_signed(out, event->ret);
	weir_text_char(out, ',');
	if (event->err)
		weir_text_signed(out, event->err);
	weir_text_char(out, ',');
	weir_dump_put_flags(out, event->flags, "|");
	weir_text_char(out, '\n');
}

static void put_csv_line(struct weir_dump *dump,
			 const struct weir_dump_event *event)
{
	put_who(&dump->out, event);
	put_what(&dump->out, event);
}

const struct weir_dump_format weir_as_csv = {
	.name = "csv",
	.begin = put_heading,
	.event = put_csv_line,
};
