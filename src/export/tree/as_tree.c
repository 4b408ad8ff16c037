/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints each call of the application with all that it caused. */
#include "export/tree/as_tree.h"

#include "analyse/causes.h"
#include "export/dump/as_text.h"
#include "export/dump/calltext.h"
#include "export/grove.h"
#include "export/ties.h"
#include "export/tree/treerows.h"
#include "trace/select.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

#define MEMORY (64u << 20)

struct writing {
	struct weir_dump dump;
	const struct weir_dump_filter *filter;
	const struct weir_as_tree_wish *wish;
	struct weir_as_tree_told *told;
	const uint8_t *matches; /* files; may be NULL */
	struct weir_collective collective;
	struct weir_causes causes;
	struct weir_grove grove;
	struct weir_treerows rows;
	struct weir_text line; /* goes nowhere: to take its bytes from */
};

static uint32_t rank_or_none(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;

	return rank < 0 || rank > UINT32_MAX ? proc : (uint32_t)rank;
}

static uint64_t event_end(const struct weir_reader *reader,
			  const struct weir_event *event)
{
	return weir_reader_real(reader, event) + event->dur;
}

static int add_member(struct weir_reader *reader,
		      struct weir_collective *all,
		      const struct weir_event *event,
		      const struct weir_call *call)
{
	struct weir_collective_member member = { .proc = event->proc };

	if (!weir_collective_key(event, call, &member.key))
		return 0;
	member.rank = rank_or_none(reader, event->proc);
	member.end = event_end(reader, event);
	return weir_collective_add(all, &member);
}

/* Who takes part in collective calls, and how much is done for others. */
static int read_before(struct writing *w, struct weir_reader *reader)
{
	struct weir_event event;
	int err = 0, more;

	while (!err && (more = weir_reader_next(reader, &event)) > 0) {
		const struct weir_call *call =
			weir_reader_call(reader, &event);

		err = add_member(reader, &w->collective, &event, call);
		if (!err)
			err = weir_causes_count(&w->causes, &event, call);
	}
	weir_collective_sort(&w->collective);
	return err ? err : more;
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
		return false;
	w->told->found = true;
	return true;
}

static bool ends_one(const struct weir_links_end *end)
{
	return end->kind == WEIR_LINKS_COMPLETES ||
	       end->kind == WEIR_LINKS_BATCHED;
}

/* Why it does not stand below the call that it is done for. */
static void put_cause(struct writing *w, const struct weir_kin *kin)
{
	struct weir_text *out = &w->line;

	if (!kin->cause || (!kin->place.above &&
			    weir_ties_has(&w->grove, kin->cause)))
		return;
	weir_text_string(out, "  [for ");
	weir_text_hex(out, kin->cause);
	if (!weir_causes_knows(&w->causes, kin->cause)) {
		weir_text_string(out, ", which is unknown");
		w->told->uncaused++;
	}
	weir_text_char(out, ']');
}

static void put_link(struct writing *w, const struct weir_kin *kin)
{
	struct weir_text *out = &w->line;

	if (kin->place.link == WEIR_TREE_UNKNOWN)
		weir_text_string(out, "  [caller unknown]");
	if (kin->place.link == WEIR_TREE_DEFERRED)
		weir_text_string(out, "  [deferred]");
	put_cause(w, kin);
	switch (kin->end.kind) {
	case WEIR_LINKS_NONE:
		return;
	case WEIR_LINKS_COMPLETES:
		weir_text_string(out, "  [completes ");
		weir_dump_put_id(out, kin->end.to);
		break;
	case WEIR_LINKS_BATCHED:
		weir_text_string(out, "  [batched, completes ");
		weir_dump_put_id(out, kin->end.to);
		break;
	case WEIR_LINKS_ONE_OF:
		weir_text_string(out, "  [completes one of ");
		weir_text_unsigned(out, kin->end.open);
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
	put_link(w, described->kin);
}

static int add_event(struct writing *w, const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	const struct weir_kin *kin = described->kin;
	struct weir_collective_node node;
	struct weir_grove_call call = {
		.id = weir_tree_id_of(event),
		.start = described->start,
		.dur = event->dur,
		.end = event->flags & WEIR_EVENT_ENTERED
			       ? UINT64_MAX
			       : event_end(w->dump.reader, event),
		.layer = described->call ? described->call->layer : NULL,
		.is_wanted = wants_tree_of(w, event),
		.is_cause = kin->end.kind == WEIR_LINKS_BATCHED,
		.ends_wanted =
			ends_one(&kin->end) && is_asked_for(w, kin->end.to),
		.cid = weir_links_cid(event, described->call),
		.cause = kin->cause,
		.batch = kin->batch,
		.does_batch =
			kin->batch && weir_links_does_batch(described->call),
	};

	call.caused = weir_causes_of_call(&w->causes, call.cid);
	call.doers = weir_causes_of_batch(&w->causes, call.batch);
	if (kin->is_collective &&
	    weir_collective_find(&w->collective, kin->key, event->proc, &node))
		call.node = &node;
	w->line.used = 0;
	write_line(w, described);
	call.text = w->line.bytes;
	call.text_len = w->line.used;
	return weir_grove_add(&w->grove, kin->place.above, kin->place.frame,
			      &call);
}

static int add_events(struct writing *w)
{
	struct weir_reader *reader = w->dump.reader;
	const struct weir_dump_filter *filter = w->filter;
	struct weir_kin kin;
	struct weir_dump_event described = { .kin = &kin };
	struct weir_event event;
	int err, more;

	while ((more = weir_reader_next(reader, &event)) > 0) {
		if (event.call == WEIR_NOTE_SUM)
			continue;
		weir_grove_show(&w->grove, weir_reader_real(reader, &event));
		weir_dump_describe(reader, &event, &described);
		err = weir_kinship_add(filter->kinship, &event, described.call,
				       &kin);
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
	weir_grove_show(&w->grove, UINT64_MAX);
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
	int err = read_before(w, w->wish->first);
	int flushed;

	if (err)
		return err;
	w->told->unjoined = w->collective.left_out + w->causes.left_out;
	w->told->caused = w->causes.caused;
	w->told->nobodys = w->causes.nobodys;
	w->rows = (struct weir_treerows){
		.out = &w->dump.out,
		.reader = w->dump.reader,
		.selects = w->matches || w->wish->of.proc,
		.depth = w->wish->depth,
	};
	weir_grove_init(&w->grove, w->wish->memory ? w->wish->memory : MEMORY,
			weir_treerows_show, &w->rows);
	select_events(w->dump.reader, w->filter);
	weir_as_text_head(&w->dump);
	weir_treerows_head(&w->dump.out);
	err = add_events(w);
	flushed = weir_text_flush(&w->dump.out);
	w->told->parted = w->grove.parted;
	weir_treerows_fini(&w->rows);
	weir_grove_fini(&w->grove);
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
	weir_collective_fini(&w.collective);
	weir_causes_fini(&w.causes);
	weir_text_fini(&w.line);
	weir_text_fini(&w.dump.out);
	return err;
}
