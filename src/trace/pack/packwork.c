/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a packer's work: reads chunks, makes events of them, writes these. */
#include "trace/pack/packwork.h"

#include "base/varint.h"
#include "trace/event/detail.h"
#include "trace/event/records.h"
#include "trace/file/blocks.h"
#include "trace/layout/sum_layout.h"

#include <errno.h>
#include <string.h>

static const struct weir_call *call_of(const struct weir_packwork *work,
				       const struct weir_event *event)
{
	return weir_dictionary_call(work->dictionary, event->call);
}

/* A handle the event needs and the process has not told of yet, or 0. */
static uint32_t missing_for(struct weir_handles *handles,
			    const struct weir_event *event,
			    const struct weir_call *call)
{
	struct weir_value path;

	if (event->call >= WEIR_NOTE_FIRST && event->call != WEIR_NOTE_SUM)
		return 0;
	if (event->handle)
		return weir_handles_knows(handles, event->handle) ?
			       0 : event->handle;
	if (!call || !call->has_path ||
	    !weir_detail_first_path(event, call, &path))
		return 0;
	return weir_handles_knows(handles, (uint32_t)path.number) ?
		       0 : (uint32_t)path.number;
}

/* Learns the handles told in the chunk, and which one it lacks. */
static int survey(struct weir_packwork *work, struct weir_handles *handles,
		  uint64_t base_tick, uint32_t *ret_missing)
{
	struct weir_records records;
	struct weir_event event;
	uint32_t missing = 0;
	int err = 0;

	weir_records_start(&records, work->chunk.data, work->chunk.used,
			   base_tick);
	while (!err && weir_records_next(&records, &event) > 0) {
		const struct weir_call *call = call_of(work, &event);

		err = weir_handles_learn(handles, &event, call);
		if (!err && !missing)
			missing = missing_for(handles, &event, call);
		weir_records_skip(&records);
	}
	*ret_missing = missing;
	return err;
}

int weir_packwork_learn(struct weir_packwork *work,
			struct weir_handles *handles, const void *data,
			uint32_t used, uint64_t base_tick)
{
	uint32_t missing;

	work->chunk.used = 0;
	return weir_bytes_add(&work->chunk, data, used) ?:
		       survey(work, handles, base_tick, &missing);
}

static int add_loss(struct weir_packwork *work, struct weir_packthread *thread,
		    uint64_t count)
{
	struct weir_event event = {
		.call = WEIR_NOTE_LOSS,
		.flags = WEIR_EVENT_NOOFF,
		.fd = -1,
		.start = thread->to.clock,
		.size = count,
	};

	return weir_packout_add(&work->out, &thread->to, &event);
}

/* Count, first tick, last tick: from the detail into the event itself. */
static void read_loss(struct weir_event *event)
{
	const uint8_t *at = event->detail;
	size_t left = event->detail_len;
	uint64_t got[3] = { 0, event->start, event->start };

	for (int i = 0; i < 3; i++) {
		size_t n = weir_varint_get(at, left, &got[i]);

		if (!n)
			break;
		at += n;
		left -= n;
	}
	event->size = got[0];
	event->start = got[1];
	event->dur = got[2] >= got[1] ? got[2] - got[1] : 0;
	event->flags |= WEIR_EVENT_NOOFF;
	event->off = event->ret = 0;
	event->fd = -1;
	event->file = 0;
	event->detail_len = 0;
}

/* A sum stands where its first timed call began. */
static void read_sum(struct weir_event *event, uint64_t clock)
{
	struct weir_sum sum;

	event->start = clock;
	event->dur = 0;
	if (!weir_sum_read(event, &sum) || !sum.first || sum.last < sum.first)
		return;
	event->start = sum.first;
	event->dur = sum.last - sum.first;
}

static int add_record(struct weir_packwork *work,
		      struct weir_packthread *thread,
		      struct weir_event *event)
{
	int err = 0;

	if (event->call == WEIR_NOTE_HANDLE)
		return 0;
	if (event->call == WEIR_NOTE_SUM)
		read_sum(event, thread->to.clock);
	if (event->call == WEIR_NOTE_LOSS)
		read_loss(event);
	else
		err = weir_handles_apply(thread->handles, event,
					 call_of(work, event));
	return err ? err : weir_packout_add(&work->out, &thread->to, event);
}

/* Loads a waiting chunk; damage shows as the chunk's flag. */
static int load_chunk(struct weir_packwork *work,
		      struct weir_packchunk *chunk, uint64_t *ret_base_tick)
{
	struct weir_blocks_found found = { .at = chunk->at };
	int fd = work->inputs[chunk->input];
	int err = weir_blocks_at(fd, chunk->at, &found);

	if (!err)
		err = weir_blocks_load(fd, &found,
				       &work->out.columns.planes.zip,
				       &work->chunk);
	*ret_base_tick = found.head.last;
	if (err != -EBADMSG)
		return err;
	chunk->damaged = 1;
	return 0;
}

static int pack_chunk(struct weir_packwork *work,
		      struct weir_packthread *thread,
		      struct weir_packchunk *chunk)
{
	struct weir_records records;
	struct weir_event event;
	uint64_t base = 0;
	uint32_t read = 0;
	int more, err = 0;

	if (!chunk->damaged)
		err = load_chunk(work, chunk, &base);
	if (err)
		return err;
	if (chunk->damaged) {
		work->damaged++;
		work->lost += chunk->records;
		return add_loss(work, thread, chunk->records);
	}
	weir_records_start(&records, work->chunk.data, work->chunk.used, base);
	while ((more = weir_records_next(&records, &event)) > 0) {
		read++;
		err = add_record(work, thread, &event);
		if (err)
			return err;
	}
	if (!more)
		return 0;
	work->damaged++;
	work->lost += chunk->records > read ? chunk->records - read : 0;
	return add_loss(work, thread,
			chunk->records > read ? chunk->records - read : 0);
}

int weir_packwork_survey(struct weir_packwork *work,
			 struct weir_handles *handles,
			 struct weir_packchunk *chunk)
{
	uint64_t base = 0;
	int err = load_chunk(work, chunk, &base);

	chunk->missing = 0;
	if (err || chunk->damaged)
		return err;
	return survey(work, handles, base, &chunk->missing);
}

/* Whether all the chunk's handles are known, or have become so. */
static int chunk_is_ready(struct weir_packwork *work,
			  struct weir_packthread *thread,
			  struct weir_packchunk *chunk)
{
	int err;

	if (chunk->damaged || !chunk->missing)
		return 1;
	if (!weir_handles_knows(thread->handles, chunk->missing))
		return 0;
	err = weir_packwork_survey(work, thread->handles, chunk);
	return err ? err : !chunk->missing;
}

int weir_packwork_thread(struct weir_packwork *work,
			 struct weir_packthread *thread, int last)
{
	uint32_t done = 0;
	int err = 0;

	while (!err && done < thread->count) {
		struct weir_packchunk *chunk = &thread->chunks[done];
		int ready = last ? 1 : chunk->sequence == thread->next;

		if (ready && !last)
			ready = chunk_is_ready(work, thread, chunk);
		if (ready <= 0) {
			err = ready;
			break;
		}
		if (chunk->sequence != thread->next)
			err = add_loss(work, thread, 0);
		if (!err)
			err = pack_chunk(work, thread, chunk);
		thread->next = chunk->sequence + 1;
		done++;
	}
	weir_packthread_drop(thread, done);
	if (!err)
		err = weir_packout_flush(&work->out, &thread->to);
	return err ? err : weir_packout_names(&work->out, 0);
}
