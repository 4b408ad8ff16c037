/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes into the trace what becomes of the bytes that programs wrote. */
#include "serve/session/recordevents.h"

#include "selftrace/selftrace.h"
#include "serve/session/sessionparts.h"
#include "spec/calls.h"
#include "wire/cid.h"

static _Atomic uint64_t numbers; /* of runs that are in the trace */

void weir_recordevents_enter_run(struct weir_recordevents_run *stored)
{
	uint32_t handle = atomic_load(&stored->file->handle);

	stored->number = 0;
	if (handle && weir_selftrace_enter(WEIR_CALL_SERVE_STAGE, handle))
		stored->number = ++numbers;
}

static struct weir_session_record *head_of(const struct weir_logrecord *record)
{
	return (void *)(weir_session_chunk_at(record->session, record->chunk) +
			record->place);
}

/* 0: the call that wrote it was not recorded. */
static uint64_t cause_of(const struct weir_logrecord *record)
{
	const struct weir_session_record *head = head_of(record);
	struct weir_cid cid = {
		.way = WEIR_CID_RECORD,
		.session = record->session->number,
		.where = record->chunk,
		.place = record->place,
		.stamp = head->stamp,
	};

	return atomic_load(&head->state) & WEIR_RECORD_TRACED
		       ? weir_cid_of(&cid)
		       : 0;
}

/* What became of some of its bytes. */
struct part {
	uint64_t offset, length;
	uint64_t batch; /* 0: they are in none */
	enum weir_recordevents_fate fate;
	int err;
};

static void tell_part(struct weir_logrecord *record, const struct part *part)
{
	struct weir_selftrace_event event = {
		.call = WEIR_CALL_SERVE_WRITE,
		.handle = atomic_load(&record->file->handle),
		.start = record->taken,
		.size = part->length,
		.off = part->offset,
		.has_off = true,
		.ret = part->err ? part->err : (int64_t)part->length,
	};

	weir_selftrace_number(&event, cause_of(record));
	weir_selftrace_number(&event, part->batch);
	weir_selftrace_number(&event, part->fate);
	weir_selftrace_put(&event);
}

/* A run that is over. */
struct result {
	uint64_t number, end; /* up to where it was written */
	int err;
	bool gives_up;
};

static enum weir_recordevents_fate fate_of(const struct result *result,
					   const struct weir_logrecord *record,
					   uint64_t end)
{
	if (result->err && !result->gives_up)
		return WEIR_RECORDEVENTS_FAILED;
	if (end > result->end)
		return WEIR_RECORDEVENTS_GIVEN_UP;
	return record->told >= record->write.length ? WEIR_RECORDEVENTS_AGAIN
						    : WEIR_RECORDEVENTS_STORED;
}

static void tell_piece(void *arg, struct weir_write *write,
		       const struct weir_index_piece *piece)
{
	const struct result *result = arg;
	struct weir_logrecord *record = (struct weir_logrecord *)write;
	enum weir_recordevents_fate fate =
		fate_of(result, record, piece->offset + piece->length);
	bool is_bad = fate == WEIR_RECORDEVENTS_FAILED ||
		      fate == WEIR_RECORDEVENTS_GIVEN_UP;
	struct part part = {
		.offset = piece->offset,
		.length = piece->length,
		.batch = result->number,
		.fate = fate,
		.err = is_bad ? result->err : 0,
	};

	tell_part(record, &part);
	if (fate == WEIR_RECORDEVENTS_STORED ||
	    fate == WEIR_RECORDEVENTS_GIVEN_UP)
		record->told += (uint32_t)piece->length;
}

void weir_recordevents_leave_run(struct weir_recordevents_run *stored,
				 uint64_t left, int err, bool gives_up)
{
	const struct weir_batch_run *run = &stored->batch->runs[stored->run];
	struct result result = {
		.number = stored->number,
		.end = run->offset + run->length - left,
		.err = err,
		.gives_up = gives_up,
	};
	struct weir_selftrace_event event = {
		.call = WEIR_CALL_SERVE_STAGE,
		.handle = atomic_load(&stored->file->handle),
		.size = run->length,
		.off = run->offset,
		.has_off = true,
		.ret = err ? err : (int64_t)run->length,
	};

	if (!stored->number)
		return;
	weir_selftrace_number(&event, stored->number);
	weir_selftrace_leave(&event);
	weir_batch_each(stored->batch, stored->run, tell_piece, &result);
}

void weir_recordevents_gone(struct weir_logrecord *record)
{
	struct part rest = {
		.offset = record->write.offset,
		.fate = record->file->is_cut ? WEIR_RECORDEVENTS_REMOVED
					     : WEIR_RECORDEVENTS_OVERWRITTEN,
	};

	if (!atomic_load(&record->file->handle) ||
	    record->told >= record->write.length)
		return;
	rest.length = record->write.length - record->told;
	tell_part(record, &rest);
}

static void tell_rescued(void *unused, struct weir_write *write,
			 const struct weir_index_piece *piece)
{
	struct weir_logrecord *record = (struct weir_logrecord *)write;
	struct part part = {
		.offset = piece->offset,
		.length = piece->length,
		.fate = WEIR_RECORDEVENTS_RESCUED,
	};

	tell_part(record, &part);
	record->told += (uint32_t)piece->length;
}

/* Nothing will be told of it again. */
static void tell_rest(void *unused, struct weir_write *write,
		      const struct weir_index_piece *piece)
{
	struct weir_logrecord *record = (struct weir_logrecord *)write;

	weir_recordevents_gone(record);
	record->told = (uint32_t)record->write.length;
}

void weir_recordevents_rescued(struct weir_file *file)
{
	const uint64_t whole = UINT64_C(1) << 62;
	struct weir_batch_shape all = {.most = whole, .align = whole};
	struct weir_batch batch;

	if (!atomic_load(&file->handle) ||
	    weir_batch_gather(file->index, &all, &batch))
		return;
	for (uint32_t run = 0; run < batch.count; run++)
		weir_batch_each(&batch, run, tell_rescued, NULL);
	for (uint32_t run = 0; run < batch.count; run++)
		weir_batch_each(&batch, run, tell_rest, NULL);
	weir_batch_settle(file->index, &batch);
}
