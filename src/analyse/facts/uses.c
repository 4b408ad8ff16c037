/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows what one process does with one file besides moving bytes. */
#include "analyse/facts/uses.h"

#include "analyse/facts/flows.h"
#include "base/grow.h"
#include "base/hash.h"
#include "spec/constants.h"
#include "spec/findings.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

/* So many bytes are worth a sync, or an open, of their own. */
#define MUCH (UINT64_C(1) << 20)

void weir_uses_fini(struct weir_uses *uses)
{
	for (size_t i = 0; i < uses->count; i++)
		weir_extents_fini(&uses->list[i].writing.version);
	for (size_t i = 0; i < uses->file_count; i++)
		weir_gathering_fini_all(&uses->files[i].gathered);
	free(uses->list);
	free(uses->files);
	weir_bypair_fini(&uses->index);
	weir_map_fini(&uses->file_index);
	weir_phases_fini(&uses->phases);
	*uses = (struct weir_uses){ 0 };
}

struct weir_use_file *weir_uses_file(const struct weir_uses *uses,
				     uint32_t file)
{
	uint64_t at = weir_map_get(&uses->file_index, file + UINT64_C(1));

	return at ? &uses->files[at - 1] : NULL;
}

const struct weir_use *weir_uses_get(const struct weir_uses *uses,
				     uint32_t pair)
{
	uint32_t at = pair < uses->index.room ? uses->index.index[pair] : 0;

	return at ? &uses->list[at - 1] : NULL;
}

static struct weir_use_file *find_use_file(struct weir_uses *uses,
					   uint32_t number)
{
	struct weir_use_file *files = weir_uses_file(uses, number);

	if (files)
		return files;
	if (WEIR_GROW(uses->files, uses->file_count, uses->file_room) ||
	    weir_map_put(&uses->file_index, number + UINT64_C(1),
			 uses->file_count + 1))
		return NULL;
	files = uses->files;
	files[uses->file_count] = (struct weir_use_file){ .changes = 0 };
	return &files[uses->file_count++];
}

static struct weir_gathering_node node_of(const struct weir_uses *uses,
					  uint32_t proc)
{
	const struct weir_procinfo *process =
		uses->reader ? weir_reader_process(uses->reader, proc) : NULL;

	return (struct weir_gathering_node){
		.number = process ? process->node : 0,
		.has_others = process && weir_reader_node(uses->reader, 1),
	};
}

static struct weir_use *find_use(struct weir_uses *uses,
				 const struct weir_callview *view)
{
	uint32_t *at = weir_bypair_get(&uses->index, view->pair);
	struct weir_use_file *file;

	if (!at)
		return NULL;
	if (*at)
		return &uses->list[*at - 1];
	if (WEIR_GROW(uses->list, uses->count, uses->room))
		return NULL;
	file = find_use_file(uses, view->file);
	if (!file)
		return NULL;
	file->users++;
	uses->list[uses->count++] = (struct weir_use){
		.file = view->file, .proc = view->event.proc,
		.at = (uint32_t)(file - uses->files),
		.node = node_of(uses, view->event.proc),
		.in_memory = (view->marks & WEIR_CALLVIEW_MEMORY) != 0,
	};
	*at = (uint32_t)uses->count;
	return &uses->list[uses->count - 1];
}

/* One call, the process that made it, and what is known of its file. */
struct taking {
	struct weir_use *use;
	struct weir_use_file *file;
	struct weir_clues *clues;
	struct weir_phases *phases;
	uint32_t user; /* of the phases */
	const struct weir_callview *view;
};

/*
 * One call of which a rule is suspicious, and could do without it; and the one
 * that shows that it could.
 */
static int note_pair(struct weir_clues *clues, uint32_t rule,
		     const struct weir_use *use, uint64_t bytes,
		     const struct weir_witness pair[2])
{
	const struct weir_clue clue = {
		.rule = rule, .file = use->file, .proc = use->proc,
		.count = 1, .bytes = bytes, .time = pair[0].dur,
		.saving = pair[0].dur, .witness = pair[0], .partner = pair[1],
	};

	return weir_clues_add(clues, &clue);
}

static int note_clue(struct weir_clues *clues, uint32_t rule,
		     const struct weir_use *use, uint64_t bytes,
		     struct weir_witness witness)
{
	const struct weir_witness pair[2] = { witness };

	return note_pair(clues, rule, use, bytes, pair);
}

static int failed(const struct weir_callview *view)
{
	return view->event.flags & WEIR_EVENT_FAILED;
}

/* Who waits for a file, or is about to make it, has to look for it. */
static void note_failure(struct weir_use *use, const struct weir_event *event)
{
	if (event->err != ENOENT)
		return;
	use->missing++;
	use->missing_time += event->dur;
	weir_witness_take(&use->slowest_missing, weir_witness_of(event));
}

/* From here on the file is another: what is written over is of the past. */
static void end_version(struct weir_use *use)
{
	struct weir_use_writing *writing = &use->writing;

	writing->once += weir_extents_bytes(&writing->version);
	weir_extents_fini(&writing->version);
}

/* A seek and the one call that it was for could be one call. */
static int end_seek(struct weir_use *use, struct weir_clues *clues)
{
	struct weir_use_seek seek = use->seek;
	const struct weir_witness pair[2] = { seek.witness, seek.user };

	use->seek.thread = 0;
	if (!seek.thread || !seek.used)
		return 0;
	return note_pair(clues, WEIR_RULE_SEEK_PAIRS, use, seek.bytes, pair);
}

static int take_open(const struct taking *t)
{
	const struct weir_callview *view = t->view;
	struct weir_use *use = t->use;
	uint64_t moved = use->read + use->written + use->carried;

	if (failed(view)) {
		note_failure(use, &view->event);
		return 0;
	}
	use->opens++;
	use->streamed |= view->layer == WEIR_CALLVIEW_STDIO;
	use->again += use->opened && moved - use->before < MUCH;
	use->before = moved;
	use->opened = 1;
	use->open_time += view->event.dur;
	use->synchronous = (view->marks & WEIR_CALLVIEW_SYNCHRONOUS) != 0;
	use->was_synchronous |= use->synchronous;
	use->was_direct |= (view->marks & WEIR_CALLVIEW_DIRECT) != 0;
	use->handle = 0;
	if (view->marks & WEIR_CALLVIEW_CREATES) {
		use->created = 1;
		use->removed = 0;
		t->file->created = 1;
		t->file->removed = 0;
		t->file->changes++;
	}
	end_version(use);
	weir_witness_take(&use->slowest_open, weir_witness_of(&view->event));
	return end_seek(use, t->clues);
}

/* When it wrote, and when what it wrote was to be where it belongs. */
static int note_phase(const struct taking *t, struct weir_phase what)
{
	what.user = t->user;
	return weir_phases_note(t->phases, t->view->real, &what);
}

/* When a call would begin if those before it took no time. */
static uint64_t real_without_waits(const struct taking *t)
{
	const struct weir_use *use = t->use;
	uint64_t waits = use->small_time + use->large_time + use->closing;

	return t->view->real > waits ? t->view->real - waits : 0;
}

static int end_writing(const struct taking *t, struct weir_phase what)
{
	uint64_t bytes = t->use->unclosed;

	t->use->unclosed = 0;
	if (!bytes)
		return 0;
	weir_gathering_want_at(&t->file->gathered, t->use->node,
			       real_without_waits(t));
	return note_phase(t, what);
}

static int take_close(const struct taking *t)
{
	uint64_t dur = t->view->event.dur, had = t->use->unclosed;
	int err = end_writing(t, (struct weir_phase){ .closes = 1,
						      .time = dur });

	t->use->close_time += dur;
	t->use->closing += had ? dur : 0;
	t->use->handle = 0;
	return err ? err : end_seek(t->use, t->clues);
}

/*
 * Nothing new can be learnt of a file that nobody has changed or given its
 * name to; of a descriptor, if it was asked about before.
 */
static int take_look(const struct taking *t)
{
	const struct weir_event *event = &t->view->event;
	uint32_t handle = t->view->marks & WEIR_CALLVIEW_LOOKS ? 0 :
							       event->handle;
	uint32_t truth[] = { t->file->changes, t->view->renames, handle };
	uint64_t seen = weir_hash_bytes(truth, sizeof(truth));
	int known = t->use->seen == seen;

	if (failed(t->view)) {
		note_failure(t->use, event);
		return 0;
	}
	t->use->looks++;
	t->use->seen = seen;
	return known ? note_clue(t->clues, WEIR_RULE_REPEATED_STATS, t->use, 0,
				 weir_witness_of(event))
		     : 0;
}

static int take_seek(const struct taking *t)
{
	const struct weir_event *event = &t->view->event;
	struct weir_use *use = t->use;
	int idle = use->handle == event->handle && event->handle &&
		   use->position == (uint64_t)event->ret;
	int err;

	if (failed(t->view))
		return 0;
	use->seeks++;
	if (t->view->layer != WEIR_CALLVIEW_POSIX)
		return 0; /* a stream's position is not its descriptor's */
	err = end_seek(use, t->clues);
	if (err)
		return err;
	use->handle = event->handle;
	use->position = (uint64_t)event->ret;
	if (idle)
		return note_clue(t->clues, WEIR_RULE_IDLE_SEEKS, use, 0,
				 weir_witness_of(event));
	use->seek = (struct weir_use_seek){
		.thread = event->thread, .handle = event->handle,
		.to = (uint64_t)event->ret, .witness = weir_witness_of(event),
	};
	return 0;
}

/* Of a directory, or a file in memory, it is not known what there was. */
static int take_sync(const struct taking *t)
{
	struct weir_use *use = t->use;
	uint64_t bytes = use->unsynced, dur = t->view->event.dur;
	int err;

	if (failed(t->view) || !use->writes)
		return 0;
	use->unsynced = 0;
	end_version(use);
	err = end_writing(t, (struct weir_phase){ .syncs = 1, .time = dur,
						  .syncing = dur });
	if (err || !use->syncs++ || bytes >= MUCH)
		return err;
	return note_clue(t->clues, WEIR_RULE_FREQUENT_SYNCS, use, bytes,
			 weir_witness_of(&t->view->event));
}

/* What a seek was for; several calls, and it was well made. */
static void use_seek(struct weir_use_seek *seek,
		     const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	int fits = seek->thread == event->thread &&
		   seek->handle == event->handle && !seek->used &&
		   !(event->flags & WEIR_EVENT_NOOFF) &&
		   seek->to == (uint64_t)event->off;

	if (!fits) {
		seek->thread = 0;
		return;
	}
	seek->used = 1;
	seek->user = weir_witness_of(event);
	seek->bytes = view->moved;
}

/* Written back where it was read: only a part of it can have changed. */
static int end_read(const struct taking *t)
{
	const struct weir_event *event = &t->view->event;
	uint64_t from = (uint64_t)event->off, to = from + t->view->moved;
	struct weir_use_read read = t->use->last;
	const struct weir_witness pair[2] = { read.witness,
					      weir_witness_of(event) };

	t->use->last.thread = 0;
	if (!read.thread || read.thread != event->thread || !t->view->moved ||
	    event->flags & WEIR_EVENT_NOOFF || from != read.from ||
	    to < read.to)
		return 0;
	return note_pair(t->clues, WEIR_RULE_READ_MODIFY_WRITE, t->use,
			 to - from, pair);
}

/* Libraries have their reasons to write a header once more. */
static int add_writing(struct weir_use_writing *writing,
		       const struct weir_callview *view)
{
	uint64_t from = (uint64_t)view->event.off;

	if (view->top > WEIR_CALLVIEW_STDIO ||
	    view->event.flags & WEIR_EVENT_NOOFF)
		return 0;
	writing->calls++;
	writing->bytes += view->moved;
	writing->time += view->event.dur;
	weir_witness_take(&writing->slowest, weir_witness_of(&view->event));
	return weir_extents_add(&writing->version, from, from + view->moved);
}

/* What a request takes, and what a byte does. */
static int add_phase(const struct taking *t)
{
	uint64_t bytes = t->view->moved, dur = t->view->event.dur;
	struct weir_use *use = t->use;

	if (!bytes)
		return 0;
	use->unclosed += bytes;
	weir_witness_take(&use->slowest_write,
			  weir_witness_of(&t->view->event));
	if (bytes < WEIR_SERVICE_ALIGN) {
		use->small++;
		use->small_time += dur;
	} else {
		use->large_bytes += bytes;
		use->large_time += dur;
	}
	return note_phase(t, (struct weir_phase){ .writes = 1, .bytes = bytes,
						  .time = dur });
}

/*
 * Descriptors that a child inherits are the kernel's, unless the service had
 * them before; what waits for the storage does not wait in a cache.
 */
static int gather(const struct taking *t)
{
	const struct weir_callview *view = t->view;
	const struct weir_gathering_write write = {
		.from = view->event.flags & WEIR_EVENT_NOOFF ?
				UINT64_MAX : (uint64_t)view->event.off,
		.bytes = view->moved,
		.at = real_without_waits(t),
	};

	t->file->served |= t->use->opens != 0;
	if (view->class == WEIR_CLASS_DRAIN && !t->use->streamed)
		t->use->standard = 1;
	if (!view->moved || weir_use_is_kernels(t->use, t->file) ||
	    t->use->was_synchronous || t->use->was_direct)
		return 0;
	return weir_gathering_take_at(&t->file->gathered, t->use->node, &write);
}

static int take_write(const struct taking *t)
{
	const struct weir_callview *view = t->view;
	struct weir_witness witness = weir_witness_of(&view->event);
	struct weir_use *use = t->use;
	int err = add_writing(&use->writing, view) ?: gather(t) ?: add_phase(t);

	t->file->changes++;
	use->unsynced += view->moved;
	use->written += view->moved;
	use->writes++;
	if (!err && use->synchronous)
		err = note_clue(t->clues, WEIR_RULE_SYNCHRONOUS_WRITES, use,
				view->moved, witness);
	return err ? err : end_read(t);
}

static void remember_read(struct weir_use *use,
			  const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;

	use->read += view->moved;
	use->last = (struct weir_use_read){ .thread = 0 };
	if (!view->moved || event->flags & WEIR_EVENT_NOOFF)
		return;
	use->last.thread = event->thread;
	use->last.from = (uint64_t)event->off;
	use->last.to = (uint64_t)event->off + view->moved;
	use->last.witness = weir_witness_of(event);
}

static int take_transfer(const struct taking *t)
{
	const struct weir_callview *view = t->view;
	const struct weir_event *event = &view->event;
	struct weir_use *use = t->use;

	if (!(view->marks & WEIR_CALLVIEW_TOLD_WHERE)) {
		use_seek(&use->seek, view);
		use->handle =
			event->flags & WEIR_EVENT_NOOFF ? 0 : event->handle;
		use->position = (uint64_t)event->off + view->moved;
	}
	if (view->class == WEIR_CLASS_WRITE || view->class == WEIR_CLASS_DRAIN)
		return take_write(t);
	remember_read(use, view);
	return 0;
}

/* From file to file: where in them is not told. */
static int take_copy(const struct taking *t)
{
	struct weir_use *use = t->use;

	use->handle = 0;
	use->seek.thread = 0;
	use->last.thread = 0;
	if (!(t->view->marks & WEIR_CALLVIEW_FILLS)) {
		use->read += t->view->moved;
		return 0;
	}
	weir_gathering_want_at(&t->file->gathered, use->node,
			       real_without_waits(t));
	t->file->changes++;
	use->unsynced += t->view->moved;
	use->written += t->view->moved;
	use->writes++;
	return 0;
}

/* Handed over; which way it goes does not matter to who asks. */
static int take_submit(const struct taking *t)
{
	t->file->changes++;
	t->use->carried += t->view->event.size;
	return 0;
}

static int take_map(const struct taking *t)
{
	if (failed(t->view))
		return 0;
	if (t->view->marks & WEIR_CALLVIEW_MAPS)
		t->use->carried += t->view->event.size;
	t->file->changes += (t->view->marks & WEIR_CALLVIEW_FILLS) != 0;
	return 0;
}

static int take_other(const struct taking *t)
{
	uint32_t marks = t->view->marks;

	if (marks & WEIR_CALLVIEW_LOOKS)
		return take_look(t);
	t->file->changes++;
	if (failed(t->view))
		return 0;
	if (marks & WEIR_CALLVIEW_ADOPTS)
		t->use->streamed = 1;
	if (marks & (WEIR_CALLVIEW_REMOVES | WEIR_CALLVIEW_RENAMES))
		t->use->opened = 0;
	if (marks & WEIR_CALLVIEW_REMOVES)
		t->use->removed = t->file->removed = 1;
	return 0;
}

typedef int taker(const struct taking *t);

static taker *const takers[WEIR_CLASS_COUNT] = {
	[WEIR_CLASS_OPEN] = take_open,	   [WEIR_CLASS_CLOSE] = take_close,
	[WEIR_CLASS_READ] = take_transfer, [WEIR_CLASS_WRITE] = take_transfer,
	[WEIR_CLASS_FILL] = take_transfer, [WEIR_CLASS_DRAIN] = take_transfer,
	[WEIR_CLASS_COPY] = take_copy,	   [WEIR_CLASS_SUBMIT] = take_submit,
	[WEIR_CLASS_MAP] = take_map,
	[WEIR_CLASS_SEEK] = take_seek,	   [WEIR_CLASS_STAT] = take_look,
	[WEIR_CLASS_SYNC] = take_sync,	   [WEIR_CLASS_OTHER] = take_other,
};

/* What a program asks of libraries shows in what they ask of the system. */
int weir_uses_take(struct weir_uses *uses, struct weir_clues *clues,
		   const struct weir_callview *view)
{
	struct taking taking = { .clues = clues, .view = view };

	if (view->layer > WEIR_CALLVIEW_ASYNC || !takers[view->class])
		return 0;
	taking.use = find_use(uses, view);
	if (!taking.use)
		return -ENOMEM;
	uses->last = taking.use->at;
	taking.file = &uses->files[uses->last];
	taking.phases = &uses->phases;
	taking.user = (uint32_t)(taking.use - uses->list);
	if (view->class != WEIR_CLASS_FILL && view->class != WEIR_CLASS_DRAIN &&
	    !(view->marks & WEIR_CALLVIEW_ECHO))
		taking.use->time += view->event.dur;
	return takers[view->class](&taking);
}

static void end_file(struct weir_use_file *file)
{
	uint64_t writes = weir_gathering_end_all(&file->gathered);

	file->requests =
		weir_gathering_count_all(&file->gathered, &file->joined);
	file->spared = writes > file->requests ? writes - file->requests : 0;
}

int weir_uses_end(struct weir_uses *uses, struct weir_clues *clues)
{
	int err = 0;

	for (size_t i = 0; !err && i < uses->count; i++) {
		end_version(&uses->list[i]);
		err = end_seek(&uses->list[i], clues);
	}
	for (size_t i = 0; i < uses->file_count; i++)
		end_file(&uses->files[i]);
	return err;
}
