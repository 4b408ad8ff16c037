/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints entries and exits, process by process (doc/catamount.md). */
#include "export/dump/dump.h"

#include "export/dump/infolist.h"
#include "export/dump/unfinished.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK 65279 /* U+FEFF */

struct set {
	uint32_t proc; /* of the lines under way; 0: none yet */
	struct weir_unfinished open;
};

static void begin_catamount(struct weir_dump *dump)
{
	dump->own = calloc(1, sizeof(struct set));
	if (!dump->own)
		dump->out.err = -ENOMEM;
}

static void put_front(struct weir_text *out, const char *type, uint64_t ns)
{
	weir_text_string(out, "tracetype(");
	weir_text_string(out, type);
	weir_text_string(out, ")time:(");
	weir_text_unsigned(out, ns / 1000000000);
	weir_text_string(out, ")time:(");
	weir_text_unsigned(out, ns % 1000000000 / 1000);
	weir_text_char(out, ')');
}

static void put_name(struct weir_text *out, const struct weir_event *event,
		     const struct weir_call *call)
{
	weir_text_string(out, "str(");
	if (call) {
		weir_text_nested(out, call->name, strlen(call->name));
	} else {
		weir_text_string(out, "call#");
		weir_text_unsigned(out, event->call);
	}
	weir_text_char(out, ')');
}

static void put_exit(struct weir_text *out,
		     const struct weir_unfinished_call *one)
{
	const struct weir_event *event = &one->event;

	if (event->call == WEIR_NOTE_LOSS) {
		put_front(out, "DROP", one->end);
		weir_text_string(out, "count(");
		weir_text_unsigned(out, event->size);
		weir_text_string(out, ")\n");
		return;
	}
	put_front(out, "EXIT", one->end);
	put_name(out, event, one->call);
	weir_infolist_put_result(out, event, one->call);
	if (one->call && !(event->flags & WEIR_EVENT_FAILED))
		weir_infolist_put(out, event, one->call, WEIR_INFOLIST_EXIT);
	weir_text_char(out, '\n');
}

static void put_first_exit(struct weir_dump *dump)
{
	struct set *set = dump->own;

	put_exit(&dump->out, weir_unfinished_first(&set->open));
	weir_unfinished_drop(&set->open);
}

/* A call that ends at the instant another begins may yet enclose it. */
static int ends_before(const struct weir_unfinished_call *one,
		       const struct weir_event *event, uint64_t start)
{
	if (one->end != start)
		return one->end < start;
	return one->event.thread != event->thread ||
	       one->event.depth >= event->depth;
}

static void finish_all(struct weir_dump *dump)
{
	struct set *set = dump->own;

	while (weir_unfinished_first(&set->open))
		put_first_exit(dump);
}

/* The header tells its own length, digits of that included. */
static void put_header(struct weir_dump *dump,
		       const struct weir_dump_event *described)
{
	struct weir_text *out = &dump->out;
	const char *host = described->node ? described->node->host : "?";
	size_t length, power = 1;

	weir_text_flush(out);
	weir_text_string(out, "header(");
	weir_text_unsigned(out, BYTE_ORDER_MARK);
	weir_text_string(out, ",headernode(");
	weir_text_nested(out, host, strlen(host));
	weir_text_char(out, '.');
	weir_text_unsigned(out, described->process ? described->process->pid :
						     0);
	weir_text_string(out, ")headerlength(");
	length = out->used + strlen("))\n");
	for (; power <= length; power *= 10)
		length++;
	weir_text_unsigned(out, length);
	weir_text_string(out, "))\n");
}

static void put_enter(struct weir_text *out,
		      const struct weir_dump_event *described, uint64_t start)
{
	const struct weir_event *event = described->event;

	put_front(out, "ENTER", start);
	put_name(out, event, described->call);
	if (described->call)
		weir_infolist_put(out, event, described->call,
				  WEIR_INFOLIST_ENTER);
	weir_text_char(out, '\n');
}

static void put_catamount_event(struct weir_dump *dump,
				const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	uint64_t start = weir_reader_real(dump->reader, event);
	uint64_t end = start + event->dur < start ? UINT64_MAX :
						    start + event->dur;
	struct set *set = dump->own;

	if (!set)
		return;
	if (event->proc != set->proc) {
		finish_all(dump);
		put_header(dump, described);
		set->proc = event->proc;
	}
	while (weir_unfinished_first(&set->open) &&
	       (ends_before(weir_unfinished_first(&set->open), event, start) ||
		weir_unfinished_is_full(&set->open)))
		put_first_exit(dump);
	if (event->call != WEIR_NOTE_LOSS)
		put_enter(&dump->out, described, start);
	if (!(event->flags & WEIR_EVENT_ENTERED) &&
	    weir_unfinished_add(&set->open, end, event, described->call))
		dump->out.err = -ENOMEM;
}

static void end_catamount(struct weir_dump *dump)
{
	struct set *set = dump->own;

	if (!set)
		return;
	finish_all(dump);
	weir_unfinished_fini(&set->open);
	free(set);
}

const struct weir_dump_format weir_as_catamount = {
	.name = "catamount",
	.by_process = 1,
	.begin = begin_catamount,
	.event = put_catamount_event,
	.end = end_catamount,
};
