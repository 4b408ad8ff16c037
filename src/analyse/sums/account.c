/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls of one process while it runs, in bounded memory. */
#include "analyse/sums/account.h"

#include "analyse/sums/earlyends.h"
#include "analyse/sums/ledger.h"
#include "analyse/sums/profile.h"
#include "trace/event/handles.h"
#include "trace/event/pending.h"
#include "trace/event/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 8192 /* in memory, before half of them are folded */

struct weir_account {
	const struct weir_dictionary *dictionary; /* borrowed */
	struct weir_names *names;
	struct weir_handles *handles;
	struct weir_account *lender; /* whose these are; NULL: our own */
	struct weir_ledger files;  /* by number of the name; 0: none */
	struct weir_ledger parked; /* by handles nobody has told of yet */
	struct weir_row others;	   /* folded files */
	struct weir_bytes folded;  /* a bit for each name that is in there */
	uint64_t folded_names;
	uint64_t calls;
	struct weir_pending pending; /* operations under way */
	struct weir_earlyends ends;
};

int weir_account_new(const struct weir_dictionary *dictionary,
		     struct weir_account **ret_account)
{
	struct weir_account *account = calloc(1, sizeof(*account));

	if (!account)
		return -ENOMEM;
	account->dictionary = dictionary;
	account->names = calloc(1, sizeof(*account->names));
	account->handles = calloc(1, sizeof(*account->handles));
	if (!account->names || !account->handles) {
		weir_account_free(account);
		return -ENOMEM;
	}
	account->handles->names = account->names;
	*ret_account = account;
	return 0;
}

int weir_account_lend(struct weir_account *lender,
		      struct weir_account **ret_account)
{
	struct weir_account *account = calloc(1, sizeof(*account));

	if (!account)
		return -ENOMEM;
	account->dictionary = lender->dictionary;
	account->names = lender->names;
	account->handles = lender->handles;
	account->lender = lender;
	*ret_account = account;
	return 0;
}

void weir_account_free(struct weir_account *account)
{
	if (!account)
		return;
	if (!account->lender) {
		if (account->handles)
			weir_handles_fini(account->handles);
		if (account->names)
			weir_names_fini(account->names);
		free(account->handles);
		free(account->names);
	}
	weir_ledger_fini(&account->files);
	weir_ledger_fini(&account->parked);
	weir_row_fini(&account->others);
	weir_bytes_fini(&account->folded);
	weir_pending_fini(&account->pending);
	weir_earlyends_fini(&account->ends);
	free(account);
}

uint64_t weir_account_calls(const struct weir_account *account)
{
	return account->calls;
}

static int by_weight(const void *left, const void *right)
{
	uint64_t a = weir_row_weight(*(struct weir_row *const *)left);
	uint64_t b = weir_row_weight(*(struct weir_row *const *)right);

	return (a < b) - (a > b);
}

/* Pointers to the rows, the weightiest first. */
static int sort_rows(const struct weir_ledger *ledger,
		     struct weir_row ***ret_sorted)
{
	struct weir_row **sorted =
		malloc((ledger->count + 1) * sizeof(struct weir_row *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < ledger->count; i++)
		sorted[i] = &ledger->rows[i];
	qsort(sorted, ledger->count, sizeof(*sorted), by_weight);
	*ret_sorted = sorted;
	return 0;
}

/* Sets the bit of a name; a name counts once, however often it is folded. */
static int note_folded(struct weir_bytes *bits, uint64_t file,
		       uint64_t *names)
{
	size_t need = file / 8 + 1;
	uint8_t bit = (uint8_t)(1 << file % 8);
	int err = 0;

	if (need > bits->used) {
		err = weir_bytes_reserve(bits, need - bits->used);
		if (err)
			return err;
		memset(bits->data + bits->used, 0, need - bits->used);
		bits->used = need;
	}
	*names += !(bits->data[file / 8] & bit);
	bits->data[file / 8] |= bit;
	return 0;
}

static int fold_row(struct weir_account *account, struct weir_row *row)
{
	int err = note_folded(&account->folded, row->key,
			      &account->folded_names);

	err = err ?: weir_row_merge(&account->others, row);
	if (!err)
		weir_row_fini(row);
	return err;
}

/* The lighter half makes room; the row of no file stays. */
static int fold_half(struct weir_account *account)
{
	struct weir_ledger *files = &account->files;
	uint8_t *keep = malloc(files->count);
	struct weir_row **sorted;
	int err = keep ? sort_rows(files, &sorted) : -ENOMEM;

	if (err) {
		free(keep);
		return err;
	}
	memset(keep, 1, files->count);
	for (size_t i = files->count / 2; !err && i < files->count; i++) {
		if (!sorted[i]->key)
			continue;
		keep[sorted[i] - files->rows] = 0;
		err = fold_row(account, sorted[i]);
	}
	err = err ?: weir_ledger_keep(files, keep);
	free(sorted);
	free(keep);
	return err;
}

/* The row for an event: of its file, or of its handle until that is told. */
static struct weir_row *row_of(struct weir_account *account,
			       struct weir_event *event,
			       const struct weir_call *call)
{
	uint32_t handle = event->handle;

	if (handle && !(handle & WEIR_HANDLE_BARE) &&
	    !weir_handles_knows(account->handles, handle))
		return weir_ledger_row(&account->parked, handle);
	if (weir_handles_apply(account->handles, event, call))
		return NULL;
	if (account->files.count >= MOST_ROWS && fold_half(account))
		return NULL;
	return weir_ledger_row(&account->files, event->file);
}

static int add_sum(struct weir_account *account, struct weir_event *event)
{
	struct weir_cell *cell;
	struct weir_row *row;
	struct weir_sum sum;

	if (!weir_sum_read(event, &sum))
		return 0;
	row = row_of(account, event, NULL);
	cell = row ? weir_row_cell(row, (uint16_t)sum.key) : NULL;
	if (!cell)
		return -ENOMEM;
	weir_cell_add_sum(cell, &sum);
	weir_row_span(row, sum.first, sum.last);
	account->calls += sum.calls;
	return 0;
}

/* The bytes of the operation that has just ended, by this call. */
static int add_done(struct weir_account *account, uint16_t call, int64_t ret)
{
	const struct weir_pending_op *op = &account->pending.last;
	struct weir_event event = { .handle = op->handle };
	struct weir_row *row;
	struct weir_cell *cell;

	if (ret <= 0)
		return 0;
	row = row_of(account, &event, NULL);
	cell = row ? weir_row_cell(row, call) : NULL;
	if (!cell)
		return -ENOMEM;
	cell->bytes += (uint64_t)ret;
	if (op->way != WEIR_PENDING_MOVES_NOTHING)
		cell->done[op->way - 1] += (uint64_t)ret;
	return 0;
}

/* Its end has been told by a thread whose records came first. */
static int add_early_end(struct weir_account *account, uint64_t key,
			 const struct weir_event *event)
{
	struct weir_earlyends_one end;

	if (!weir_earlyends_take(&account->ends, key, event->start, &end) ||
	    !weir_pending_close(&account->pending, key))
		return 0;
	return add_done(account, end.call, end.ret);
}

/* An end is on the file of its operation. */
static int join_operation(struct weir_account *account,
			  struct weir_event *event,
			  const struct weir_call *call)
{
	struct weir_pending *pending = &account->pending;
	uint64_t key;
	int is_last;
	enum weir_pending_side side =
		weir_pending_look(event, call, &key, &is_last);
	int err = side ? weir_pending_add(pending, event, call) : 0;

	if (err || side == WEIR_PENDING_NEITHER)
		return err;
	if (side == WEIR_PENDING_SUBMIT)
		return add_early_end(account, key, event);
	if (pending->ended) {
		event->handle = event->handle ?: pending->last.handle;
		return event->flags & WEIR_EVENT_FAILED
			       ? 0
			       : add_done(account, event->call, event->ret);
	}
	return is_last && !(event->flags & WEIR_EVENT_FAILED)
		       ? weir_earlyends_keep(&account->ends, key, event)
		       : 0;
}

/* What an operation moves is told by its end, in the row of its file. */
static uint64_t moved_at_once(const struct weir_event *event,
			      const struct weir_call *call)
{
	if (event->flags & WEIR_EVENT_FAILED ||
	    weir_call_is(call, WEIR_MEANS_COMPLETE) ||
	    weir_call_is(call, WEIR_MEANS_SUBMIT))
		return 0;
	return weir_dictionary_moved(call, event);
}

static int add_call(struct weir_account *account, struct weir_event *event,
		    const struct weir_call *call)
{
	struct weir_cell *cell;
	struct weir_row *row;
	int err;

	if (event->flags & WEIR_EVENT_ENTERED)
		return 0;
	err = call ? join_operation(account, event, call) : 0;
	if (err)
		return err;
	row = row_of(account, event, call);
	cell = row ? weir_row_cell(row, event->call) : NULL;
	if (!cell)
		return -ENOMEM;
	weir_cell_add_event(cell, event,
			    call ? moved_at_once(event, call) : 0);
	weir_row_span(row, event->start, event->start + event->dur);
	account->calls++;
	return 0;
}

static int add_record(struct weir_account *account, struct weir_event *event)
{
	const struct weir_call *call =
		weir_dictionary_call(account->dictionary, event->call);
	int err = weir_handles_learn(account->handles, event, call);

	if (err)
		return err;
	if (event->call == WEIR_NOTE_SUM)
		return add_sum(account, event);
	if (event->call >= WEIR_NOTE_FIRST)
		return 0; /* losses are told by the process */
	return add_call(account, event, call);
}

int weir_account_take(struct weir_account *account, const void *data,
		      size_t bytes, uint64_t base_tick, uint64_t *ret_lost)
{
	struct weir_records records;
	struct weir_event event;
	uint64_t lost = 0;
	int err = 0;

	weir_records_start(&records, data, bytes, base_tick);
	while (weir_records_next(&records, &event) > 0) {
		int one = add_record(account, &event);

		lost += one != 0;
		err = err ?: one;
	}
	*ret_lost = lost;
	return err;
}

/* What was said of handles by now may name the parked rows. */
static int settle_parked(struct weir_account *account)
{
	int err = 0;

	for (size_t i = 0; !err && i < account->parked.count; i++) {
		struct weir_row *from = &account->parked.rows[i], *to;
		struct weir_event event = { .handle = (uint32_t)from->key };

		err = weir_handles_apply(account->handles, &event, NULL);
		to = err ? NULL
			 : weir_ledger_row(&account->files, event.file);
		if (!err)
			err = to ? weir_row_merge(to, from) : -ENOMEM;
	}
	if (!err)
		weir_ledger_fini(&account->parked);
	return err;
}

static int put_file(struct weir_account *account, const struct weir_row *row,
		    struct weir_bytes *payload)
{
	size_t len = 0;
	const char *name = weir_names_get(account->names, (uint32_t)row->key,
					  &len);

	return weir_profile_put(payload, name, len, row);
}

/*
 * The weightiest rows, as long as they fit; what does not is folded for good,
 * and `keep` says so. A fifth is left for the row of all others.
 */
static int put_files(struct weir_account *account, struct weir_bytes *payload,
		     uint8_t *keep, uint32_t *ret_rows)
{
	struct weir_ledger *files = &account->files;
	struct weir_row **sorted;
	int err = sort_rows(files, &sorted);

	for (size_t i = 0; !err && i < files->count; i++) {
		size_t before = payload->used;

		err = put_file(account, sorted[i], payload);
		keep[sorted[i] - files->rows] = 1;
		++*ret_rows;
		if (err || payload->used <= WEIR_ACCOUNT_BYTES / 5 * 4 ||
		    !sorted[i]->key)
			continue;
		payload->used = before;
		keep[sorted[i] - files->rows] = 0;
		--*ret_rows;
		err = fold_row(account, sorted[i]);
	}
	free(sorted);
	return err;
}

int weir_account_put(struct weir_account *account, struct weir_bytes *payload,
		     uint32_t *ret_rows)
{
	int err = settle_parked(account);
	uint8_t *keep = err ? NULL : calloc(account->files.count + 1, 1);
	uint32_t rows = 0;

	if (!keep)
		return err ? err : -ENOMEM;
	err = put_files(account, payload, keep, &rows);
	err = err ?: weir_ledger_keep(&account->files, keep);
	free(keep);
	if (!err && account->others.count) {
		err = weir_profile_put_others(payload, account->folded_names,
					      &account->others);
		rows++;
	}
	if (!err)
		*ret_rows = rows;
	return err;
}
