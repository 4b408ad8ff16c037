/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace: all its events in order of their start. */
#include "trace/reader.h"

#include "trace/cursor.h"
#include "trace/readset.h"

#include <errno.h>
#include <stdlib.h>

/* Memory that the events of all cursors may take together. */
#define MEMORY      (256u << 20)
#define LEAST_SLICE 64

/* A block and when its first event starts, CLOCK_REALTIME. */
struct entry {
	uint64_t begin, end;
	const struct weir_blocks_found *block;
	const struct weir_readnode *node;
};

struct weir_reader {
	struct weir_readset set;
	uint32_t *proc_base; /* of each node */
	uint32_t process_count;
	struct entry *entries; /* by begin */
	uint64_t entry_count, next_entry;
	uint64_t begin;
	uint64_t from, to; /* window, CLOCK_REALTIME */
	uint8_t *unwanted; /* by process number */
	struct weir_cursor_bench bench;
	struct weir_cursor **heap; /* the earliest first */
	uint32_t heap_count, cursor_count, heap_room;
	int by_process;
	int stepping; /* the event at the top has been handed out */
	struct weir_damage damage; /* met while reading */
};

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static int by_begin(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->node != b->node)
		return a->node->number < b->node->number ? -1 : 1;
	return (a->block->at > b->block->at) - (a->block->at < b->block->at);
}

static int by_process(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	uint32_t one = a->block->head.proc, other = b->block->head.proc;

	if (a->node != b->node)
		return a->node->number < b->node->number ? -1 : 1;
	return one != other ? (one < other ? -1 : 1) : by_begin(left, right);
}

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The most blocks that cover one instant: so many cursors there will be. */
static int count_overlap(const struct weir_reader *reader,
			 uint64_t *ret_overlap)
{
	uint64_t n = reader->entry_count, most = 1, done = 0;
	uint64_t *ends = malloc((n + 1) * sizeof(*ends));

	if (!ends)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++)
		ends[i] = reader->entries[i].end;
	qsort(ends, n, sizeof(*ends), by_number);
	for (uint64_t i = 0; i < n; i++) {
		/* Times are the file's: an end may come before its begin. */
		while (done < i && ends[done] < reader->entries[i].begin)
			done++;
		if (i + 1 - done > most)
			most = i + 1 - done;
	}
	free(ends);
	*ret_overlap = most;
	return 0;
}

static int choose_slice(struct weir_reader *reader)
{
	uint64_t overlap = 1, slice;
	int err = count_overlap(reader, &overlap);

	if (err)
		return err;
	slice = MEMORY / sizeof(struct weir_event) / overlap;
	if (slice < LEAST_SLICE)
		slice = LEAST_SLICE;
	if (slice > WEIR_EVENTS_MOST)
		slice = WEIR_EVENTS_MOST;
	reader->bench.slice = (uint32_t)slice;
	return 0;
}

static int make_index(struct weir_reader *reader)
{
	const struct weir_readset *set = &reader->set;
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->count; i++)
		n += set->nodes[i]->event_blocks;
	reader->entries = malloc((n + 1) * sizeof(*reader->entries));
	if (!reader->entries)
		return -ENOMEM;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct weir_readnode *node = set->nodes[i];

		for (uint64_t b = 0; b < node->event_blocks; b++) {
			const struct weir_block *head = &node->events[b].head;

			reader->entries[reader->entry_count++] = (struct entry){
				.begin = weir_readnode_real(node, head->first),
				.end = weir_readnode_real(node, head->last),
				.block = &node->events[b],
				.node = node,
			};
		}
	}
	qsort(reader->entries, n, sizeof(*reader->entries), by_begin);
	reader->begin = n ? reader->entries[0].begin : 0;
	return choose_slice(reader);
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
	struct weir_reader *reader = calloc(1, sizeof(*reader));
	int err;

	if (!reader)
		return -ENOMEM;
	reader->to = UINT64_MAX;
	err = weir_readset_open(&reader->set, path);
	if (!err)
		err = number_processes(reader);
	if (!err)
		err = make_index(reader);
	if (err) {
		weir_reader_close(reader);
		return err;
	}
	*ret_reader = reader;
	return 0;
}

void weir_reader_close(struct weir_reader *reader)
{
	if (!reader)
		return;
	for (uint32_t i = 0; i < reader->cursor_count; i++) {
		weir_cursor_fini(reader->heap[i]);
		free(reader->heap[i]);
	}
	free(reader->heap);
	free(reader->entries);
	free(reader->proc_base);
	free(reader->unwanted);
	weir_cursor_bench_fini(&reader->bench);
	weir_readset_close(&reader->set);
	free(reader);
}

/* Order in which events are handed out; never equal for two of them. */
static int comes_before(const struct weir_cursor *a,
			const struct weir_cursor *b)
{
	const struct weir_event *left, *right;

	if (a->key != b->key)
		return a->key < b->key;
	left = weir_cursor_event(a);
	right = weir_cursor_event(b);
	if (left->proc != right->proc)
		return left->proc < right->proc;
	if (left->thread != right->thread)
		return left->thread < right->thread;
	if (left->depth != right->depth)
		return left->depth < right->depth;
	return left->index < right->index;
}

static void swap(struct weir_cursor **heap, uint32_t a, uint32_t b)
{
	struct weir_cursor *cursor = heap[a];

	heap[a] = heap[b];
	heap[b] = cursor;
}

static void sift_up(struct weir_cursor **heap, uint32_t at)
{
	while (at && comes_before(heap[at], heap[(at - 1) / 2])) {
		swap(heap, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void sift_down(struct weir_cursor **heap, uint32_t count)
{
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count &&
		    comes_before(heap[child + 1], heap[child]))
			child++;
		if (comes_before(heap[at], heap[child]))
			return;
		swap(heap, at, child);
		at = child;
	}
}

/* A block that cannot be read is left out, and counted. */
static int note_damage(struct weir_reader *reader,
		       const struct weir_cursor *cursor, int err)
{
	if (err != -EBADMSG)
		return err;
	reader->damage.blocks++;
	reader->damage.events += cursor->block->head.count - cursor->done;
	return 0;
}

/* Behind the heap stand the cursors that are free to be used again. */
static int make_cursor(struct weir_reader *reader)
{
	struct weir_cursor **larger;
	uint32_t room = reader->heap_room ? reader->heap_room * 2 : 16;

	if (reader->heap_count < reader->cursor_count)
		return 0;
	if (reader->cursor_count == reader->heap_room) {
		larger = realloc(reader->heap, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		reader->heap = larger;
		reader->heap_room = room;
	}
	reader->heap[reader->cursor_count] =
		calloc(1, sizeof(struct weir_cursor));
	if (!reader->heap[reader->cursor_count])
		return -ENOMEM;
	reader->cursor_count++;
	return 0;
}

static int is_wanted(const struct weir_reader *reader,
		     const struct entry *entry)
{
	uint32_t proc = reader->proc_base[entry->node->number] +
			entry->block->head.proc;

	if (entry->end < reader->from || entry->begin > reader->to)
		return 0;
	return !reader->unwanted[proc];
}

static int enter_block(struct weir_reader *reader, const struct entry *entry)
{
	struct weir_cursor *cursor;
	int err = make_cursor(reader);

	if (err)
		return err;
	cursor = reader->heap[reader->heap_count];
	cursor->node = entry->node;
	cursor->block = entry->block;
	cursor->proc_base = reader->proc_base[entry->node->number];
	err = weir_cursor_start(cursor, &reader->bench);
	if (err <= 0)
		return note_damage(reader, cursor, err);
	sift_up(reader->heap, reader->heap_count++);
	return 0;
}

/* Whether the events of a block may not come yet. */
static int is_later(const struct weir_reader *reader,
		    const struct entry *entry)
{
	const struct weir_cursor *top = reader->heap[0];

	if (reader->by_process &&
	    (entry->node != top->node ||
	     entry->block->head.proc != top->block->head.proc))
		return 1;
	return entry->begin > top->key;
}

/* Takes in the blocks that begin before the earliest event at hand. */
static int enter_blocks(struct weir_reader *reader)
{
	while (reader->next_entry < reader->entry_count) {
		const struct entry *entry =
			&reader->entries[reader->next_entry];
		int err = 0;

		if (reader->heap_count && is_later(reader, entry))
			return 0;
		reader->next_entry++;
		if (is_wanted(reader, entry))
			err = enter_block(reader, entry);
		if (err)
			return err;
	}
	return 0;
}

/* Moves the top cursor past the event that was handed out last. */
static int step_over(struct weir_reader *reader)
{
	struct weir_cursor *top = reader->heap[0];
	int more = weir_cursor_step(top, &reader->bench);

	reader->stepping = 0;
	if (more <= 0)
		swap(reader->heap, 0, --reader->heap_count);
	sift_down(reader->heap, reader->heap_count);
	return more < 0 ? note_damage(reader, top, more) : 0;
}

int weir_reader_next(struct weir_reader *reader, struct weir_event *ret_event)
{
	for (;;) {
		const struct weir_event *event;
		int err = reader->stepping ? step_over(reader) : 0;

		if (!err)
			err = enter_blocks(reader);
		if (err)
			return err;
		if (!reader->heap_count)
			return 0;
		event = weir_cursor_event(reader->heap[0]);
		reader->stepping = 1;
		if (reader->heap[0]->key > reader->to ||
		    add_capped(reader->heap[0]->key, event->dur) <
			    reader->from)
			continue;
		*ret_event = *event;
		return 1;
	}
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
	reader->by_process = 1;
	qsort(reader->entries, reader->entry_count, sizeof(*reader->entries),
	      by_process);
}

uint64_t weir_reader_begin(const struct weir_reader *reader)
{
	return reader->begin;
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

uint64_t weir_reader_real(const struct weir_reader *reader,
			  const struct weir_event *event)
{
	const struct weir_readnode *node = node_of(reader, event->proc);

	if (!node)
		return event->start;
	return event->start - node->info.mono0 + node->info.real0;
}

const char *weir_reader_name(const struct weir_reader *reader, uint32_t file,
			     size_t *ret_len)
{
	return weir_names_get(&reader->set.names, file, ret_len);
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

uint32_t weir_reader_names(const struct weir_reader *reader)
{
	return reader->set.names.count;
}

const struct weir_nodeinfo *weir_reader_node(const struct weir_reader *reader,
					     uint32_t node)
{
	return node < reader->set.count ? &reader->set.nodes[node]->info :
					  NULL;
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
