/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings what a recorded process leaves in its live file into a store. */
#include "trace/live/salvage.h"

#include "base/grow.h"
#include "base/varint.h"
#include "spec/dictionary.h"
#include "trace/control/controlfile.h"
#include "trace/control/outcome.h"
#include "trace/facts/clockfix.h"
#include "trace/facts/mounts.h"
#include "trace/facts/procinfo.h"
#include "trace/facts/props.h"
#include "trace/file/store.h"
#include "trace/layout/anchor.h"
#include "trace/layout/trace_layout.h"
#include "trace/live/ringtake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A baseline this long tells the tick's length well enough, ns. */
#define GOOD_BASELINE UINT64_C(100000000)

/* Words of a record behind its first, 0 when they do not fit. */
static uint32_t record_words(const uint64_t *word, uint32_t room)
{
	uint64_t bits = word[0];
	uint32_t words = 1;

	words += bits & WEIR_RECORD_DEF ? 2 : 0;
	words += bits & WEIR_RECORD_SIZE ? 1 : 0;
	words += bits & WEIR_RECORD_OFF ? 1 : 0;
	words += bits & WEIR_RECORD_RET ? 1 : 0;
	words += bits & WEIR_RECORD_WIDE ? 2 : 0;
	if (bits & WEIR_RECORD_DETAIL) {
		if (words >= room || word[words] > room * 8)
			return 0;
		words += 1 + (uint32_t)((word[words] + 7) / 8);
	}
	return words <= room ? words : 0;
}

uint32_t weir_salvage_count(const uint8_t *data, uint32_t used,
			    uint32_t *ret_records, uint32_t *ret_calls)
{
	const uint64_t *word = (const uint64_t *)(const void *)data;
	uint64_t defined = 0, notes = 0;
	uint32_t left = used / 8, records = 0, calls = 0, words;

	while (left && (words = record_words(word, left))) {
		uint64_t site = UINT64_C(1)
				<< (word[0] >> WEIR_RECORD_SITE_SHIFT) %
					   WEIR_RECORD_SITES;

		if (word[0] & WEIR_RECORD_DEF) {
			bool note = (word[1] & 0xffff) >= WEIR_NOTE_FIRST;

			defined |= site;
			notes = note ? notes | site : notes & ~site;
		}
		if (!(defined & site))
			break;
		records++;
		calls += !(notes & site);
		word += words;
		left -= words;
	}
	*ret_records = records;
	*ret_calls = calls;
	return used / 8 * 8 - left * 8;
}

/* A chunk being made of records that a thread can no longer write itself. */
struct maker {
	uint64_t *word;
	uint64_t end; /* of the record before, ticks */
	struct weir_live_chunk *chunk;
};

static void put_record(struct maker *maker, uint64_t bits, uint64_t def,
		       uint64_t start, uint64_t duration)
{
	uint64_t *word = maker->word;

	*word++ = bits | WEIR_RECORD_DEF | WEIR_RECORD_WIDE;
	*word++ = def;
	*word++ = 0; /* size */
	*word++ = start - maker->end;
	*word++ = duration;
	maker->end = start + duration;
	maker->word = word;
	maker->chunk->records++;
}

/* Drops since the last note. */
static void put_loss(struct maker *maker, const struct weir_slot *slot)
{
	uint64_t untold =
		(slot->commit >> WEIR_COMMIT_DROPS_SHIFT) - slot->drops_told;
	uint8_t detail[3 * WEIR_VARINT_MAX + 7] = {0};
	uint64_t length = 0;

	length += weir_varint_put(detail + length, untold);
	length += weir_varint_put(detail + length, slot->first_drop);
	length += weir_varint_put(detail + length, slot->last_drop);
	put_record(maker, WEIR_RECORD_NOOFF | WEIR_RECORD_DETAIL,
		   WEIR_NOTE_LOSS, slot->first_drop,
		   slot->last_drop - slot->first_drop);
	*maker->word++ = length;
	memcpy(maker->word, detail, (length + 7) / 8 * 8);
	maker->word += (length + 7) / 8;
}

/*
 * Calls the thread had entered and never left. Innermost first: everywhere
 * in a chunk children stand before their parent.
 */
static void put_entered(struct maker *maker, const struct weir_slot *slot)
{
	uint32_t depth = slot->commit >> WEIR_COMMIT_DEPTH_SHIFT & 0xff;

	if (depth > WEIR_SLOT_FRAMES)
		depth = WEIR_SLOT_FRAMES;
	while (depth--) {
		const struct weir_slot_frame *frame = &slot->frames[depth];

		if (!frame->start)
			continue;
		put_record(maker, WEIR_RECORD_NOOFF,
			   (frame->call & 0xffff) | (uint64_t)depth << 16 |
				   (uint64_t)WEIR_EVENT_ENTERED << 24 |
				   (uint64_t)frame->handle << 32,
			   frame->start, 0);
	}
}

static void make_owed(const struct weir_slot *slot,
		      struct weir_salvage_rest *rest)
{
	uint32_t depth = slot->commit >> WEIR_COMMIT_DEPTH_SHIFT & 0xff;
	struct maker maker = {.word = rest->bytes, .chunk = &rest->owed};

	_Static_assert(sizeof(rest->bytes) >=
			       8 * (5 * WEIR_SLOT_FRAMES + 5 + 1 + 4),
		       "room for every frame and a loss");
	rest->owed = (struct weir_live_chunk){
		.thread = slot->thread,
		.sequence = (uint32_t)(slot->chunk >> 32) + 1,
		.base = depth ? slot->frames[0].start : slot->first_drop,
		.unit = WEIR_LIVE_NO_CHUNK,
		.data = (const uint8_t *)rest->bytes,
	};
	maker.end = rest->owed.base;
	if (slot->commit >> WEIR_COMMIT_DROPS_SHIFT > slot->drops_told)
		put_loss(&maker, slot);
	put_entered(&maker, slot);
	rest->owed.used =
		(uint32_t)((uint8_t *)maker.word - (uint8_t *)rest->bytes);
}

bool weir_salvage_rest(struct weir_live_view *view, uint32_t i,
		       struct weir_salvage_rest *ret_rest)
{
	const struct weir_slot *shared = weir_live_slot(view, i);
	struct weir_slot slot;
	uint32_t calls;

	if (!shared)
		return false;
	memcpy(&slot, shared, sizeof(slot));
	if ((slot.state != WEIR_SLOT_LIVE && slot.state != WEIR_SLOT_ENDED) ||
	    !slot.thread)
		return false;
	memset(ret_rest, 0, sizeof(*ret_rest));
	ret_rest->thread = (struct weir_salvage_thread){
		.number = slot.thread,
		.tid = slot.tid,
		.level = slot.level,
		.drops = slot.commit >> WEIR_COMMIT_DROPS_SHIFT,
	};
	ret_rest->has_open = weir_live_open_chunk(view, &slot, &ret_rest->open);
	if (ret_rest->has_open)
		ret_rest->open.used = weir_salvage_count(
			ret_rest->open.data, ret_rest->open.used,
			&ret_rest->open.records, &calls);
	make_owed(&slot, ret_rest);
	ret_rest->has_sums = weir_sums_copy(view, &slot, &ret_rest->sums);
	return true;
}

int weir_salvage_put_chunk(struct weir_store *store, uint32_t proc,
			   const struct weir_live_chunk *chunk)
{
	struct weir_block block = {
		.type = WEIR_BLOCK_CHUNK,
		.stored = chunk->used,
		.proc = proc,
		.thread = chunk->thread,
		.count = chunk->records,
		.first = chunk->sequence,
		.last = chunk->base,
	};

	return weir_store_append(store, &block, chunk->data);
}

static int put_block_text(struct weir_store *store, uint32_t type,
			  uint32_t proc, const struct weir_props *props)
{
	struct weir_block block = {
		.type = type,
		.stored = (uint32_t)props->used,
		.proc = proc,
	};

	return weir_store_append(store, &block, props->text);
}

int weir_salvage_put_dict(struct weir_store *store)
{
	struct weir_block block = {
		.type = WEIR_BLOCK_DICT,
		.stored = weir_dictionary_size,
	};

	return weir_store_append(store, &block, weir_dictionary_text);
}

int weir_salvage_put_head(struct weir_store *store,
			  const struct weir_live *about, uint64_t mult,
			  const struct weir_clockfix *clock,
			  const struct weir_mounts *mounts)
{
	const struct weir_live_anchor *first = &about->first;
	struct weir_props props;
	int err;

	weir_props_init(&props);
	err = weir_props_add_number(&props, "format", WEIR_FORMAT_VERSION);
	err = err ?: weir_props_add_text(&props, "weir", WEIR_VERSION);
	err = err ?: weir_props_add_text(&props, "host", about->host);
	err = err ?: weir_props_add_number(&props, "created", first->real);
	err = err
		      ?: weir_props_add_text(&props, "clock",
					     about->clock_is_tsc ? "tsc"
								 : "ns");
	err = err ?: weir_props_add_number(&props, "tick0", first->tick);
	err = err ?: weir_props_add_number(&props, "mono0", first->mono);
	err = err ?: weir_props_add_number(&props, "real0", first->real);
	err = err ?: weir_props_add_number(&props, "mult", mult);
	if (!err && clock)
		err = weir_clockfix_put(clock, &props);
	if (!err && mounts)
		err = weir_mounts_put(mounts, &props);
	err = err ?: put_block_text(store, WEIR_BLOCK_HEAD, 0, &props);
	weir_props_fini(&props);
	return err;
}

static int add_args(struct weir_props *props, const struct weir_live *about)
{
	uint32_t at = 0;

	while (at < about->args_bytes) {
		const char *arg = about->args + at;
		size_t length = strnlen(arg, about->args_bytes - at);
		int err = weir_props_add(props, "arg", arg, length);

		if (err)
			return err;
		at += (uint32_t)length + 1;
	}
	return 0;
}

static int add_trait(struct weir_props *props, const char *key, size_t key_len,
		     const char *value, size_t len)
{
	char name[WEIR_PROCINFO_KEY + sizeof(WEIR_PROCINFO_TRAIT)];

	if (!key_len || key_len >= WEIR_PROCINFO_KEY)
		return 0;
	for (size_t i = 0; i < key_len; i++)
		if (key[i] != '_' && (key[i] < 'a' || key[i] > 'z'))
			return 0; /* memory of the process: no trust */
	snprintf(name, sizeof(name), WEIR_PROCINFO_TRAIT "%s", key);
	return weir_props_add(props, name, value, len);
}

/* As the process has told them so far; of one key, the last one counts. */
static int add_traits(struct weir_props *props, struct weir_live *live)
{
	char text[WEIR_LIVE_TRAITS + 1];
	uint32_t bytes = atomic_load(&live->traits_bytes), at = 0;
	int err = 0;

	bytes = bytes < WEIR_LIVE_TRAITS ? bytes : WEIR_LIVE_TRAITS;
	memcpy(text, live->traits, bytes);
	text[bytes] = 0;
	while (!err && at < bytes) {
		const char *key = text + at;
		size_t key_len = strlen(key);
		const char *value = key + key_len + 1;

		if (at + key_len + 1 >= bytes)
			break;
		err = add_trait(props, key, key_len, value, strlen(value));
		at += (uint32_t)(key_len + strlen(value)) + 2;
	}
	return err;
}

/* thread=NUMBER TID LEVEL DROPS for each, and the sum of drops. */
static int add_threads(struct weir_props *props,
		       const struct weir_salvage_proc *proc)
{
	uint64_t dropped = 0;
	char text[80];
	int err = 0;

	for (size_t i = 0; !err && i < proc->thread_count; i++) {
		const struct weir_salvage_thread *thread = &proc->threads[i];

		snprintf(text, sizeof(text), "%u %u %u %llu", thread->number,
			 thread->tid, thread->level,
			 (unsigned long long)thread->drops);
		err = weir_props_add_text(props, "thread", text);
		dropped += thread->drops;
	}
	return err ?: weir_props_add_number(props, "dropped", dropped);
}

static const char *stop_word(const struct weir_salvage_proc *proc)
{
	uint32_t stop = atomic_load(&weir_live_shared(proc->view)->stop);

	if (weir_live_is_damaged(proc->view) || stop == WEIR_STOP_DAMAGED)
		return "damaged";
	return stop == WEIR_STOP_NO_MEMORY ? "no-memory" : "none";
}

/* How many short records there were, of a process that keeps such. */
static int add_ring(struct weir_props *props,
		    const struct weir_salvage_proc *proc)
{
	int err;

	if (!proc->kept)
		return 0;
	err = weir_props_add_number(props, "kept", proc->kept);
	return err ?: weir_props_add_number(props, "overwritten",
					    proc->overwritten);
}

int weir_salvage_tell_proc(const struct weir_salvage_proc *proc,
			   struct weir_props *ret_props)
{
	const struct weir_live *about = weir_live_about(proc->view);
	struct weir_live *live = weir_live_shared(proc->view);
	const char *state = !proc->gone			  ? "live"
			    : atomic_load(&live->exiting) ? "exited"
							  : "cut";
	int err;

	weir_props_init(ret_props);
	err = weir_props_add_number(ret_props, "pid", about->pid);
	err = err ?: weir_props_add_number(ret_props, "ppid", about->ppid);
	err = err ?: weir_props_add_number(ret_props, "uid", about->uid);
	err = err
		      ?: weir_props_add_number(ret_props, "start",
					       about->process_start);
	err = err ?: weir_props_add_number(ret_props, "image", proc->image);
	err = err ?: weir_props_add_text(ret_props, "exe", about->exe);
	err = err ?: weir_props_add_text(ret_props, "cwd", about->cwd);
	err = err ?: add_args(ret_props, about);
	err = err ?: weir_props_add_number(ret_props, "tick0",
					   about->first.tick);
	err = err ?: add_traits(ret_props, live);
	err = err ?: add_threads(ret_props, proc);
	err = err
		      ?: weir_props_add_number(
				 ret_props, "outside",
				 atomic_load(&live->lost_outside));
	err = err ?: weir_props_add_number(ret_props, "lost", proc->lost);
	for (int i = 0; i < 4; i++)
		err = err ?: weir_props_add_number(
				     ret_props, weir_procinfo_hidden[i],
				     atomic_load(&live->hidden[i]));
	err = err ?: add_ring(ret_props, proc);
	err = err ?: weir_props_add_text(ret_props, "stop", stop_word(proc));
	err = err ?: weir_props_add_text(ret_props, "state", state);
	if (err)
		weir_props_fini(ret_props);
	return err;
}

int weir_salvage_put_told(struct weir_store *store, uint32_t number,
			  const struct weir_props *props)
{
	return put_block_text(store, WEIR_BLOCK_PROC, number, props);
}

int weir_salvage_put_proc(struct weir_store *store,
			  const struct weir_salvage_proc *proc)
{
	struct weir_props props;
	int err = weir_salvage_tell_proc(proc, &props);

	if (err)
		return err;
	err = weir_salvage_put_told(store, proc->number, &props);
	weir_props_fini(&props);
	return err;
}

int weir_salvage_add_thread(struct weir_salvage_proc *proc,
			    const struct weir_salvage_thread *thread)
{
	if (WEIR_GROW(proc->threads, proc->thread_count, proc->thread_room))
		return -ENOMEM;
	proc->threads[proc->thread_count++] = *thread;
	return 0;
}

/* Its short records, if it keeps such. */
static int put_ring(struct weir_store *store, struct weir_salvage_proc *proc,
		    uint64_t mult, int dir_fd, const char *live_name)
{
	struct weir_ringtake taken;
	int err = weir_ringtake_load(dir_fd, live_name, &taken);

	if (err == -ENOENT)
		return 0;
	if (err)
		return err;
	err = weir_ringtake_put(&taken, store, proc->number, mult);
	if (!err) {
		proc->kept = taken.count;
		proc->overwritten = taken.sequence;
	}
	weir_ringtake_fini(&taken);
	return err;
}

static int put_rest(struct weir_store *store, struct weir_salvage_proc *proc,
		    uint32_t slot)
{
	struct weir_salvage_rest rest;
	int err = 0;

	if (!weir_salvage_rest(proc->view, slot, &rest))
		return 0;
	if (rest.open.used)
		err = weir_salvage_put_chunk(store, proc->number, &rest.open);
	if (!err && rest.owed.used)
		err = weir_salvage_put_chunk(store, proc->number, &rest.owed);
	if (!err && rest.sums.chunk.used)
		err = weir_salvage_put_chunk(store, proc->number,
					     &rest.sums.chunk);
	return err ?: weir_salvage_add_thread(proc, &rest.thread);
}

static int put_full_chunks(struct weir_store *store,
			   struct weir_salvage_proc *proc)
{
	struct weir_live_chunk *chunks;
	uint32_t count;
	int err = 0;

	chunks = malloc(WEIR_LIVE_UNITS * sizeof(*chunks));
	if (!chunks)
		return -ENOMEM;
	count = weir_live_take(proc->view, chunks);
	for (uint32_t i = 0; !err && i < count; i++)
		err = weir_salvage_put_chunk(store, proc->number, &chunks[i]);
	weir_live_release(proc->view, chunks, count);
	free(chunks);
	return err;
}

/* A long baseline, or else one up to now: right while the host is the same. */
static uint64_t tick_length(const struct weir_live *about)
{
	struct weir_live_anchor now;

	if (!about->clock_is_tsc)
		return UINT64_C(1) << 32;
	if (about->second.mono > about->first.mono + GOOD_BASELINE)
		return weir_anchor_mult(&about->first, &about->second);
	now = weir_anchor_now(true);
	return weir_anchor_mult(&about->first, &now);
}

static int put_image(struct weir_store *store, struct weir_salvage_proc *proc,
		     int dir_fd, const char *name)
{
	uint64_t mult = tick_length(weir_live_about(proc->view));
	uint32_t slots = weir_live_slots(proc->view);
	int err;

	err = weir_salvage_put_proc(store, proc);
	err = err ?: put_full_chunks(store, proc);
	for (uint32_t i = 0; !err && i < slots; i++)
		err = put_rest(store, proc, i);
	/* A ring that is none is no reason to lose what else there is. */
	if (!err &&
	    put_ring(store, proc, mult, dir_fd, name) == -ENOMEM)
		err = -ENOMEM;
	return err ?: weir_salvage_put_proc(store, proc);
}

static int is_live_name(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".live");
}

struct earlier {
	uint32_t pid, image;
	uint64_t start;
};

/* One live file; what is not one, or not yet, is passed over. */
static int salvage_file(int dir_fd, const char *name, struct earlier *last,
			struct weir_store *store, uint32_t *next_proc)
{
	struct weir_salvage_proc proc = {0};
	const struct weir_live *about;
	int err = 0;

	if (weir_live_load(dir_fd, name, &proc.view))
		return 0;
	about = weir_live_about(proc.view);
	proc.gone = weir_live_is_gone(proc.view);
	proc.number = (*next_proc)++;
	if (about->pid == last->pid && about->process_start == last->start)
		proc.image = last->image + 1;
	*last = (struct earlier){about->pid, proc.image, about->process_start};
	if (!weir_store_bytes(store)) {
		err = weir_salvage_put_head(store, about, tick_length(about),
					    NULL, NULL);
		err = err ?: weir_salvage_put_dict(store);
	}
	err = err ?: put_image(store, &proc, dir_fd, name);
	weir_live_close(proc.view);
	free(proc.threads);
	return err;
}

static int salvage_unrecorded(int dir_fd, struct weir_store *store)
{
	struct weir_unrecorded all, marks = {0};
	struct weir_unrecorded_count sum;
	int fd = -1;

	weir_controlfile_open(dir_fd, false, &fd);
	weir_controlfile_count(fd, &all);
	weir_controlfile_count_marks(dir_fd, &marks);
	if (fd >= 0)
		close(fd);
	weir_unrecorded_add(&all, &marks);
	sum = weir_unrecorded_sum(&all);
	return sum.processes || sum.calls ? weir_unrecorded_put(&all, store)
					  : 0;
}

int weir_salvage_dir(const char *live_dir, struct weir_store *store,
		     uint32_t *next_proc)
{
	struct earlier last = {0};
	struct dirent **names;
	int dir_fd, count, err = 0;

	dir_fd = open(live_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return -errno;
	count = scandirat(dir_fd, ".", &names, is_live_name, versionsort);
	if (count < 0)
		err = -errno;
	for (int i = 0; i < count; i++) {
		if (!err)
			err = salvage_file(dir_fd, names[i]->d_name, &last,
					   store, next_proc);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	err = err ?: salvage_unrecorded(dir_fd, store);
	err = err ?: weir_outcome_salvage(dir_fd, store);
	close(dir_fd);
	return err;
}
