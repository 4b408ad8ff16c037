/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores one file's bytes by the plug-in, once. */
#include "serve/staging/deliver.h"

#include "base/clock.h"
#include "cache/batch.h"
#include "cache/policy.h"
#include "serve/files/backing.h"
#include "serve/files/filefailures.h"
#include "serve/files/fileflags.h"
#include "serve/log/sessionlist.h"
#include "serve/session/recordevents.h"
#include "serve/threads/stagehelpers.h"
#include "spec/constants.h"

#include <errno.h>
#include <time.h>

/* A file system that wants to be asked again is, for a second. */
#define PATIENCE      100
#define PATIENCE_STEP 10000000L /* ns */

#define LONG_RUN 2000000u /* ns */

/* Parts of a run that are still to be written. */
struct rest {
	struct iovec *parts;
	int count;
	uint64_t offset, length;
};

static void advance(struct rest *rest, uint64_t bytes)
{
	rest->offset += bytes;
	rest->length -= bytes;
	while (rest->count > 0 && bytes >= rest->parts->iov_len) {
		bytes -= rest->parts->iov_len;
		rest->parts++;
		rest->count--;
	}
	if (rest->count > 0) {
		rest->parts->iov_base = (char *)rest->parts->iov_base + bytes;
		rest->parts->iov_len -= bytes;
	}
}

static int64_t write_some(struct weir_file *file, const struct rest *rest)
{
	int64_t done = weir_backing_write(file, rest->parts, rest->count,
					  rest->offset);

	/* neither ever ends well */
	if (done == 0 || done > (int64_t)rest->length)
		return -EIO;
	return done;
}

static void wait_a_moment(void)
{
	struct timespec moment = { .tv_nsec = PATIENCE_STEP };

	nanosleep(&moment, NULL);
}

/* All of it, or -errno: then the rest is what was not written. */
static int write_rest(struct weir_file *file, struct rest *rest)
{
	int patience = PATIENCE;

	while (rest->length > 0) {
		int64_t done = write_some(file, rest);

		if (done > 0) {
			advance(rest, (uint64_t)done);
			atomic_fetch_add(&weir_state->requests_out, 1);
			atomic_fetch_add(&weir_state->bytes_out,
					 (uint64_t)done);
		} else if (done == -EAGAIN && patience-- > 0) {
			wait_a_moment();
		} else if (done != -EINTR) {
			return (int)done;
		}
	}
	return 0;
}

static int store_run(struct weir_file *file, struct weir_batch *batch,
		     uint32_t number, bool gives_up)
{
	const struct weir_batch_run *run = &batch->runs[number];
	struct rest rest = { run->parts, run->count, run->offset,
			     run->length };
	struct weir_recordevents_run event = {
		.file = file, .batch = batch, .run = number};
	int err;

	weir_recordevents_enter_run(&event);
	err = write_rest(file, &rest);
	pthread_mutex_lock(&file->lock);
	weir_recordevents_leave_run(&event, rest.length, err, gives_up);
	weir_filefailures_settle(file, run->offset, run->length - rest.length,
				 WEIR_FATE_RESOLVED);
	if (err && !gives_up)
		weir_filefailures_add(file, rest.offset, rest.length, -err);
	else if (err)
		weir_filefailures_settle(file, rest.offset, rest.length,
					 WEIR_FATE_DISCARDED);
	if (!err || gives_up)
		weir_batch_stored(file->index, batch, number);
	pthread_mutex_unlock(&file->lock);
	return gives_up ? 0 : err;
}

/* A batch that is being stored, by one or several threads. */
struct delivery {
	struct weir_file *file;
	struct weir_batch *batch;
	const struct weir_deliver_task *task;
	_Atomic uint32_t next; /* run */
	_Atomic int err;       /* of one that failed */
};

/* False: there is none left, or no need to. */
static bool store_next(struct delivery *delivery)
{
	const struct weir_deliver_task *task = delivery->task;
	uint32_t run;
	int err;

	if (task->is_enough && task->is_enough())
		return false;
	run = delivery->next++;
	if (run >= delivery->batch->count)
		return false;
	err = store_run(delivery->file, delivery->batch, run, task->gives_up);
	if (err)
		delivery->err = err;
	return true;
}

static void store_rest(void *delivery)
{
	while (store_next(delivery))
		;
}

/* Others are called when it takes long: a run after the other is in no hurry
 * where the kernel only copies it. */
static int store_runs(struct delivery *delivery)
{
	uint64_t start = weir_clock_ns(CLOCK_MONOTONIC);
	uint64_t runs = 0;

	while (store_next(delivery)) {
		uint64_t took = weir_clock_ns(CLOCK_MONOTONIC) - start;

		if (took > ++runs * LONG_RUN)
			weir_stagehelpers_do(store_rest, delivery);
	}
	return delivery->err;
}

/* Nothing of it could be tried: each failure is an entry. The lock is held. */
static void fail_all(struct weir_file *file, int err)
{
	uint64_t end = weir_index_end(file->index);
	struct weir_index_piece first;

	if (weir_index_find(file->index, 0, end, &first))
		weir_filefailures_add(file, first.offset, end - first.offset,
				      -err);
}

/* The file's lock is held. `since`: what came later was not tried. */
static void note_result(struct weir_file *file, int err, uint64_t since)
{
	bool is_empty = !weir_index_bytes(file->index);

	/* an entry may reach beyond what was there to be stored */
	if (is_empty)
		weir_filefailures_settle(file, 0, UINT64_MAX,
					 WEIR_FATE_RESOLVED);
	file->oldest = is_empty ? 0 : since;
	if (err) {
		file->error = err;
		file->tries++;
		file->retry = weir_policy_retry(weir_clock_ns(CLOCK_MONOTONIC),
						file->tries);
	} else if (!weir_filefailures_error(file)) {
		file->error = 0;
		file->tries = 0;
		file->retry = 0;
	}
	weir_fileflags_show(file);
}

int weir_deliver_file(struct weir_file *file, struct weir_deliver_task *task)
{
	uint64_t since = weir_clock_ns(CLOCK_MONOTONIC);
	/*
	 * Not what is later than the first session that is looked at: one that
	 * came there afterwards, and is older than what the next session has,
	 * would be met when that is stored and gone.
	 */
	struct weir_batch_shape shape = { .most = WEIR_SERVICE_REQUEST,
					  .align = WEIR_SERVICE_ALIGN,
					  .before = since };
	struct weir_batch batch;
	struct delivery delivery = {
		.file = file, .batch = &batch, .task = task};
	int err;

	weir_sessionlist_ingest(file);
	pthread_mutex_lock(&file->lock);
	err = weir_batch_gather(file->index, &shape, &batch);
	if (err) {
		fail_all(file, err);
		note_result(file, err, since);
	}
	pthread_mutex_unlock(&file->lock);
	if (err)
		return err;
	err = store_runs(&delivery);
	pthread_mutex_lock(&file->lock);
	task->left = weir_batch_settle(file->index, &batch);
	note_result(file, err, since);
	pthread_mutex_unlock(&file->lock);
	return err;
}
