/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles: operations that are only begun, and calls that may see them end. Most
 * requests of a program are not a file's; while no file has one open, a call
 * that completes requests is passed on after a single look.
 */
#include "layers/mpi/mpi_digest.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_real.h"
#include "spec/calls.h"

#include <stdatomic.h>

struct request {
	uint64_t id;
	uint64_t size;
	uint32_t handle; /* of the file */
	uint32_t next;	 /* that the same call may complete */
	int index;	 /* in the call's list */
	long value;
};

static struct weir_book book;
static struct request requests[WEIR_BOOK_ROOM];
static _Atomic uint64_t ids;
static _Atomic int64_t open_requests;

bool weir_mpi_submit_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_file_begin(on, args))
		return false;
	weir_mpi_file_locate(args);
	args->id = 1 + atomic_fetch_add(&ids, 1);
	weir_mpi_digest_before(args);
	return true;
}

/*
 * Counted before it can be found, and found before the program can wait for it.
 * One that there is no room for is not followed; its end is never told.
 */
static void remember_request(const struct weir_layer *on,
			     const struct weir_mpi_args *args)
{
	long value = weir_mpi_handle_at(args->request, 0);
	uint32_t at;

	if (value == weir_mpi_cut(weir_mpi_flavour.request_null))
		return;
	if (weir_book_find(&book, (uint64_t)value) == WEIR_BOOK_NONE)
		atomic_fetch_add(&open_requests, 1);
	at = weir_book_add(&book, (uint64_t)value);
	if (at == WEIR_BOOK_NONE) {
		atomic_fetch_sub(&open_requests, 1);
		return;
	}
	requests[at] = (struct request){
		.id = args->id,
		.size = on->args.size,
		.handle = args->file ? args->file->handle : 0,
		.value = value,
	};
}

void weir_mpi_submit_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_file_place(on, args);
	weir_mpi_fault(on);
	on->args.size = weir_mpi_asked(on, args);
	weir_mpi_digest_after(on, args);
	if (on->args.failed)
		return;
	if (!args->split)
		remember_request(on, args);
	else if (args->file)
		args->file->split = args->id;
}

bool weir_mpi_done_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_file_begin(on, args))
		return false;
	args->id = args->file ? args->file->split : 0;
	if (args->status == weir_mpi_flavour.no_status)
		args->status = &args->own;
	return true;
}

void weir_mpi_done_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
	if (!on->args.failed)
		on->args.ret = weir_mpi_moved(args->status);
}

/*
 * Link those that are a file's, last first. They leave the book: once the call
 * has completed a request, MPI may give its value to another thread's, before
 * we hear of it.
 */
static uint32_t find_ours(const struct weir_mpi_args *args, int count)
{
	uint32_t first = WEIR_BOOK_NONE;

	for (int i = count - 1; i >= 0; i--) {
		long value = weir_mpi_handle_at(args->request, i);
		uint32_t at = weir_book_find(&book, (uint64_t)value);

		if (at == WEIR_BOOK_NONE)
			continue;
		weir_book_hide(&book, at);
		requests[at].next = first;
		requests[at].index = i;
		first = at;
	}
	return first;
}

static int count_of(const struct weir_mpi_args *args)
{
	return args->all || args->some ? args->number : 1;
}

/* With our own room for statuses, if it is enough. */
static void lend_statuses(struct weir_mpi_args *args)
{
	static __thread struct weir_mpi_status own[WEIR_MPI_STATUSES];

	if (args->blind || args->status != weir_mpi_flavour.no_status)
		return;
	if (count_of(args) <= WEIR_MPI_STATUSES || !args->all)
		args->status = own;
}

static void show_all(uint32_t at)
{
	for (; at != WEIR_BOOK_NONE; at = requests[at].next)
		weir_book_show(&book, at, (uint64_t)requests[at].value);
}

bool weir_mpi_wait_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (weir_gate_likely(!atomic_load_explicit(&open_requests,
						   memory_order_relaxed)) ||
	    !args->request)
		return false;
	args->first = find_ours(args, count_of(args));
	if (args->first == WEIR_BOOK_NONE)
		return false;
	if (!weir_layer_ask(on, args->call, requests[args->first].handle,
			    args->frame)) {
		show_all(args->first);
		return false;
	}
	lend_statuses(args);
	return true;
}

/* Which of the statuses is that of a request; -1: none. */
static int status_of(const struct weir_mpi_args *args, int index)
{
	if (!args->all)
		return 0;
	if (!args->some)
		return index;
	for (int i = 0; i < *args->index; i++)
		if (args->indices[i] == index)
			return i;
	return -1;
}

/* Where the program takes no status, only what was asked for is known. */
static void tell_done(struct weir_layer *on, const struct weir_mpi_args *args,
		      const struct request *request)
{
	struct weir_encoded *detail = weir_layer_child_detail(on);
	size_t step = weir_mpi_flavour.narrow ? 20 : 24;
	int n = status_of(args, request->index);
	bool sure = !args->blind && n >= 0 &&
		    args->status != weir_mpi_flavour.no_status;
	struct weir_args done = {
		.call = WEIR_CALL_MPI_FILE_DONE,
		.ret = sure ? weir_mpi_moved((char *)args->status + step * n)
			    : 0,
		.failed = on->args.failed && !args->all,
		.err = on->args.err,
	};

	weir_encode_unsigned(detail, request->id);
	weir_encode_optional(detail, !sure, request->size);
	weir_layer_derive(on, request->handle, &done);
}

/* One that does not wait says by a flag, or by a number, what has ended. */
static bool is_in_vain(const struct weir_layer *on,
		       const struct weir_mpi_args *args)
{
	if (on->args.failed)
		return false;
	if (args->done)
		return !*args->done;
	return args->all && args->some && !*args->index;
}

/* A request that was completed is null afterwards. */
void weir_mpi_wait_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	long null = weir_mpi_cut(weir_mpi_flavour.request_null);
	uint32_t at = args->first;

	weir_mpi_fault(on);
	on->is_vain = is_in_vain(on, args);
	for (uint32_t next; at != WEIR_BOOK_NONE; at = next) {
		struct request request = requests[at];

		next = request.next;
		if (weir_mpi_handle_at(args->request, request.index) != null) {
			weir_book_show(&book, at, (uint64_t)request.value);
			continue;
		}
		on->is_vain = false;
		weir_book_leave(&book, at);
		atomic_fetch_sub(&open_requests, 1);
		tell_done(on, args, &request);
	}
}
