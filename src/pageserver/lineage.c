/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one event with its callers, what it caused and who took part. */
#include "pageserver/lineage.h"

#include "analyse/calls/collective.h"
#include "analyse/calls/relations.h"
#include "export/dump/dump.h"
#include "trace/bytes/map.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#define MOST_BELOW    1000
#define MOST_TOGETHER 256
#define MOST_ENDS     64

/* A stretch of the trace that is gone through, event by event. */
struct pass {
	struct weir_relations relations;
	struct weir_event event;
	struct weir_dump_event described;
	struct weir_relation relation;
};

/* A collective call that the event is, or is part of. */
struct joint {
	bool is_there;
	uint64_t key, from, to;
};

struct answer {
	struct weir_dump dump;
	struct weir_tree_id id;
	struct weir_event target; /* without its detail */
	uint64_t start, end; /* ns since the trace's first event */
	uint64_t begin; /* from when on its callers can be told */
	bool is_unsure; /* more should have been read */
	enum weir_pending_side side;
	struct weir_map parents; /* of its thread: index + 1 to caller's + 1 */
	struct weir_map above; /* index + 1 of its callers */
	struct weir_map below; /* and of what it called */
	uint64_t below_count;
	struct joint joint; /* the outermost */
};

/* --- passes ------------------------------------------------------------ */

static int is_process(const struct weir_procinfo *process, void *context)
{
	return process->number == *(const uint32_t *)context;
}

/* proc 0: all processes */
static int begin_pass(struct answer *a, struct pass *pass, uint32_t proc,
		      uint64_t from, uint64_t to)
{
	struct weir_reader *reader = a->dump.reader;

	weir_reader_rewind(reader);
	if (proc)
		weir_reader_only(reader, is_process, &proc);
	weir_reader_between(reader, from, to);
	*pass = (struct pass){ .described = { .event = NULL } };
	return weir_relations_init(&pass->relations, reader, NULL);
}

static void end_pass(struct pass *pass)
{
	weir_relations_fini(&pass->relations);
}

/* 1, 0 after the last, or -errno. */
static int go_on(struct answer *a, struct pass *pass)
{
	struct weir_reader *reader = a->dump.reader;
	int more, err;

	do {
		more = weir_reader_next(reader, &pass->event);
	} while (more > 0 && pass->event.call == WEIR_NOTE_SUM);
	if (more <= 0)
		return more;
	weir_dump_describe(reader, &pass->event, &pass->described);
	pass->described.relation = &pass->relation;
	err = weir_relations_add(&pass->relations, &pass->event,
				 pass->described.call, &pass->relation);
	return err ? err : 1;
}

/* What it completes is known when all before it was read, and only then. */
static void put_completed(struct answer *a, const struct pass *pass,
			  uint64_t before)
{
	if (a->begin && pass->relation.end.kind != WEIR_LINKS_NONE)
		a->is_unsure = true;
	if (before)
		weir_text_char(&a->dump.out, ',');
	weir_as_jsonl.event(&a->dump, &pass->described);
}

static bool is_same_event(struct weir_tree_id a, struct weir_tree_id b)
{
	return a.proc == b.proc && a.thread == b.thread && a.index == b.index;
}

static bool is_of_thread(const struct answer *a, const struct pass *pass)
{
	return pass->event.proc == a->id.proc &&
	       pass->event.thread == a->id.thread;
}

static bool is_target(const struct answer *a, const struct pass *pass)
{
	return is_same_event(weir_tree_id_of(&pass->event), a->id);
}

/* --- the event itself --------------------------------------------------- */

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void note_target(struct answer *a, const struct pass *pass)
{
	uint64_t key;
	int is_last;

	a->target = pass->event;
	a->target.detail = NULL;
	a->start = pass->described.start;
	a->end = pass->event.flags & WEIR_EVENT_ENTERED ?
			 UINT64_MAX : add_capped(a->start, pass->event.dur);
	a->side = weir_pending_look(&pass->event, pass->described.call, &key,
				    &is_last);
}

static int find_target(struct answer *a)
{
	struct weir_event asked = { .proc = a->id.proc, .thread = a->id.thread,
				    .index = a->id.index };
	struct pass pass;
	uint64_t from, to;
	int more, err = weir_reader_find(a->dump.reader, &asked, &from, &to);

	if (!err)
		err = begin_pass(a, &pass, a->id.proc, from, to);
	if (err)
		return err;
	while ((more = go_on(a, &pass)) > 0 && !is_target(a, &pass))
		;
	if (more > 0)
		note_target(a, &pass);
	end_pass(&pass);
	return more > 0 ? 0 : more < 0 ? more : -ENOENT;
}

/* --- what is above ------------------------------------------------------ */

static bool has_caller(const struct weir_relation *relation)
{
	return relation->place.link == WEIR_TREE_NESTED ||
	       relation->place.link == WEIR_TREE_DEFERRED;
}

/*
 * Learns who called whom in the thread up to the event. *ret_leads: something
 * was over before it began, so that what is below it can be told, too.
 */
static int learn_callers(struct answer *a, bool *ret_leads)
{
	struct pass pass;
	int more, err = begin_pass(a, &pass, a->id.proc, a->begin, a->start);

	*ret_leads = false;
	if (err)
		return err;
	while ((more = go_on(a, &pass)) > 0) {
		const struct weir_event *event = &pass.event;

		if (!is_of_thread(a, &pass))
			continue;
		if (add_capped(pass.described.start, event->dur) < a->start)
			*ret_leads = true;
		else if (has_caller(&pass.relation))
			err = weir_map_put(&a->parents, event->index + 1,
					   pass.relation.above.index + 1);
		if (err || is_target(a, &pass))
			break;
	}
	end_pass(&pass);
	return err ? err : more < 0 ? more : 0;
}

static int climb(struct answer *a)
{
	uint64_t at = a->id.index + 1;

	while ((at = weir_map_get(&a->parents, at)))
		if (weir_map_put(&a->above, at, 1))
			return -ENOMEM;
	return 0;
}

/*
 * Callers began before and end later, so they are among what overlaps the
 * event. How much is below it is told by what ended last before: that may be
 * in a block further back.
 */
static int find_callers(struct answer *a)
{
	bool leads = false, is_first = false;
	int err = 0;

	a->begin = a->start;
	while (!err && !leads && !is_first) {
		uint64_t from = weir_reader_before(a->dump.reader, &a->target,
						   a->begin);

		is_first = from == a->begin;
		a->begin = from;
		weir_map_fini(&a->parents);
		err = learn_callers(a, &leads);
	}
	return err ? err : climb(a);
}

/* --- the parts of the answer --------------------------------------------- */

static void note_joint(struct answer *a, const struct pass *pass)
{
	if (a->joint.is_there ||
	    pass->relation.joint != WEIR_COLLECTIVE_JOINED)
		return;
	a->joint = (struct joint){
		.is_there = true,
		.key = pass->relation.key,
		.from = pass->described.start,
		.to = pass->event.flags & WEIR_EVENT_ENTERED ?
			      UINT64_MAX :
			      add_capped(pass->described.start,
					 pass->event.dur),
	};
}

static int put_above(struct answer *a, struct pass *pass)
{
	uint64_t count = 0;
	int more;

	weir_text_string(&a->dump.out, "{\"above\":[");
	while ((more = go_on(a, pass)) > 0 && !is_target(a, pass)) {
		if (!is_of_thread(a, pass) ||
		    !weir_map_get(&a->above, pass->event.index + 1))
			continue;
		note_joint(a, pass);
		put_completed(a, pass, count++);
	}
	return more > 0 ? 0 : more < 0 ? more : -ENOENT;
}

static void put_target(struct answer *a, struct pass *pass)
{
	note_joint(a, pass);
	if (pass->relation.place.frame)
		a->below_count = pass->relation.place.frame->below;
	weir_text_string(&a->dump.out, "],\"event\":");
	put_completed(a, pass, 0);
}

static bool is_below(struct answer *a, const struct pass *pass)
{
	return is_of_thread(a, pass) && has_caller(&pass->relation) &&
	       (pass->relation.above.index == a->id.index ||
		weir_map_get(&a->below, pass->relation.above.index + 1));
}

static int put_below(struct answer *a, struct pass *pass)
{
	uint64_t count = 0;
	int more = 1, err = 0;

	weir_text_string(&a->dump.out, ",\"below\":[");
	while (!err && a->below_count && count < MOST_BELOW &&
	       (more = go_on(a, pass)) > 0) {
		if (!is_below(a, pass))
			continue;
		put_completed(a, pass, count++);
		err = weir_map_put(&a->below, pass->event.index + 1, 1);
	}
	if (count < MOST_BELOW) /* as counted, where numbers may mislead */
		a->below_count = count;
	weir_text_string(&a->dump.out, "],\"below_count\":");
	weir_text_unsigned(&a->dump.out, a->below_count);
	return err ? err : more < 0 ? more : 0;
}

static int put_kin_once(struct answer *a)
{
	struct pass pass;
	int err = begin_pass(a, &pass, a->id.proc, a->begin, a->end);

	if (err)
		return err;
	err = put_above(a, &pass);
	if (!err) {
		put_target(a, &pass);
		err = put_below(a, &pass);
	}
	end_pass(&pass);
	return err;
}

/* Takes back what was written so far. */
static int start_over(struct answer *a)
{
	a->dump.out.used = 0;
	a->is_unsure = false;
	weir_map_fini(&a->below);
	return ftruncate(a->dump.out.fd, 0) < 0 ||
	       lseek(a->dump.out.fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

static int put_kin(struct answer *a)
{
	int err = put_kin_once(a);

	if (err || !a->is_unsure)
		return err;
	a->begin = 0;
	err = start_over(a);
	return err ? err : put_kin_once(a);
}

static bool is_of_joint(const struct answer *a, const struct pass *pass)
{
	uint64_t key;

	return pass->event.proc != a->id.proc &&
	       weir_collective_key(&pass->relations.worlds, &pass->event,
				   pass->described.call,
				   &key) == WEIR_COLLECTIVE_JOINED &&
	       key == a->joint.key;
}

static int put_joint(struct answer *a, uint64_t *ret_count)
{
	struct pass pass;
	uint64_t count = 0;
	int more, err = begin_pass(a, &pass, 0, a->joint.from, a->joint.to);

	if (err)
		return err;
	while ((more = go_on(a, &pass)) > 0)
		if (is_of_joint(a, &pass) && count++ < MOST_TOGETHER)
			put_completed(a, &pass, count - 1);
	end_pass(&pass);
	*ret_count = count;
	return more;
}

/* The calls of other processes that are one with it, while it ran. */
static int put_together(struct answer *a)
{
	uint64_t count = 0;
	int err = 0;

	weir_text_string(&a->dump.out, ",\"together\":[");
	if (a->joint.is_there)
		err = put_joint(a, &count);
	weir_text_string(&a->dump.out, "],\"together_count\":");
	weir_text_unsigned(&a->dump.out, count);
	return err;
}

static bool completes_target(const struct answer *a,
			     const struct weir_relation *relation)
{
	return (relation->end.kind == WEIR_LINKS_COMPLETES ||
		relation->end.kind == WEIR_LINKS_BATCHED) &&
	       is_same_event(relation->end.to, a->id);
}

static int put_ends(struct answer *a)
{
	struct pass pass;
	uint64_t count = 0, key;
	int more = 1, is_last = 0;
	int err = begin_pass(a, &pass, a->id.proc, 0, UINT64_MAX);

	if (err)
		return err;
	while (!is_last && count < MOST_ENDS && (more = go_on(a, &pass)) > 0) {
		if (!completes_target(a, &pass.relation))
			continue;
		put_completed(a, &pass, count++);
		weir_pending_look(&pass.event, pass.described.call, &key,
				  &is_last);
	}
	end_pass(&pass);
	return more < 0 ? more : 0;
}

/* Of an operation that was handed over: who saw its end, or its ends. */
static int put_completions(struct answer *a)
{
	int err = 0;

	weir_text_string(&a->dump.out, ",\"completed_by\":[");
	if (a->side == WEIR_PENDING_SUBMIT)
		err = put_ends(a);
	weir_text_string(&a->dump.out, "]}\n");
	return err;
}

int weir_lineage_answer(struct weir_reader *reader, struct weir_sites *sites,
			struct weir_tree_id id, int fd)
{
	struct answer a = { .dump = { .reader = reader, .sites = sites },
			    .id = id };
	int err = weir_text_init(&a.dump.out, fd);

	err = err ? err : find_target(&a);
	err = err ? err : find_callers(&a);
	err = err ? err : put_kin(&a);
	err = err ? err : put_together(&a);
	err = err ? err : put_completions(&a);
	err = err ? err : weir_text_flush(&a.dump.out);
	weir_text_fini(&a.dump.out);
	weir_map_fini(&a.parents);
	weir_map_fini(&a.above);
	weir_map_fini(&a.below);
	return err;
}
