/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints each call of the application with all that it caused. */
#include "export/tree/as_tree.h"

#include "analyse/causes/crosscause.h"
#include "export/dump/as_text.h"
#include "export/dump/calltext.h"
#include "export/tree/treebuffer.h"
#include "export/tree/treecauses.h"
#include "export/tree/treerows.h"
#include "trace/read/select.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

#define MEMORY (64u << 20)

struct writing {
	struct weir_dump dump;
	const struct weir_dump_filter *filter;
	const struct weir_as_tree_wish *wish;
	struct weir_as_tree_told *told;
	const uint8_t *matches; /* files; may be NULL */
	struct weir_crosscause causes;
	struct weir_map ended; /* operations where `of' was done for them */
	struct weir_treebuffer buffer;
	struct weir_treerows rows;
	struct weir_text line; /* goes nowhere: to take its bytes from */
};

static uint64_t event_end(const struct weir_reader *reader,
		       const struct weir_event *event)
{
	return weir_reader_real(reader, event) + event->dur;
}

static bool is_asked_for(const struct writing *w, struct weir_tree_id id)
{
	const struct weir_tree_id *of = &w->wish->of;

	return of->proc && of->proc == id.proc && of->thread == id.thread &&
	       of->index == id.index;
}

static bool wants_tree_of(struct writing *w, const struct weir_event *event)
{
	if (w->matches && !w->matches[event->file])
		return false;
	if (!w->wish->of.proc)
		return w->matches;
	if (!is_asked_for(w, weir_tree_id_of(event)))
		return weir_map_get(
			&w->ended, weir_treecauses_key(weir_tree_id_of(event)));
	w->told->found = true;
	return true;
}

static bool ends_one(const struct weir_links_end *end)
{
	return end->kind == WEIR_LINKS_COMPLETES ||
	       end->kind == WEIR_LINKS_BATCHED;
}

/* Why it does not stand below the call that it is done for. */
static void put_cause(struct writing *w, const struct weir_relation *relation)
{
	struct weir_text *out = &w->line;

	if (!relation->cause ||
	    (!relation->place.above &&
	     weir_treewaits_has(&w->buffer.waits, relation->cause)))
		return;
	weir_text_string(out, "  [for ");
	weir_text_hex(out, relation->cause);
	if (!weir_crosscause_knows(&w->causes, relation->cause)) {
		weir_text_string(out, ", which is unknown");
		w->told->uncaused++;
	}
	weir_text_char(out, ']');
}

static void put_link(struct writing *w, const struct weir_relation *relation)
{
	struct weir_text *out = &w->line;

	if (relation->place.link == WEIR_TREE_UNKNOWN)
		weir_text_string(out, "  [caller unknown]");
	if (relation->place.link == WEIR_TREE_DEFERRED)
		weir_text_string(out, "  [deferred]");
	if (weir_collective_why(relation->joint)) {
		weir_text_string(out, "  [not joined: its ");
		weir_text_string(out, weir_collective_why(relation->joint));
		weir_text_string(out, " is unknown]");
	}
	put_cause(w, relation);
	switch (relation->end.kind) {
	case WEIR_LINKS_NONE:
		return;
	case WEIR_LINKS_COMPLETES:
		weir_text_string(out, "  [completes ");
		weir_dump_put_id(out, relation->end.to);
		break;
	case WEIR_LINKS_BATCHED:
		weir_text_string(out, "  [batched, completes ");
		weir_dump_put_id(out, relation->end.to);
		break;
	case WEIR_LINKS_ONE_OF:
		weir_text_string(out, "  [completes one of ");
		weir_text_unsigned(out, relation->end.open);
		break;
	case WEIR_LINKS_UNSEEN:
		weir_text_string(out, "  [completes an unknown operation");
		break;
	}
	weir_text_char(out, ']');
}

/* A line too long for the buffer would be no good to anybody. */
static void write_line(struct writing *w,
		       const struct weir_dump_event *described)
{
	weir_calltext_put(&w->line, described);
	if (w->line.err) {
		w->line.err = 0;
		w->line.used = 0;
		weir_dump_put_call(&w->line, described);
		weir_text_string(&w->line, "(...)");
	}
	put_link(w, described->relation);
}

static int add_event(struct writing *w, const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	const struct weir_relation *relation = described->relation;
	struct weir_collective_node node;
	struct weir_treeline_call call = {
		.id = weir_tree_id_of(event),
		.start = described->start,
		.dur = event->dur,
		.end = event->flags & WEIR_EVENT_ENTERED
			       ? UINT64_MAX
			       : event_end(w->dump.reader, event),
		.layer = described->call ? described->call->layer : NULL,
		.is_wanted = wants_tree_of(w, event),
		.is_cause = relation->end.kind == WEIR_LINKS_BATCHED,
		.ends_wanted = ends_one(&relation->end) &&
			       is_asked_for(w, relation->end.to),
		.cid = weir_links_cid(event, described->call),
		.cause = relation->cause,
		.batch = relation->batch,
		.does_batch = relation->batch &&
			      weir_links_does_batch(described->call),
	};

	call.caused = weir_crosscause_caused(&w->causes, call.cid);
	call.doers = weir_crosscause_doers(&w->causes, call.batch);
	if (relation->joint == WEIR_COLLECTIVE_JOINED &&
	    weir_collective_find(&w->causes.collective, relation->key,
				 event->proc, &node))
		call.node = &node;
	w->line.used = 0;
	write_line(w, described);
	call.text = w->line.bytes;
	call.text_len = w->line.used;
	return weir_treebuffer_add(&w->buffer, relation->place.above,
				   relation->place.frame, &call);
}

static int add_events(struct writing *w)
{
	struct weir_reader *reader = w->dump.reader;
	const struct weir_dump_filter *filter = w->filter;
	struct weir_relation relation;
	struct weir_dump_event described = { .relation = &relation };
	struct weir_event event;
	int err, more;

	while ((more = weir_reader_next(reader, &event)) > 0) {
		if (event.call == WEIR_NOTE_SUM)
			continue;
		weir_treebuffer_show(&w->buffer,
				     weir_reader_real(reader, &event));
		weir_dump_describe(reader, &event, &described);
		err = weir_relations_add(filter->relations, &event,
					 described.call, &relation);
		if (!err)
			err = add_event(w, &described);
		if (!err && filter->pending)
			err = weir_pending_add(filter->pending, &event,
					       described.call);
		if (!err)
			err = w->dump.out.err ? w->dump.out.err : w->rows.err;
		if (err)
			return err;
	}
	weir_treebuffer_show(&w->buffer, UINT64_MAX);
	return more ? more : w->rows.err;
}

static void select_events(struct weir_reader *reader,
			  const struct weir_dump_filter *filter)
{
	if (filter->process)
		weir_select_process(reader, filter->process);
	weir_reader_between(reader, filter->from, filter->to);
}

static int write_trees(struct writing *w)
{
	int err = weir_crosscause_count(&w->causes, w->wish->first);
	int flushed;

	if (err)
		return err;
	if (w->wish->of.proc)
		err = weir_treecauses_find(w->wish->first, w->wish->of,
					   &w->ended);
	if (err)
		return err;
	w->told->unjoined = w->causes.collective.left_out + w->causes.left_out;
	w->told->caused = w->causes.caused;
	w->told->nobodys = w->causes.nobodys;
	w->rows = (struct weir_treerows){
		.out = &w->dump.out,
		.reader = w->dump.reader,
		.selects = w->matches || w->wish->of.proc,
		.depth = w->wish->depth,
	};
	weir_treebuffer_init(&w->buffer,
			     w->wish->memory ? w->wish->memory : MEMORY,
			     weir_treerows_show, &w->rows);
	select_events(w->dump.reader, w->filter);
	weir_as_text_head(&w->dump);
	weir_treerows_head(&w->dump.out);
	err = add_events(w);
	flushed = weir_text_flush(&w->dump.out);
	w->told->parted = w->buffer.parted;
	weir_treerows_fini(&w->rows);
	weir_treebuffer_fini(&w->buffer);
	return err ? err : flushed;
}

int weir_as_tree_write(struct weir_reader *reader,
		       const struct weir_dump_filter *filter,
		       const struct weir_as_tree_wish *wish, int fd,
		       struct weir_as_tree_told *ret_told)
{
	struct writing w = { .dump = { .reader = reader }, .filter = filter,
			     .wish = wish, .told = ret_told };
	uint8_t *matches = NULL;
	int err = weir_text_init(&w.dump.out, fd);

	*ret_told = (struct weir_as_tree_told){ .found = false };
	if (!err)
		err = weir_text_init(&w.line, -1);
	if (!err && filter->file)
		err = weir_select_files(reader, filter->file, &matches);
	w.matches = matches;
	if (!err)
		err = write_trees(&w);
	free(matches);
	weir_crosscause_fini(&w.causes);
	weir_map_fini(&w.ended);
	weir_text_fini(&w.line);
	weir_text_fini(&w.dump.out);
	return err;
}
