/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes into the log. */
#include "forward/log/log.h"

#include "base/clock.h"
#include "forward/link/clientevents.h"
#include "forward/link/link.h"
#include "forward/link/self.h"
#include "forward/log/log_chunk.h"
#include "forward/log/transfer.h"
#include "spec/calls.h"
#include "spec/forward_stubs.h"
#include "wire/cid.h"

#include <errno.h>
#include <string.h>

#define FULL 512 /* bytes left of a chunk that nothing fits into */

/* What is looked at again afterwards. */
#define OVERTAKEN (WEIR_FILE_BYPASS | WEIR_FILE_TIGHT)

/* A write on its way, and the header of its next record. */
struct passage {
	struct weir_transfer_cursor from;
	struct weir_session_record head;
};

/* Later than that of the thread's last write, however coarse the clock. */
static uint64_t take_stamp(void)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);

	if (now <= weir_self.stamp)
		now = weir_self.stamp + 1;
	weir_self.stamp = now;
	return now;
}

/* The next record, as much of it as fits; not counted yet. */
static uint32_t fill_record(struct passage *way,
			    const struct weir_log_chunk *chunk)
{
	uint64_t left = weir_transfer_left(&way->from);
	uint32_t length = weir_log_chunk_room(chunk);
	unsigned char *to = chunk->bytes + chunk->used;

	if (left < length)
		length = (uint32_t)left;
	way->head.length = length;
	memcpy(to, &way->head, sizeof(way->head));
	weir_transfer_copy(&way->from, to + sizeof(way->head), length);
	way->head.offset += length;
	return length;
}

/* The acknowledgement. All later loads see what the daemon did before it. */
static void count_record(struct weir_log_chunk *chunk, uint32_t length)
{
	chunk->used += weir_session_record_size(length);
	atomic_exchange(&chunk->head->used, chunk->used);
}

static void leave_chunk(const struct weir_log_chunk *chunk)
{
	if (chunk->used + FULL > WEIR_SESSION_CHUNK)
		weir_log_chunk_seal(chunk);
	else
		weir_log_chunk_release(chunk);
}

static inline int enter_chunk(const struct passage *way,
			      struct weir_log_chunk *ret_chunk)
{
	uint64_t left = weir_transfer_left(&way->from);
	uint32_t wanted = left < WEIR_SESSION_PAYLOAD ? (uint32_t)left
						      : WEIR_SESSION_PAYLOAD;

	return weir_log_chunk_next(wanted, way->head.file, ret_chunk);
}

static void begin_event(struct passage *way, struct weir_clientevent *event)
{
	weir_clientevents_begin(event, WEIR_CALL_FORWARD, way->head.file);
	atomic_store_explicit(&way->head.state,
			      event->is_on ? WEIR_RECORD_TRACED : 0,
			      memory_order_relaxed);
}

/* The record at this place of a chunk is counted, and still in our hands. */
static struct weir_clientevent_end
describe_record(const struct weir_log_chunk *chunk, uint32_t place)
{
	struct weir_session_record head;
	struct weir_cid cid = {
		.way = WEIR_CID_RECORD,
		.session = weir_link.page->session,
		.where = chunk->index,
		.place = place,
	};

	memcpy(&head, chunk->bytes + place, sizeof(head));
	cid.stamp = head.stamp;
	return (struct weir_clientevent_end){
		.cid = weir_cid_of(&cid),
		.size = head.length,
		.offset = head.offset,
		.ret = head.length,
	};
}

static void end_event(struct weir_clientevent *event,
		      const struct weir_log_chunk *chunk, uint32_t place)
{
	struct weir_clientevent_end end;

	if (weir_gate_likely(!event->is_on)) {
		leave_chunk(chunk);
		return;
	}
	end = describe_record(chunk, place);
	leave_chunk(chunk);
	weir_clientevents_end(event, &end);
}

static int put_records(struct passage *way)
{
	struct weir_log_chunk chunk;
	struct weir_clientevent event;
	uint32_t place;
	int ret;

	while (weir_transfer_left(&way->from)) {
		begin_event(way, &event);
		ret = enter_chunk(way, &chunk);
		if (ret) {
			weir_clientevents_end(
				&event,
				&(struct weir_clientevent_end){.ret = ret});
			return ret;
		}
		place = chunk.used;
		count_record(&chunk, fill_record(way, &chunk));
		end_event(&event, &chunk, place);
	}
	return 0;
}

static void begin_passage(const struct weir_transfer *write, uint64_t offset,
			  struct passage *ret_way)
{
	const struct weir_session_open *open = &weir_link.opens[write->open];

	weir_self_owner();
	*ret_way = (struct passage){
		.from = {.way = write, .part = write->parts},
		.head = {.file = open->file,
			 .turn = open->turn,
			 .offset = offset,
			 .stamp = take_stamp()},
	};
}

/*
 * If nobody looks for records, wake the daemon. A file that is not to be logged
 * any more has perhaps been stored without this record: before others write to
 * it in another way, this one is stored too.
 */
static int finish_passage(const struct passage *way)
{
	struct weir_op_commit_in commit = {.file = way->head.file,
					   .turn = way->head.turn};
	struct weir_op_commit_out nothing;

	if (atomic_load(&weir_link.page->armed))
		weir_link_wake();
	if (weir_link_is_dead())
		return -EIO;
	if (__builtin_expect(
		    !(atomic_load(
			      &weir_link.board->files[way->head.file].flags) &
		      OVERTAKEN),
		    1))
		return 0;
	return weir_stub_commit(&commit, &nothing);
}

static int64_t result_of(const struct passage *way, int err)
{
	uint64_t done = way->from.done;

	if (err == -EBUSY) /* the rest goes another way */
		err = 0;
	if (done && !err)
		err = finish_passage(way);
	if (err == -EIO && weir_link_is_dead())
		return -EIO;
	return err && !done ? err : (int64_t)done;
}

static bool may_log(const struct weir_transfer *write)
{
	return write->total &&
	       !(weir_link_flags(weir_link.opens[write->open].file) &
		 WEIR_LOG_CHUNK_NEVER);
}

int64_t weir_log_write(const struct weir_transfer *write)
{
	struct passage way;

	if (!may_log(write))
		return 0;
	begin_passage(write, write->offset, &way);
	return result_of(&way, put_records(&way));
}

/*
 * The first record is filled, and the daemon says where it goes and counts it,
 * at one moment: so whoever asks for the end of the file next is told the end
 * of this one. The others follow as any record.
 */
static int append_first(const struct weir_transfer *write, struct passage *way)
{
	struct weir_op_append_in in = {.open = write->open,
				       .total = write->total};
	struct weir_op_append_out out;
	struct weir_log_chunk chunk;
	struct weir_clientevent event;
	int ret;

	begin_event(way, &event);
	ret = enter_chunk(way, &chunk);
	if (ret)
		goto failed;
	in.chunk = chunk.index;
	in.place = chunk.used;
	fill_record(way, &chunk);
	ret = weir_stub_append(&in, &out);
	chunk.used = atomic_load(&chunk.head->used);
	if (ret) {
		leave_chunk(&chunk);
		way->from = weir_transfer_behind(write, 0);
		goto failed;
	}
	end_event(&event, &chunk, in.place);
	way->head.offset += out.offset;
	return 0;
failed:
	weir_clientevents_end(&event,
			      &(struct weir_clientevent_end){.ret = ret});
	return ret;
}

int64_t weir_log_append(const struct weir_transfer *write, uint64_t *ret_end)
{
	struct passage way;
	int ret;

	if (!may_log(write))
		return 0;
	begin_passage(write, 0, &way);
	ret = append_first(write, &way);
	if (!ret)
		ret = put_records(&way);
	*ret_end = way.head.offset;
	return result_of(&way, ret);
}
