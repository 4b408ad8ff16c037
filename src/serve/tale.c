/* SPDX-License-Identifier: BSD-3-Clause */
/* What the daemon does, as events. */
#include "serve/tale.h"

#include "selftrace/selftrace.h"
#include "serve/setup.h"
#include "spec/calls.h"
#include "wire/cid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static _Atomic uint64_t numbers; /* of runs that are told */

static int begin(const char *directory)
{
	const struct weir_setup *setup = weir_setup_used;
	char cache[24];
	struct weir_ownlive_trait traits[] = {
		{ "role", "server" },
		{ "policy", weir_setup_policies[setup->policy] },
		{ "on_close", weir_setup_on_close[setup->on_close] },
		{ "cache", cache },
		{ "backend", setup->backend },
		{ NULL, NULL },
	};

	snprintf(cache, sizeof(cache), "%" PRIu64, setup->cache);
	return weir_selftrace_begin(&(struct weir_ownlive_title){
		.directory = directory,
		.name = "weir serve (daemon)",
		.traits = traits,
	});
}

int weir_tale_begin(const char *directory)
{
	int err = begin(directory);

	if (!err)
		snprintf(weir_state->trace, sizeof(weir_state->trace), "%s",
			 directory);
	return err;
}

/* If it cannot be, the daemon before has at least told of itself. */
void weir_tale_resume(void)
{
	if (!*weir_state->trace)
		return;
	if (begin(weir_state->trace))
		fprintf(stderr, "weir: what this daemon does is not told in "
			"the trace\n");
}

void weir_tale_end(void)
{
	weir_selftrace_end();
}

void weir_tale_name(struct weir_file *file)
{
	if (atomic_load(&file->handle))
		return;
	atomic_store(&file->handle, weir_selftrace_name(file->kept->path));
	file->kept->is_told = atomic_load(&file->handle) != 0;
}

void weir_tale_introduce(struct weir_file *file)
{
	pthread_mutex_lock(&file->lock);
	weir_tale_name(file);
	weir_files_tell(file);
	pthread_mutex_unlock(&file->lock);
}

bool weir_tale_enter_open(void)
{
	return weir_selftrace_enter(WEIR_CALL_SERVE_OPEN, 0);
}

void weir_tale_leave_open(struct weir_file *file, uint64_t cid, int err)
{
	struct weir_selftrace_event event = { .call = WEIR_CALL_SERVE_OPEN,
					   .ret = err };

	if (file)
		event.handle = atomic_load(&file->handle);
	weir_selftrace_number(&event, cid);
	weir_selftrace_leave(&event);
}

void weir_tale_enter_birth(struct weir_tale_birth *tale)
{
	tale->is_told = false;
	if (!tale->cid)
		return;
	weir_tale_introduce(tale->file);
	tale->is_told = weir_selftrace_enter(WEIR_CALL_SERVE_MATERIALISE,
					  atomic_load(&tale->file->handle));
}

void weir_tale_leave_birth(struct weir_tale_birth *tale, uint64_t bytes,
			   int err)
{
	struct weir_selftrace_event event = {
		.call = WEIR_CALL_SERVE_MATERIALISE,
		.handle = atomic_load(&tale->file->handle),
		.size = bytes,
		.has_off = true,
		.ret = err ? err : (int64_t)bytes,
	};

	if (!tale->is_told)
		return;
	weir_selftrace_number(&event, tale->cid);
	weir_selftrace_leave(&event);
}

/* How ops are told: names of the fields that say how much, where, and how. */
static const struct told {
	uint32_t op, call;
	const char *size, *off, *ret;
} table[] = {
	{ WEIR_OP_CLOSE, WEIR_CALL_SERVE_CLOSE, NULL, NULL, NULL },
	{ WEIR_OP_COMMIT, WEIR_CALL_SERVE_COMMIT, NULL, NULL, NULL },
	{ WEIR_OP_READ, WEIR_CALL_SERVE_READ, "length", "offset", "got" },
	{ WEIR_OP_WRITE, WEIR_CALL_SERVE_THROUGH, NULL, "offset", "done" },
	{ WEIR_OP_APPEND, WEIR_CALL_SERVE_APPEND, "total", "offset", NULL },
	{ WEIR_OP_EXTENT, WEIR_CALL_SERVE_EXTENT, NULL, NULL, NULL },
	{ WEIR_OP_TRUNCATE, WEIR_CALL_SERVE_TRUNCATE, NULL, "length", NULL },
	{ WEIR_OP_BYPASS, WEIR_CALL_SERVE_BYPASS, NULL, NULL, NULL },
	{ WEIR_OP_UNLINKED, WEIR_CALL_SERVE_UNLINKED, NULL, NULL, NULL },
};

static const struct told *find_told(uint32_t op)
{
	static const struct told other = { .call = WEIR_CALL_SERVE_CALL };

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].op == op)
			return &table[i];
	return &other;
}

/* Of the answer if that has such a field, else of the call; 0: neither. */
static uint64_t value_of(const struct weir_tale_op *tale,
			 const struct weir_op_call *op, const char *name)
{
	const struct weir_op_row *row = weir_op_find(op->op);
	const struct weir_op_side *sides[] = { &row->answer, &row->call };
	const void *fields[] = { op->results, tale->args };

	for (int side = 0; name && side < 2; side++)
		for (uint32_t i = 0; i < sides[side]->count; i++)
			if (!strcmp(sides[side]->fields[i].name, name))
				return weir_op_value(&sides[side]->fields[i],
						     fields[side]);
	return 0;
}

static struct weir_file *borrow_open(const struct weir_session *session,
				     uint64_t open)
{
	struct weir_state_open *kept = &session->kept->opens[open];

	return atomic_load(&kept->live) ? weir_files_borrow_open(kept) : NULL;
}

/* Its file, if it is told of; the client can say anything. */
static uint32_t find_handle(const struct weir_session *session,
			    const struct weir_op_row *row, const uint64_t *args)
{
	const struct weir_op_field *field = row->call.fields;
	uint64_t value = row->call.count ? weir_op_value(field, args) : 0;
	struct weir_file *file = NULL;
	uint32_t handle;

	if (!row->call.count || value > field->most)
		return 0;
	if (!strcmp(field->kind, "file") && row->call.count > 1)
		file = weir_files_borrow((uint32_t)value,
					 (uint32_t)weir_op_value(field + 1,
								 args));
	else if (!strcmp(field->kind, "open"))
		file = borrow_open(session, value);
	if (!file)
		return 0;
	handle = atomic_load(&file->handle);
	weir_files_put(file);
	return handle;
}

void weir_tale_enter_op(struct weir_tale_op *tale,
			const struct weir_ops_call *call,
			const struct weir_op_call *op)
{
	const struct weir_op_row *row = weir_op_find(op->op);
	struct weir_cid cid = {
		.way = WEIR_CID_SLOT,
		.session = call->session->number,
		.where = call->slot,
		.stamp = call->session->slots[call->slot].stamp,
	};

	tale->is_told = false;
	if (!atomic_load(&weir_selftrace_is_on) || !row)
		return;
	memcpy(tale->args, op->args, sizeof(tale->args));
	tale->handle = find_handle(call->session, row, tale->args);
	tale->cause = cid.stamp ? weir_cid_of(&cid) : 0;
	tale->is_told = tale->handle &&
			weir_selftrace_enter(find_told(op->op)->call,
					  tale->handle);
}

void weir_tale_leave_op(struct weir_tale_op *tale,
			const struct weir_op_call *op, int status)
{
	const struct told *told = find_told(op->op);
	struct weir_selftrace_event event = {
		.call = told->call,
		.handle = tale->handle,
		.ret = status,
	};

	if (!tale->is_told ||
	    (status == WEIR_OPS_LATER && !weir_selftrace_cancel()))
		return;
	event.size = op->op == WEIR_OP_WRITE ? op->data.size :
					       value_of(tale, op, told->size);
	event.has_off = told->off;
	event.off = value_of(tale, op, told->off);
	if (!status)
		event.ret = (int64_t)value_of(tale, op, told->ret);
	if (!told->op)
		weir_selftrace_text(&event, weir_op_name(op->op));
	weir_selftrace_number(&event, tale->cause);
	weir_selftrace_leave(&event);
}

void weir_tale_enter_run(struct weir_tale_run *tale)
{
	uint32_t handle = atomic_load(&tale->file->handle);

	tale->number = 0;
	if (handle && weir_selftrace_enter(WEIR_CALL_SERVE_STAGE, handle))
		tale->number = ++numbers;
}

static struct weir_session_record *head_of(const struct weir_record *record)
{
	return (void *)(weir_session_chunk_at(record->session, record->chunk) +
			record->place);
}

/* 0: the call that wrote it was not recorded. */
static uint64_t cause_of(const struct weir_record *record)
{
	const struct weir_session_record *head = head_of(record);
	struct weir_cid cid = {
		.way = WEIR_CID_RECORD,
		.session = record->session->number,
		.where = record->chunk,
		.place = record->place,
		.stamp = head->stamp,
	};

	return atomic_load(&head->state) & WEIR_RECORD_TOLD ?
		       weir_cid_of(&cid) : 0;
}

/* What became of some of its bytes. */
struct part {
	uint64_t offset, length;
	uint64_t batch; /* 0: they are in none */
	enum weir_tale_fate fate;
	int err;
};

static void tell_part(struct weir_record *record, const struct part *part)
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

static enum weir_tale_fate fate_of(const struct result *result,
				   const struct weir_record *record,
				   uint64_t end)
{
	if (result->err && !result->gives_up)
		return WEIR_TALE_FAILED;
	if (end > result->end)
		return WEIR_TALE_GIVEN_UP;
	return record->told >= record->write.length ? WEIR_TALE_AGAIN :
						      WEIR_TALE_STORED;
}

static void tell_piece(void *arg, struct weir_write *write,
		       const struct weir_index_piece *piece)
{
	const struct result *result = arg;
	struct weir_record *record = (struct weir_record *)write;
	enum weir_tale_fate fate = fate_of(result, record,
					   piece->offset + piece->length);
	bool is_bad = fate == WEIR_TALE_FAILED || fate == WEIR_TALE_GIVEN_UP;
	struct part part = {
		.offset = piece->offset,
		.length = piece->length,
		.batch = result->number,
		.fate = fate,
		.err = is_bad ? result->err : 0,
	};

	tell_part(record, &part);
	if (fate == WEIR_TALE_STORED || fate == WEIR_TALE_GIVEN_UP)
		record->told += (uint32_t)piece->length;
}

void weir_tale_leave_run(struct weir_tale_run *tale, uint64_t left, int err,
			 bool gives_up)
{
	const struct weir_batch_run *run = &tale->batch->runs[tale->run];
	struct result result = {
		.number = tale->number,
		.end = run->offset + run->length - left,
		.err = err,
		.gives_up = gives_up,
	};
	struct weir_selftrace_event event = {
		.call = WEIR_CALL_SERVE_STAGE,
		.handle = atomic_load(&tale->file->handle),
		.size = run->length,
		.off = run->offset,
		.has_off = true,
		.ret = err ? err : (int64_t)run->length,
	};

	if (!tale->number)
		return;
	weir_selftrace_number(&event, tale->number);
	weir_selftrace_leave(&event);
	weir_batch_each(tale->batch, tale->run, tell_piece, &result);
}

void weir_tale_gone(struct weir_record *record)
{
	struct part rest = {
		.offset = record->write.offset,
		.fate = record->file->is_cut ? WEIR_TALE_REMOVED :
					       WEIR_TALE_OVERWRITTEN,
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
	struct weir_record *record = (struct weir_record *)write;
	struct part part = {
		.offset = piece->offset,
		.length = piece->length,
		.fate = WEIR_TALE_RESCUED,
	};

	tell_part(record, &part);
	record->told += (uint32_t)piece->length;
}

/* Nothing will be told of it again. */
static void tell_rest(void *unused, struct weir_write *write,
		      const struct weir_index_piece *piece)
{
	struct weir_record *record = (struct weir_record *)write;

	weir_tale_gone(record);
	record->told = (uint32_t)record->write.length;
}

void weir_tale_rescued(struct weir_file *file)
{
	const uint64_t whole = UINT64_C(1) << 62;
	struct weir_batch_shape all = { .most = whole, .align = whole };
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
