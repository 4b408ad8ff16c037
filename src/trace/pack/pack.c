/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites raw chunks, as they were captured, as packed columns. */
#include "trace/pack/pack.h"

#include "base/grow.h"
#include "trace/control/outcome.h"
#include "trace/control/unrecorded.h"
#include "trace/facts/mounts.h"
#include "trace/facts/nodeinfo.h"
#include "trace/facts/props.h"
#include "trace/file/blocks.h"
#include "trace/pack/packprocess.h"
#include "trace/pack/packring.h"
#include "trace/pack/packwork.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A thread is packed when so much of it waits: about one block's worth. */
#define WAIT_CHUNKS  16
#define WAIT_RECORDS 8192

struct weir_pack {
	struct weir_packwork work;
	struct weir_blocks blocks; /* of the last input */
	struct weir_bytes head, dict; /* texts, kept for the end */
	struct weir_block dict_head; /* `dict` is its payload */
	struct weir_dictionary *dictionary;
	struct weir_packprocess_table table;
	struct weir_packthread *threads;
	uint32_t thread_count, thread_room;
	struct weir_map thread_of; /* process << 32 | thread to index + 1 */
	struct weir_unrecorded unrecorded;
	struct weir_outcome *outcome; /* of its plan; NULL: it has none */
	struct weir_pack_totals totals;
	uint32_t wanting; /* see weir_pack_wanting */
};

int weir_pack_open(const char *raw_path, const char *packed_path,
		   struct weir_pack **ret_pack)
{
	int raw, packed, err;

	raw = open(raw_path, O_RDONLY | O_CLOEXEC);
	if (raw < 0)
		return -errno;
	packed = open(packed_path,
		      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (packed < 0) {
		err = -errno;
		close(raw);
		return err;
	}
	return weir_pack_adopt(raw, packed, ret_pack);
}

void weir_pack_bound_names(struct weir_pack *pack, uint64_t most)
{
	pack->work.out.names.most = most;
}

int weir_pack_adopt(int raw_fd, int packed_fd, struct weir_pack **ret_pack)
{
	struct weir_pack *pack = calloc(1, sizeof(*pack));
	int err = -ENOMEM;

	if (!pack) {
		close(packed_fd);
		goto close_raw;
	}
	err = weir_store_adopt(packed_fd, &pack->work.out.store);
	if (err)
		goto free_pack;
	pack->work.inputs[pack->work.input_count++] = raw_fd;
	weir_blocks_init(&pack->blocks, raw_fd);
	pack->table.names = &pack->work.out.names;
	*ret_pack = pack;
	return 0;

free_pack:
	free(pack);
close_raw:
	close(raw_fd);
	return err;
}

void weir_pack_close(struct weir_pack *pack)
{
	if (!pack)
		return;
	for (int i = 0; i < pack->work.input_count; i++)
		close(pack->work.inputs[i]);
	for (uint32_t i = 0; i < pack->thread_count; i++)
		weir_packthread_fini(&pack->threads[i]);
	free(pack->threads);
	weir_map_fini(&pack->thread_of);
	weir_packprocess_fini(&pack->table);
	weir_blocks_fini(&pack->blocks);
	weir_packout_fini(&pack->work.out);
	weir_dictionary_free(pack->dictionary);
	weir_bytes_fini(&pack->work.chunk);
	weir_bytes_fini(&pack->head);
	weir_bytes_fini(&pack->dict);
	weir_outcome_free(pack->outcome);
	free(pack);
}

static struct weir_packthread *thread_of(struct weir_pack *pack,
					 uint32_t process, uint32_t number)
{
	uint64_t key = (uint64_t)process << 32 | number;
	uint64_t at = weir_map_get(&pack->thread_of, key);
	uint32_t *chain = &pack->table.processes[process]->threads;

	if (at)
		return &pack->threads[at - 1];
	if (WEIR_GROW(pack->threads, pack->thread_count, pack->thread_room) ||
	    weir_map_put(&pack->thread_of, key, pack->thread_count + 1))
		return NULL;
	pack->threads[pack->thread_count++] = (struct weir_packthread){
		.handles = &pack->table.processes[process]->handles,
		.sibling = *chain,
		.to = { .proc = process + 1, .thread = number },
		.next = 1,
	};
	*chain = pack->thread_count;
	return &pack->threads[*chain - 1];
}

static int take_chunk(struct weir_pack *pack,
		      const struct weir_blocks_found *found)
{
	struct weir_packchunk chunk = {
		.at = found->at,
		.input = (uint8_t)(pack->work.input_count - 1),
		.sequence = (uint32_t)found->head.first,
		.records = found->head.count,
	};
	struct weir_packthread *thread;
	uint32_t process = 0;
	int err;

	err = weir_packprocess_find(&pack->table, chunk.input,
				    found->head.proc, &process);
	if (err)
		return err;
	thread = thread_of(pack, process, found->head.thread);
	if (!thread)
		return -ENOMEM;
	err = weir_packwork_survey(&pack->work, thread->handles, &chunk);
	if (!err)
		err = weir_packthread_add(thread, &chunk);
	if (err <= 0)
		return err;
	if (thread->count < WAIT_CHUNKS && thread->records < WAIT_RECORDS)
		return 0;
	err = weir_packwork_thread(&pack->work, thread, 0);
	if (thread->count && thread->chunks[0].missing &&
	    chunk.input == thread->chunks[0].input)
		pack->wanting = found->head.proc;
	return err;
}

uint32_t weir_pack_wanting(struct weir_pack *pack)
{
	uint32_t process = pack->wanting;

	pack->wanting = 0;
	return process;
}

int weir_pack_hint(struct weir_pack *pack, uint32_t process, const void *data,
		   uint32_t used, uint64_t base_tick)
{
	uint32_t index = 0;
	int err = weir_packprocess_find(&pack->table,
					(uint8_t)(pack->work.input_count - 1),
					process, &index);

	return err ?: weir_packwork_learn(
			      &pack->work,
			      &pack->table.processes[index]->handles, data,
			      used, base_tick);
}

/* Writes what is known of a process; a later block would replace it. */
static int tell_process(struct weir_pack *pack, uint32_t index)
{
	struct weir_packprocess *process = pack->table.processes[index];
	int err = 0;

	if (process->text.used)
		err = weir_packout_text(&pack->work.out, WEIR_BLOCK_PROC,
					index + 1, &process->text);
	weir_bytes_fini(&process->text);
	return err;
}

static int end_process(struct weir_pack *pack, uint32_t index)
{
	uint32_t at = pack->table.processes[index]->threads;
	int err = 0;

	while (!err && at) {
		err = weir_packwork_thread(&pack->work,
					   &pack->threads[at - 1], 1);
		at = pack->threads[at - 1].sibling;
	}
	return err ? err : tell_process(pack, index);
}

static int take_process(struct weir_pack *pack, uint32_t number,
			const struct weir_bytes *text)
{
	uint32_t index = 0;
	int err = weir_packprocess_learn(&pack->table,
					 (uint8_t)(pack->work.input_count - 1),
					 number, text, &index);

	if (err || !pack->table.processes[index]->ended)
		return err;
	return end_process(pack, index);
}

/* Keeps a text for the end, and writes the first one at once. */
static int keep_text(struct weir_pack *pack, uint32_t type,
		     struct weir_bytes *kept, const struct weir_bytes *text)
{
	int is_first = !kept->used, err;

	kept->used = 0;
	err = weir_bytes_add(kept, text->data, text->used);
	if (err || !is_first)
		return err;
	return weir_packout_text(&pack->work.out, type, 0, text);
}

/*
 * What was found in memory has a HEAD that knows nothing of other hosts; its
 * time of day may have been read at another moment than the earlier one.
 */
static int keep_clock(const struct weir_bytes *before, struct weir_bytes *text)
{
	struct weir_nodeinfo old, later;
	struct weir_props props;
	uint64_t shift;
	int err;

	if (weir_nodeinfo_parse(before->data, before->used, &old) ||
	    weir_nodeinfo_parse(text->data, text->used, &later) ||
	    later.clock.count)
		return 0;
	shift = later.real0 - later.mono0 - (old.real0 - old.mono0);
	for (uint32_t i = 0; i < old.clock.count; i++)
		old.clock.points[i].ahead =
			(int64_t)((uint64_t)old.clock.points[i].ahead - shift);
	weir_props_init(&props);
	err = weir_clockfix_put(&old.clock, &props);
	if (!err && props.used)
		err = weir_bytes_add(text, props.text, props.used);
	weir_props_fini(&props);
	return err;
}

/* Nor does it know what was mounted. */
static int keep_mounts(const struct weir_bytes *before, struct weir_bytes *text)
{
	struct weir_mounts mounts = { 0 };
	struct weir_props props;
	int err = weir_mounts_parse(text->data, text->used, &mounts);

	weir_props_init(&props);
	if (!err && !mounts.count && !mounts.untold)
		err = weir_mounts_parse(before->data, before->used, &mounts) ?:
			      weir_mounts_put(&mounts, &props);
	if (!err && props.used)
		err = weir_bytes_add(text, props.text, props.used);
	weir_props_fini(&props);
	weir_mounts_fini(&mounts);
	return err;
}

/* It is large, and comes again at the end: as it was squeezed here. */
static int write_dictionary(struct weir_pack *pack,
			    const struct weir_bytes *text)
{
	struct weir_block *head = &pack->dict_head;
	const struct weir_bytes *stored = text;
	int err;

	*head = (struct weir_block){ .type = WEIR_BLOCK_DICT };
	err = weir_packout_block(&pack->work.out, head, text);
	if (head->raw)
		stored = &pack->work.out.squeezed;
	return err ?: weir_bytes_add(&pack->dict, stored->data, stored->used);
}

static int take_dictionary(struct weir_pack *pack,
			   const struct weir_bytes *text)
{
	struct weir_dictionary *dictionary = NULL;
	int err;

	if (pack->dictionary)
		return 0;
	err = weir_dictionary_parse(text->data, text->used, &dictionary);
	if (err)
		return err;
	pack->dictionary = dictionary;
	pack->work.dictionary = dictionary;
	return write_dictionary(pack, text);
}

static int take_node(struct weir_pack *pack, const struct weir_bytes *text)
{
	struct weir_unrecorded told;
	int err = weir_unrecorded_parse(text->data, text->used, &told);

	if (!err)
		weir_unrecorded_raise(&pack->unrecorded, &told);
	return err;
}

static int take_block_text(struct weir_pack *pack,
			   const struct weir_blocks_found *found)
{
	struct weir_bytes *text = &pack->work.chunk;
	int err = weir_blocks_load(pack->blocks.fd, found,
				   &pack->work.out.columns.planes.zip, text);

	if (err)
		return err;
	switch (found->head.type) {
	case WEIR_BLOCK_HEAD:
		err = keep_clock(&pack->head, text);
		err = err ?: keep_mounts(&pack->head, text);
		return err ?: keep_text(pack, WEIR_BLOCK_HEAD, &pack->head,
					text);
	case WEIR_BLOCK_DICT:
		return take_dictionary(pack, text);
	case WEIR_BLOCK_NODE:
		return take_node(pack, text);
	case WEIR_BLOCK_PLAN:
		return weir_outcome_take(&pack->outcome, text->data,
					 text->used);
	}
	return take_process(pack, found->head.proc, text);
}

static int take_ring(struct weir_pack *pack,
		     const struct weir_blocks_found *found)
{
	uint32_t index = 0;
	int err;

	err = weir_packprocess_find(&pack->table,
				    (uint8_t)(pack->work.input_count - 1),
				    found->head.proc, &index);
	if (err)
		return err;
	err = weir_packring_take(&pack->work, pack->table.processes[index],
				 index + 1, found);
	if (err != -EBADMSG)
		return err;
	pack->work.damaged++;
	pack->work.lost += found->head.count;
	return 0;
}

/* Sums are as packed as they can be: only the process's number changes. */
static int take_profile(struct weir_pack *pack,
			const struct weir_blocks_found *found)
{
	struct weir_bytes *payload = &pack->work.chunk, *current;
	uint32_t process = 0;
	int err = weir_blocks_load(pack->blocks.fd, found,
				   &pack->work.out.columns.planes.zip, payload);

	err = err ?: weir_packprocess_find(
			     &pack->table,
			     (uint8_t)(pack->work.input_count - 1),
			     found->head.proc, &process);
	if (err)
		return err;
	current = &pack->table.processes[process]->current;
	current->used = 0;
	if (found->head.flags & WEIR_PROFILE_CURRENT)
		return weir_bytes_add(current, payload->data, payload->used);
	return weir_packout_text(&pack->work.out, WEIR_BLOCK_PROFILE,
				 process + 1, payload);
}

/* What was in a process's memory counts when that memory is gone. */
static int put_current(struct weir_pack *pack, uint32_t index)
{
	const struct weir_packprocess *process = pack->table.processes[index];
	struct weir_block head = {
		.type = WEIR_BLOCK_PROFILE,
		.proc = index + 1,
		.flags = WEIR_PROFILE_CURRENT,
	};

	if (!process->current.used || process->met_in > 1)
		return 0;
	return weir_packout_block(&pack->work.out, &head, &process->current);
}

static int take_block(struct weir_pack *pack,
		      const struct weir_blocks_found *found)
{
	int err;

	switch (found->head.type) {
	case WEIR_BLOCK_CHUNK:
		return take_chunk(pack, found);
	case WEIR_BLOCK_RING:
		return take_ring(pack, found);
	case WEIR_BLOCK_HEAD:
	case WEIR_BLOCK_DICT:
	case WEIR_BLOCK_PROC:
	case WEIR_BLOCK_NODE:
	case WEIR_BLOCK_PLAN:
		err = take_block_text(pack, found);
		break;
	case WEIR_BLOCK_PROFILE:
		err = take_profile(pack, found);
		break;
	default:
		return 0;
	}
	if (err != -EBADMSG)
		return err;
	pack->totals.damaged_blocks++;
	return 0;
}

int weir_pack_advance(struct weir_pack *pack, uint64_t raw_end)
{
	struct weir_blocks_found found;
	int more;

	while ((more = weir_blocks_next(&pack->blocks, raw_end, &found)) > 0) {
		int err = take_block(pack, &found);

		if (err)
			return err;
	}
	return more;
}

/* Reads the input to its end and adds up what was damaged. */
static int finish_input(struct weir_pack *pack, int has_tail)
{
	int err = weir_pack_advance(pack, UINT64_MAX);

	if (!err && has_tail)
		err = weir_blocks_close_tail(&pack->blocks);
	pack->totals.damaged_bytes += pack->blocks.damaged_bytes;
	pack->totals.damaged_blocks += pack->blocks.damaged_places;
	pack->blocks.damaged_bytes = pack->blocks.damaged_places = 0;
	return err;
}

int weir_pack_continue(struct weir_pack *pack, int raw_fd)
{
	/* A block torn at the end is no loss: its records come again. */
	int err = finish_input(pack, 0);

	if (!err && pack->work.input_count == WEIR_PACKWORK_INPUTS)
		err = -EINVAL;
	if (err) {
		close(raw_fd);
		return err;
	}
	pack->work.inputs[pack->work.input_count++] = raw_fd;
	weir_blocks_fini(&pack->blocks);
	weir_blocks_init(&pack->blocks, raw_fd);
	return 0;
}

static int write_end(struct weir_pack *pack)
{
	const struct {
		const char *key;
		uint64_t value;
	} lines[] = {
		{ "events", pack->totals.events },
		{ "dropped", pack->totals.dropped },
		{ "lost", pack->totals.lost },
		{ "procs", pack->totals.processes },
	};
	struct weir_props props;
	struct weir_bytes text;
	int err = 0;

	weir_props_init(&props);
	for (size_t i = 0; !err && i < sizeof(lines) / sizeof(*lines); i++)
		err = weir_props_add_number(&props, lines[i].key,
					    lines[i].value);
	if (!err)
		err = weir_props_add_text(&props, "complete", "yes");
	text = (struct weir_bytes){ (uint8_t *)props.text, props.used, 0 };
	if (!err)
		err = weir_packout_text(&pack->work.out, WEIR_BLOCK_END, 0,
					&text);
	weir_props_fini(&props);
	return err;
}

static int has_unrecorded(const struct weir_unrecorded *all)
{
	struct weir_unrecorded_count sum = weir_unrecorded_sum(all);

	return sum.processes || sum.calls;
}

/* HEAD and DICT once more: the last is the best, and two are safer. */
static int write_last_blocks(struct weir_pack *pack)
{
	int err = weir_packout_names(&pack->work.out, 1);

	if (!err && pack->head.used)
		err = weir_packout_text(&pack->work.out, WEIR_BLOCK_HEAD, 0,
					&pack->head);
	if (!err && pack->dict.used)
		err = weir_store_append(pack->work.out.store, &pack->dict_head,
					pack->dict.data);
	if (!err && has_unrecorded(&pack->unrecorded))
		err = weir_unrecorded_put(&pack->unrecorded,
					  pack->work.out.store);
	if (!err && pack->outcome)
		err = weir_outcome_put(pack->outcome, pack->work.out.store);
	return err ? err : write_end(pack);
}

int weir_pack_finish(struct weir_pack *pack,
		     struct weir_pack_totals *ret_totals)
{
	struct weir_pack_totals *totals = &pack->totals;
	int err = finish_input(pack, 1);

	for (uint32_t i = 0; !err && i < pack->table.count; i++) {
		err = end_process(pack, i);
		err = err ? err : put_current(pack, i);
		totals->dropped += pack->table.processes[i]->dropped;
		totals->lost += pack->table.processes[i]->lost;
	}
	totals->processes = pack->table.count;
	totals->events = pack->work.out.events;
	totals->lost += pack->work.lost;
	totals->damaged_events = pack->work.lost;
	totals->damaged_blocks += pack->work.damaged;
	if (!err)
		err = write_last_blocks(pack);
	if (err)
		return err;
	totals->bytes = weir_store_bytes(pack->work.out.store);
	*ret_totals = *totals;
	return 0;
}
