/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of the tables that a trace is exported as. */
#include "export/tables/tablerows.h"

#include "analyse/calls/callclass.h"
#include "base/hash.h"
#include "export/tables/tablefacts.h"
#include "export/words/values.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int weir_tablerows_init(struct weir_tablerows *rows, struct weir_reader *reader,
			const struct weir_tableout_sink *sink)
{
	*rows = (struct weir_tablerows){ .open = { 0 } };
	return weir_tableout_init(&rows->out, reader, sink);
}

void weir_tablerows_fini(struct weir_tablerows *rows)
{
	weir_callbook_fini(&rows->calls);
	weir_map_fini(&rows->open);
	weir_tableout_fini(&rows->out);
}

int weir_tablerows_begin(struct weir_tablerows *rows)
{
	return weir_tablefacts_before(&rows->out);
}

int weir_tablerows_end(struct weir_tablerows *rows, const char *trace)
{
	return weir_tablefacts_after(&rows->out, trace);
}

/* --- calls -------------------------------------------------------------- */

static const char *column_of(const struct weir_kind *kind)
{
	static const char *const places[] = {
		[WEIR_PLACE_HANDLE] = "fd",
		[WEIR_PLACE_SIZE] = "size",
		[WEIR_PLACE_OFF] = "off",
		[WEIR_PLACE_DETAIL] = "arguments",
	};

	return places[kind->place];
}

static int put_parameters(struct weir_tablerows *rows, uint32_t number,
			  const struct weir_call *call)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < call->argument_count; i++) {
		const struct weir_argument *argument = &call->arguments[i];
		weir_tableout_row cells = {
			weir_tables_unsigned(number),
			weir_tables_unsigned(i),
			weir_tables_name(argument->name),
			weir_tables_name(argument->kind->name),
			weir_tables_text(column_of(argument->kind)),
		};

		err = weir_tableout_put(&rows->out, WEIR_TABLE_PARAMETERS,
					cells);
	}
	return err;
}

static int put_call(struct weir_tablerows *rows, uint32_t number,
		    const struct weir_dump_event *described)
{
	const struct weir_call *call = described->call;
	weir_tableout_row cells = { weir_tables_unsigned(number) };
	int err;

	rows->out.line.used = 0;
	weir_dump_put_call(&rows->out.line, described);
	cells[1] = weir_tables_bytes(rows->out.line.bytes, rows->out.line.used);
	if (call) {
		cells[2] = weir_tables_name(call->layer);
		cells[3] = weir_tables_name(call->role);
		cells[4] = weir_tables_text(
			weir_callclass_name(weir_callclass_of(call)));
	}
	err = weir_tableout_put(&rows->out, WEIR_TABLE_CALLS, cells);
	return err || !call ? err : put_parameters(rows, number, call);
}

/* --- events ------------------------------------------------------------- */

static uint64_t id_key(struct weir_tree_id id)
{
	uint64_t parts[] = { (uint64_t)id.proc << 32 | id.thread, id.index };

	return weir_hash_numbers(parts, sizeof(parts));
}

static struct weir_tables_cell bytes_of(const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	if (!weir_callclass_moves(weir_callclass_of(described->call)) ||
	    event->flags & WEIR_EVENT_ENTERED)
		return weir_tables_none();
	return weir_tables_signed(event->flags & WEIR_EVENT_FAILED ||
				  event->ret < 0 ? 0 : event->ret);
}

/* Frames carry the numbers of their events, as long as these are open. */
static uint64_t frame_number(const struct weir_tree_frame *frame)
{
	return frame ? (uintptr_t)frame->own : 0;
}

static void set_who(weir_tableout_row cells,
		    const struct weir_dump_event *described)
{
	static const char *const links[] = {
		[WEIR_TREE_NESTED] = "nested",
		[WEIR_TREE_DEFERRED] = "deferred",
		[WEIR_TREE_UNKNOWN] = "unknown",
	};
	const struct weir_event *event = described->event;
	const struct weir_tree_place *place = &described->relation->place;

	cells[1] = weir_tables_unsigned(event->proc);
	cells[2] = weir_tables_unsigned(event->thread);
	cells[3] = weir_tables_unsigned(event->index);
	cells[5] = weir_tables_unsigned(event->depth);
	if (frame_number(place->above) && place->link != WEIR_TREE_UNKNOWN)
		cells[6] = weir_tables_unsigned(frame_number(place->above));
	cells[7] = weir_tables_text(links[place->link]);
	cells[8] = weir_tables_unsigned(described->start);
	cells[9] = weir_tables_unsigned(event->dur);
}

static void set_what(weir_tableout_row cells,
		     const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	if (event->fd >= 0)
		cells[10] = weir_tables_signed(event->fd);
	if (described->file)
		cells[11] = weir_tables_unsigned(event->file);
	if (event->handle)
		cells[12] = weir_tables_unsigned(event->handle);
	cells[13] = weir_tables_unsigned(event->size);
	if (!(event->flags & WEIR_EVENT_NOOFF))
		cells[14] = weir_tables_signed(event->off);
	if (!(event->flags & WEIR_EVENT_ENTERED))
		cells[15] = weir_tables_signed(event->ret);
	if (event->flags & WEIR_EVENT_FAILED)
		cells[16] = weir_tables_signed(event->err);
	cells[17] = bytes_of(described);
}

static int put_event_row(struct weir_tablerows *rows, uint32_t call,
			 const struct weir_dump_event *described)
{
	weir_tableout_row cells = { weir_tables_unsigned(rows->out.events) };

	set_who(cells, described);
	set_what(cells, described);
	cells[4] = weir_tables_unsigned(call);
	rows->out.line.used = 0;
	weir_dump_put_flags(&rows->out.line, described->event->flags, "|");
	cells[18] = weir_tables_line(&rows->out.line);
	return weir_tableout_put(&rows->out, WEIR_TABLE_EVENTS, cells);
}

/* --- arguments ---------------------------------------------------------- */

/* Numbers as numbers, text as text, and what has parts as JSON. */
static void set_value(struct weir_tablerows *rows, struct weir_value value,
		      struct weir_tables_cell *cell)
{
	switch (value.kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		*cell = weir_tables_bytes(value.text, value.text_len);
		return;
	case WEIR_WIRE_VECTOR:
	case WEIR_WIRE_STAT:
	case WEIR_WIRE_RECORD:
	case WEIR_WIRE_PAIR:
		rows->out.line.used = 0;
		weir_values_json(&rows->out.line, &value);
		*cell = weir_tables_line(&rows->out.line);
		return;
	default:
		*cell = value.is_signed ?
				weir_tables_signed((int64_t)value.number) :
				weir_tables_unsigned(value.number);
	}
}

/* In words, where they say more than the number. */
static void set_shown(struct weir_tablerows *rows, struct weir_value *value,
		      struct weir_tables_cell *cell)
{
	char plain[24];
	int len = snprintf(plain, sizeof(plain),
			   value->is_signed ? "%" PRId64 : "%" PRIu64,
			   value->number);

	rows->out.line.used = 0;
	weir_values_show(&rows->out.line, value);
	if (rows->out.line.used != (size_t)len ||
	    memcmp(rows->out.line.bytes, plain, (size_t)len))
		*cell = weir_tables_line(&rows->out.line);
}

static int put_argument(struct weir_tablerows *rows, struct weir_value *value)
{
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_name(value->name),
	};

	set_value(rows, *value, &cells[2]);
	if (cells[2].type == WEIR_CELL_SIGNED ||
	    cells[2].type == WEIR_CELL_UNSIGNED)
		set_shown(rows, value, &cells[3]);
	/* more than a line holds: nobody would read it */
	if (rows->out.line.err) {
		rows->out.line.err = 0;
		cells[2] = weir_tables_none();
	}
	return weir_tableout_put(&rows->out, WEIR_TABLE_ARGUMENTS, cells);
}

static int put_arguments(struct weir_tablerows *rows,
			 const struct weir_dump_event *described)
{
	struct weir_detail detail;
	struct weir_value value;
	int err = 0;

	weir_detail_start(&detail, described->event, described->call);
	while (!err && weir_detail_next(&detail, &value))
		if (value.given && value.kind->place == WEIR_PLACE_DETAIL)
			err = put_argument(rows, &value);
	return err;
}

/* --- marks -------------------------------------------------------------- */

static bool is_mark(const struct weir_call *call)
{
	return call->layer && !strcmp(call->layer, "mark") &&
	       !strncmp(call->name, "mark_", strlen("mark_"));
}

static int put_mark(struct weir_tablerows *rows,
		    const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_unsigned(event->proc),
		weir_tables_unsigned(event->thread),
		weir_tables_unsigned(described->start),
		weir_tables_name(described->call->name + strlen("mark_")),
	};
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, described->call);
	while (weir_detail_next(&detail, &value))
		if (value.given)
			set_value(rows, value,
				  &cells[value.text ? 5 : 6]);
	return weir_tableout_put(&rows->out, WEIR_TABLE_MARKS, cells);
}

/* --- links -------------------------------------------------------------- */

static int put_link(struct weir_tablerows *rows, const char *kind,
		    uint64_t other, const struct weir_tree_id *id)
{
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_text(kind),
	};

	if (other)
		cells[2] = weir_tables_unsigned(other);
	rows->out.line.used = 0;
	weir_dump_put_id(&rows->out.line, *id);
	cells[3] = weir_tables_line(&rows->out.line);
	return weir_tableout_put(&rows->out, WEIR_TABLE_LINKS, cells);
}

static int put_doubt(struct weir_tablerows *rows, uint64_t open)
{
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_text("unknown"),
	};

	cells[5] = weir_tables_unsigned(open);
	return weir_tableout_put(&rows->out, WEIR_TABLE_LINKS, cells);
}

/* What several events have in common, of one call or one cause. */
static int put_node(struct weir_tablerows *rows, const char *kind,
		    uint64_t key)
{
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_text(kind),
	};

	rows->out.line.used = 0;
	weir_text_hex(&rows->out.line, key);
	cells[4] = weir_tables_line(&rows->out.line);
	return weir_tableout_put(&rows->out, WEIR_TABLE_LINKS, cells);
}

static int put_end(struct weir_tablerows *rows,
		   const struct weir_links_end *end)
{
	switch (end->kind) {
	case WEIR_LINKS_COMPLETES:
	case WEIR_LINKS_BATCHED:
		return put_link(rows,
				end->kind == WEIR_LINKS_BATCHED ? "batched"
								: "completes",
				weir_map_get(&rows->open, id_key(end->to)),
				&end->to);
	case WEIR_LINKS_ONE_OF:
	case WEIR_LINKS_UNSEEN:
		return put_doubt(rows, end->open);
	default:
		return 0;
	}
}

static int put_joint(struct weir_tablerows *rows,
		     const struct weir_relation *relation)
{
	weir_tableout_row cells = {
		weir_tables_unsigned(rows->out.events),
		weir_tables_text("unjoined"),
	};
	const char *why = weir_collective_why(relation->joint);

	if (!why)
		return put_node(rows, "collective", relation->key);
	cells[4] = weir_tables_text(why);
	return weir_tableout_put(&rows->out, WEIR_TABLE_LINKS, cells);
}

/* Callers are in the table of events, but for what is above an unknown one. */
static int put_links(struct weir_tablerows *rows,
		     const struct weir_relation *relation)
{
	int err = put_end(rows, &relation->end);

	if (!err && relation->place.link == WEIR_TREE_UNKNOWN &&
	    relation->above.proc)
		err = put_link(rows, "above",
			       frame_number(relation->place.above),
			       &relation->above);
	if (!err && relation->joint)
		err = put_joint(rows, relation);
	if (!err && relation->cause)
		err = put_node(rows, "caused", relation->cause);
	if (!err && relation->batch)
		err = put_node(rows, "batched", relation->batch);
	return err;
}

/* For ends to come; those of an operation may come several times. */
static int keep_open(struct weir_tablerows *rows,
		     const struct weir_dump_event *described)
{
	const struct weir_links_end *end = &described->relation->end;
	uint64_t key, id;
	int is_last;

	switch (weir_pending_look(described->event, described->call, &key,
				  &is_last)) {
	case WEIR_PENDING_SUBMIT:
		id = id_key(weir_tree_id_of(described->event));
		return weir_map_put(&rows->open, id, rows->out.events);
	case WEIR_PENDING_DONE:
		if (is_last && (end->kind == WEIR_LINKS_COMPLETES ||
				end->kind == WEIR_LINKS_BATCHED))
			weir_map_remove(&rows->open, id_key(end->to));
		return 0;
	default:
		return 0;
	}
}

/* --- all of it ---------------------------------------------------------- */

static int put_gap(struct weir_tablerows *rows,
		   const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	weir_tableout_row cells = { weir_tables_text("gap") };

	if (described->process)
		cells[1] = weir_tables_unsigned(described->process->node);
	cells[2] = weir_tables_unsigned(event->proc);
	cells[3] = weir_tables_unsigned(event->thread);
	cells[4] = weir_tables_unsigned(described->start);
	cells[5] = weir_tables_unsigned(event->dur);
	if (event->size)
		cells[6] = weir_tables_unsigned(event->size);
	return weir_tableout_put(&rows->out, WEIR_TABLE_LOSSES, cells);
}

int weir_tablerows_event(struct weir_tablerows *rows,
			 const struct weir_dump_event *described)
{
	struct weir_tree_frame *frame = described->relation->place.frame;
	uint32_t number;
	bool is_new;
	int err;

	if (described->event->call == WEIR_NOTE_LOSS)
		return put_gap(rows, described);
	rows->out.events++;
	if (frame)
		frame->own = (void *)(uintptr_t)rows->out.events;
	err = weir_tablefacts_thread(&rows->out, described->event->proc,
				     described->event->thread, 0);
	if (!err)
		err = weir_callbook_find(&rows->calls, described, &number,
					 &is_new);
	if (!err && is_new)
		err = put_call(rows, number, described);
	if (!err)
		err = put_event_row(rows, number, described);
	if (!err && described->call)
		err = put_arguments(rows, described);
	if (!err && described->call && is_mark(described->call))
		err = put_mark(rows, described);
	if (!err)
		err = put_links(rows, described->relation);
	return err ? err : keep_open(rows, described);
}
