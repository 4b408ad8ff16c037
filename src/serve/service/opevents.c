/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of calls by slot into the trace. */
#include "serve/service/opevents.h"

#include "selftrace/selftrace.h"
#include "serve/files/files.h"
#include "spec/calls.h"
#include "wire/cid.h"

#include <string.h>

/* The call of an op, and the fields that say how much, where, and how. */
static const struct row {
	uint32_t op, call;
	const char *size, *off, *ret;
} table[] = {
	{WEIR_OP_CLOSE, WEIR_CALL_SERVE_CLOSE, NULL, NULL, NULL},
	{WEIR_OP_COMMIT, WEIR_CALL_SERVE_COMMIT, NULL, NULL, NULL},
	{WEIR_OP_READ, WEIR_CALL_SERVE_READ, "length", "offset", "got"},
	{WEIR_OP_WRITE, WEIR_CALL_SERVE_THROUGH, NULL, "offset", "done"},
	{WEIR_OP_APPEND, WEIR_CALL_SERVE_APPEND, "total", "offset", NULL},
	{WEIR_OP_EXTENT, WEIR_CALL_SERVE_EXTENT, NULL, NULL, NULL},
	{WEIR_OP_TRUNCATE, WEIR_CALL_SERVE_TRUNCATE, NULL, "length", NULL},
	{WEIR_OP_BYPASS, WEIR_CALL_SERVE_BYPASS, NULL, NULL, NULL},
	{WEIR_OP_UNLINKED, WEIR_CALL_SERVE_UNLINKED, NULL, NULL, NULL},
};

static const struct row *find_row(uint32_t op)
{
	static const struct row other = {.call = WEIR_CALL_SERVE_CALL};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].op == op)
			return &table[i];
	return &other;
}

/* Of the answer if that has such a field, else of the call; 0: neither. */
static uint64_t value_of_field(const struct weir_opevents_op *own,
			       const struct weir_op_call *op, const char *name)
{
	const struct weir_op_row *row = weir_op_find(op->op);
	const struct weir_op_side *sides[] = {&row->answer, &row->call};
	const void *fields[] = {op->results, own->args};

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
		file = weir_files_borrow(
			(uint32_t)value,
			(uint32_t)weir_op_value(field + 1, args));
	else if (!strcmp(field->kind, "open"))
		file = borrow_open(session, value);
	if (!file)
		return 0;
	handle = atomic_load(&file->handle);
	weir_files_put(file);
	return handle;
}

void weir_opevents_enter(struct weir_opevents_op *own,
			 const struct weir_slotcall *call,
			 const struct weir_op_call *op)
{
	const struct weir_op_row *row = weir_op_find(op->op);
	struct weir_cid cid = {
		.way = WEIR_CID_SLOT,
		.session = call->session->number,
		.where = call->slot,
		.stamp = call->session->slots[call->slot].stamp,
	};

	own->is_told = false;
	if (!atomic_load(&weir_selftrace_is_on) || !row)
		return;
	memcpy(own->args, op->args, sizeof(own->args));
	own->handle = find_handle(call->session, row, own->args);
	own->cause = cid.stamp ? weir_cid_of(&cid) : 0;
	own->is_told =
		own->handle &&
		weir_selftrace_enter(find_row(op->op)->call, own->handle);
}

void weir_opevents_leave(struct weir_opevents_op *own,
			 const struct weir_op_call *op, int status)
{
	const struct row *row = find_row(op->op);
	struct weir_selftrace_event event = {
		.call = row->call,
		.handle = own->handle,
		.ret = status,
	};

	if (!own->is_told ||
	    (status == WEIR_SLOTCALL_LATER && !weir_selftrace_cancel()))
		return;
	event.size = op->op == WEIR_OP_WRITE
			     ? op->data.size
			     : value_of_field(own, op, row->size);
	event.has_off = row->off;
	event.off = value_of_field(own, op, row->off);
	if (!status)
		event.ret = (int64_t)value_of_field(own, op, row->ret);
	if (!row->op)
		weir_selftrace_text(&event, weir_op_name(op->op));
	weir_selftrace_number(&event, own->cause);
	weir_selftrace_leave(&event);
}
