/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace: all its events in order of their start. */
#include "trace/read/reader.h"

#include "trace/read/cursor.h"
#include "trace/read/readheap.h"
#include "trace/read/readplan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the events at hand of all threads may take together, bytes. */
#define MEMORY (UINT64_C(256) << 20)

struct weir_reader {
	struct weir_readset set;
	uint32_t *proc_base; /* of each node */
	uint32_t process_count;
	struct weir_readplan plan;
	uint64_t next_entry; /* of the plan */
	uint64_t group; /* of the entries at hand */
	uint64_t done, all; /* events of the plan; see weir_reader_progress() */
	uint64_t begin, end; /* of all events */
	uint64_t from, to; /* window, CLOCK_REALTIME */
	uint8_t *unwanted; /* by process number */
	struct weir_cursor_bench bench;
	struct weir_readheap heap;
	int started;
	int stepping; /* the event at the top has been handed out */
	struct weir_damage damage; /* met while reading */
};

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static int number_processes(struct weir_reader *reader)
{
	const struct weir_readset *set = &reader->set;

	reader->proc_base = calloc(set->count + 1,
				   sizeof(*reader->proc_base));
	if (!reader->proc_base)
		return -ENOMEM;
	for (uint32_t i = 0; i < set->count; i++) {
		struct weir_readnode *node = set->nodes[i];

		reader->proc_base[i] = reader->process_count;
		for (uint32_t p = 0; p < node->process_count; p++)
			if (node->processes[p])
				node->processes[p]->number =
					reader->process_count + p + 1;
		reader->process_count += node->process_count;
	}
	reader->unwanted = calloc((size_t)reader->process_count + 1, 1);
	return reader->unwanted ? 0 : -ENOMEM;
}

int weir_reader_open(const char *path, struct weir_reader **ret_reader)
{
	return weir_reader_open_within(path, WEIR_READSHELF_NAMES, ret_reader);
}

int weir_reader_open_within(const char *path, uint64_t names,
			    struct weir_reader **ret_reader)
{
	struct weir_reader *reader = calloc(1, sizeof(*reader));
	int err;

	if (!reader)
		return -ENOMEM;
	reader->to = UINT64_MAX;
	reader->bench.memory = MEMORY;
	reader->set.shelf.names.most = names < WEIR_READSHELF_NAMES ?
					       names : WEIR_READSHELF_NAMES;
	err = weir_readset_open(&reader->set, path);
	if (!err)
		err = number_processes(reader);
	if (!err)
		err = weir_readplan_make(&reader->plan, &reader->set);
	if (err) {
		weir_reader_close(reader);
		return err;
	}
	if (reader->plan.count)
		reader->begin = reader->plan.entries[0].begin;
	for (uint64_t i = 0; i < reader->plan.count; i++)
		if (reader->plan.entries[i].end > reader->end)
			reader->end = reader->plan.entries[i].end;
	*ret_reader = reader;
	return 0;
}

void weir_reader_close(struct weir_reader *reader)
{
	if (!reader)
		return;
	weir_readheap_fini(&reader->heap, &reader->bench);
	weir_readplan_fini(&reader->plan);
	free(reader->proc_base);
	free(reader->unwanted);
	weir_cursor_bench_fini(&reader->bench);
	weir_readset_close(&reader->set);
	free(reader);
}

/* Only this thread writes it. */
static void count_done(struct weir_reader *reader, uint64_t more)
{
	__atomic_store_n(&reader->done, reader->done + more, __ATOMIC_RELAXED);
}

/* A cursor is done. A block that cannot be read is left out, and counted. */
static int retire(struct weir_reader *reader, struct weir_cursor *cursor,
		  int err)
{
	weir_cursor_stop(cursor, &reader->bench);
	if (err != -EBADMSG)
		return err;
	reader->damage.blocks++;
	count_done(reader, cursor->block->found.head.count - cursor->done);
	reader->damage.events += cursor->block->found.head.count - cursor->done;
	return 0;
}

static int wants_entry(const struct weir_readplan_entry *entry,
		       const void *context)
{
	const struct weir_reader *reader = context;
	uint32_t proc = reader->proc_base[entry->node->number] +
			entry->block->found.head.proc;

	if (entry->end < reader->from || entry->begin > reader->to)
		return 0;
	return !reader->unwanted[proc];
}

/* When the filters are known it is, too, how much there will be at once. */
static int start_reading(struct weir_reader *reader)
{
	uint64_t all = 0;

	reader->started = 1;
	weir_readplan_filter(&reader->plan, wants_entry, reader);
	for (uint64_t i = 0; i < reader->plan.count; i++)
		all += reader->plan.entries[i].block->found.head.count;
	__atomic_store_n(&reader->all, all, __ATOMIC_RELAXED);
	return weir_readplan_share(&reader->plan, reader->bench.memory,
				   &reader->bench.share);
}

static int enter_block(struct weir_reader *reader,
		       const struct weir_readplan_entry *entry)
{
	struct weir_cursor *cursor;
	int err = weir_readheap_borrow(&reader->heap, &cursor);

	if (err)
		return err;
	cursor->node = entry->node;
	cursor->block = entry->block;
	reader->group = entry->group;
	cursor->proc_base = reader->proc_base[entry->node->number];
	err = weir_cursor_start(cursor, &reader->bench);
	if (err <= 0)
		return retire(reader, cursor, err);
	weir_readheap_put(&reader->heap);
	return 0;
}

/* Whether the events of a block may not come yet. */
static int is_later(const struct weir_reader *reader,
		    const struct weir_readplan_entry *entry)
{
	return entry->group != reader->group ||
	       entry->begin > reader->heap.places[0].key;
}

/* Takes in the blocks that begin before the earliest event at hand. */
static int enter_blocks(struct weir_reader *reader)
{
	while (reader->next_entry < reader->plan.count) {
		const struct weir_readplan_entry *entry =
			&reader->plan.entries[reader->next_entry];
		int err;

		if (reader->heap.count && is_later(reader, entry))
			return 0;
		reader->next_entry++;
		err = enter_block(reader, entry);
		if (err)
			return err;
	}
	return 0;
}

/* Moves the top cursor past the event that was handed out last. */
static int step_over(struct weir_reader *reader)
{
	struct weir_cursor *top = reader->heap.places[0].cursor;
	int more = weir_cursor_step(top, &reader->bench);

	reader->stepping = 0;
	count_done(reader, 1);
	weir_readheap_settle(&reader->heap, more <= 0);
	return more > 0 ? 0 : retire(reader, top, more);
}

static int is_within(const struct weir_reader *reader,
		     const struct weir_cursor *top)
{
	return top->key <= reader->to &&
	       add_capped(top->key, weir_cursor_event(top)->dur) >=
		       reader->from;
}

/* Stands at the next event: 1; 0: there is none; or -errno. */
static int go_on(struct weir_reader *reader)
{
	int err = reader->started ? 0 : start_reading(reader);

	if (!err && reader->stepping)
		err = step_over(reader);
	if (!err)
		err = enter_blocks(reader);
	if (err)
		return err;
	reader->stepping = reader->heap.count > 0;
	return reader->stepping;
}

int weir_reader_next(struct weir_reader *reader, struct weir_event *ret_event)
{
	const struct weir_cursor *top;
	const struct weir_event *event;
	int more;

	do {
		more = go_on(reader);
		if (!more)
			weir_cursor_bench_rest(&reader->bench);
		if (more <= 0)
			return more;
		top = reader->heap.places[0].cursor;
	} while (!is_within(reader, top));
	event = weir_cursor_event(top);
	*ret_event = *event;
	if (event->detail_len && !event->detail)
		more = weir_cursor_fetch(top, &reader->bench,
					 &ret_event->detail);
	return more;
}

void weir_reader_progress(const struct weir_reader *reader, uint64_t *ret_done,
			  uint64_t *ret_all)
{
	*ret_done = __atomic_load_n(&reader->done, __ATOMIC_RELAXED);
	*ret_all = __atomic_load_n(&reader->all, __ATOMIC_RELAXED);
}

void weir_reader_limit(struct weir_reader *reader, uint64_t bytes)
{
	reader->bench.memory = bytes;
}

void weir_reader_between(struct weir_reader *reader, uint64_t from,
			 uint64_t to)
{
	reader->from = add_capped(reader->begin, from);
	reader->to = add_capped(reader->begin, to);
}

void weir_reader_only(struct weir_reader *reader,
		      int (*want)(const struct weir_procinfo *process,
				  void *context),
		      void *context)
{
	static const struct weir_procinfo unknown;

	for (uint32_t proc = 1; proc <= reader->process_count; proc++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, proc);

		if (!want(process ? process : &unknown, context))
			reader->unwanted[proc] = 1;
	}
}

void weir_reader_by_process(struct weir_reader *reader)
{
	weir_readplan_by_process(&reader->plan);
}

void weir_reader_rewind(struct weir_reader *reader)
{
	weir_readheap_clear(&reader->heap, &reader->bench);
	weir_readplan_restore(&reader->plan);
	memset(reader->unwanted, 0, (size_t)reader->process_count + 1);
	reader->next_entry = reader->group = reader->from = 0;
	reader->done = reader->all = 0;
	reader->to = UINT64_MAX;
	reader->started = reader->stepping = 0;
	reader->damage = (struct weir_damage){ 0 };
}

uint64_t weir_reader_begin(const struct weir_reader *reader)
{
	return reader->begin;
}

uint64_t weir_reader_end(const struct weir_reader *reader)
{
	return reader->end;
}

/* The node a process belongs to: the last whose base is below its number. */
static const struct weir_readnode *node_of(const struct weir_reader *reader,
					   uint32_t proc)
{
	uint32_t low = 0, high = reader->set.count;

	if (!proc || proc > reader->process_count)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (reader->proc_base[middle] < proc)
			low = middle;
		else
			high = middle;
	}
	return reader->set.nodes[low];
}

static struct weir_readplan_thread
thread_of(const struct weir_reader *reader, const struct weir_event *event)
{
	const struct weir_readnode *node = node_of(reader, event->proc);

	return (struct weir_readplan_thread){
		.node = node,
		.proc = node ? event->proc - reader->proc_base[node->number] :
			       0,
		.thread = event->thread,
	};
}

int weir_reader_find(const struct weir_reader *reader,
		     const struct weir_event *event, uint64_t *ret_from,
		     uint64_t *ret_to)
{
	struct weir_readplan_thread of = thread_of(reader, event);
	uint64_t begin, end;
	int err = weir_readplan_find(&reader->plan, &of, event->index, &begin,
				     &end);

	if (err)
		return err;
	*ret_from = begin - reader->begin;
	*ret_to = end - reader->begin;
	return 0;
}

uint64_t weir_reader_before(const struct weir_reader *reader,
			    const struct weir_event *event, uint64_t from)
{
	struct weir_readplan_thread of = thread_of(reader, event);

	return weir_readplan_before(&reader->plan, &of,
				    add_capped(reader->begin, from)) -
	       reader->begin;
}

uint64_t weir_reader_real(const struct weir_reader *reader,
			  const struct weir_event *event)
{
	const struct weir_readnode *node = node_of(reader, event->proc);

	if (!node)
		return event->start;
	return weir_nodeinfo_day(&node->info, event->start);
}

const char *weir_reader_name(const struct weir_reader *reader, uint32_t file,
			     size_t *ret_len)
{
	return weir_names_get(&reader->set.shelf.names, file, ret_len);
}

const struct weir_procinfo *
weir_reader_process(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_readnode *node = node_of(reader, proc);

	return node ? node->processes[proc - 1 -
				      reader->proc_base[node->number]] : NULL;
}

const struct weir_call *weir_reader_call(const struct weir_reader *reader,
					 const struct weir_event *event)
{
	const struct weir_readnode *node = node_of(reader, event->proc);

	return node ? weir_dictionary_call(node->dictionary, event->call) :
		      NULL;
}

uint32_t weir_reader_processes(const struct weir_reader *reader)
{
	return reader->process_count;
}

const struct weir_names *
weir_reader_all_names(const struct weir_reader *reader)
{
	return &reader->set.shelf.names;
}

uint32_t weir_reader_names(const struct weir_reader *reader)
{
	return reader->set.shelf.names.count;
}

uint64_t weir_reader_calls(const struct weir_reader *reader)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < reader->set.count; i++)
		calls += reader->set.nodes[i]->calls;
	return calls;
}

int weir_reader_clocks(const struct weir_reader *reader, uint64_t *ret_error)
{
	struct weir_clockfix_bound bound = { 0 };

	for (uint32_t i = 0; i < reader->set.count; i++)
		weir_clockfix_bind(&bound, &reader->set.nodes[i]->info.clock);
	return weir_clockfix_within(&bound, ret_error);
}

const struct weir_nodeinfo *weir_reader_node(const struct weir_reader *reader,
					     uint32_t node)
{
	return node < reader->set.count ? &reader->set.nodes[node]->info :
					  NULL;
}

int weir_reader_outcome(const struct weir_reader *reader,
			struct weir_outcome **ret_outcome)
{
	int err = 0;

	*ret_outcome = NULL;
	for (uint32_t i = 0; !err && i < reader->set.count; i++)
		err = weir_outcome_add(ret_outcome,
				       reader->set.nodes[i]->outcome);
	return err;
}

const struct weir_mounts *weir_reader_mounts(const struct weir_reader *reader,
					     uint32_t node)
{
	return node < reader->set.count ? &reader->set.nodes[node]->mounts :
					  NULL;
}

const struct weir_dictionary *
weir_reader_dictionary(const struct weir_reader *reader, uint32_t node)
{
	return node < reader->set.count ? reader->set.nodes[node]->dictionary :
					  NULL;
}

int weir_reader_has_profiles(const struct weir_reader *reader)
{
	for (uint32_t i = 0; i < reader->set.count; i++)
		if (reader->set.nodes[i]->profile_count)
			return 1;
	return 0;
}

int weir_reader_profile(struct weir_reader *reader, uint32_t proc, int current,
			struct weir_bytes *payload)
{
	const struct weir_readnode *node = node_of(reader, proc);
	uint64_t at;
	int err;

	if (!node || reader->unwanted[proc])
		return 0;
	at = weir_map_get(current ? &node->current_of : &node->profile_of,
			  proc - reader->proc_base[node->number]);
	if (!at)
		return 0;
	err = weir_readnode_load(node, &node->profiles[at - 1], payload);
	if (err == -EBADMSG) {
		reader->damage.blocks++;
		return 0;
	}
	return err ? err : 1;
}

void weir_reader_note_damage(struct weir_reader *reader)
{
	reader->damage.blocks++;
}

const struct weir_nodeinfo *
weir_reader_node_of(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_readnode *node = node_of(reader, proc);

	return node ? &node->info : NULL;
}

void weir_reader_losses(const struct weir_reader *reader,
			struct weir_reader_losses *ret_losses)
{
	struct weir_reader_losses losses = {
		.damaged_events = reader->damage.events,
		.damaged_blocks = reader->damage.blocks,
		.unended = reader->set.unended,
		.refused = reader->set.refused,
		.unrecorded = reader->set.marks,
	};

	for (uint32_t i = 0; i < reader->set.count; i++) {
		const struct weir_damage *damage =
			&reader->set.nodes[i]->damage;

		losses.damaged_blocks += damage->blocks;
		losses.damaged_bytes += damage->bytes;
		losses.damaged_events += damage->events;
		weir_unrecorded_add(&losses.unrecorded,
				    &reader->set.nodes[i]->unrecorded);
	}
	for (uint32_t proc = 1; proc <= reader->process_count; proc++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, proc);

		if (!process)
			continue;
		losses.dropped += process->dropped + process->outside;
		losses.lost += process->lost;
		losses.overwritten += process->overwritten;
		for (int i = 0; i < 4; i++)
			losses.hidden[i] += process->hidden[i];
	}
	*ret_losses = losses;
}

int weir_reader_is_damaged(const struct weir_reader *reader)
{
	struct weir_reader_losses losses;

	weir_reader_losses(reader, &losses);
	return losses.damaged_blocks || losses.damaged_bytes ||
	       losses.unended || losses.refused;
}
