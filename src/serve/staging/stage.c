/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores files when it is time, by threads. */
#include "serve/staging/stage.h"

#include "base/clock.h"
#include "cache/policy.h"
#include "serve/failures/unstored.h"
#include "serve/files/filefailures.h"
#include "serve/files/files.h"
#include "serve/log/sessionlist.h"
#include "serve/session/chunkpool.h"
#include "serve/staging/deliver.h"
#include "serve/state/setup.h"
#include "serve/threads/stagehelpers.h"
#include "serve/threads/stagewait.h"
#include "spec/constants.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)
#define LOOK_AGAIN (10 * MS)
#define ROUNDS_MOST 100
#define HELPERS 3 /* threads that help with one file */

static struct {
	pthread_t *threads;
	uint32_t count;
	_Atomic uint32_t drains; /* somebody waits until all is stored */

	pthread_mutex_t lock; /* of all below */
	struct weir_policy policy;
	/* when files were last looked at: not stored; in and out so far */
	uint64_t dirty, bytes_in, bytes_out;
	/* bytes a second, until a moment; out by then */
	uint64_t rate, rate_at, rate_bytes;
} stage = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* One look at all files. */
struct pass {
	struct weir_policy policy; /* as it was at the beginning */
	uint64_t now;
	struct weir_stagewait_view view;
	bool has_stored; /* who knows what came meanwhile */
};

/* As far as one can tell without looking at files; the lock is held. */
static uint64_t guess_dirty(void)
{
	uint64_t in = weir_state->bytes_in - stage.bytes_in;
	uint64_t out = weir_state->bytes_out - stage.bytes_out;
	uint64_t dirty = stage.dirty + in;

	return dirty > out ? dirty - out : 0;
}

/* Or much has come since files were looked at: one may have enough of it. */
static bool is_short(void)
{
	bool is_much;

	pthread_mutex_lock(&stage.lock);
	is_much = guess_dirty() > stage.policy.cache / 2 ||
		  weir_state->bytes_in - stage.bytes_in > WEIR_SERVICE_BULK / 2;
	pthread_mutex_unlock(&stage.lock);
	return is_much || weir_chunkpool_waiting() > 0;
}

/* Only what presses is stored: no more when there is room again. */
static bool presses_no_more(void)
{
	bool is_waited_for = weir_chunkpool_waiting() > 0;
	bool is_pressed;

	if (weir_stagewait_is_over())
		return true;
	pthread_mutex_lock(&stage.lock);
	weir_policy_weigh(&stage.policy, guess_dirty(), is_waited_for);
	is_pressed = stage.policy.is_pressed;
	pthread_mutex_unlock(&stage.lock);
	return !is_pressed;
}

static struct weir_policy_file facts_of(struct weir_file *file)
{
	struct weir_policy_file facts;

	pthread_mutex_lock(&file->lock);
	facts = (struct weir_policy_file){
		.bytes = weir_index_bytes(file->index),
		.changed = file->changed,
		.oldest = file->oldest,
		.tries = file->tries,
		.retry = file->retry,
	};
	pthread_mutex_unlock(&file->lock);
	return facts;
}

static void add_up(struct weir_file *file, void *arg)
{
	*(uint64_t *)arg += facts_of(file).bytes;
}

uint64_t weir_stage_dirty(void)
{
	uint64_t bytes = 0;

	weir_files_each(add_up, &bytes);
	return bytes;
}

/* The lock is held. */
static void note_rate(uint64_t now)
{
	uint64_t bytes = weir_state->bytes_out;
	uint64_t took = now - stage.rate_at;

	if (took < SECOND)
		return;
	stage.rate = (bytes - stage.rate_bytes) * 1000 / (took / MS);
	stage.rate_bytes = bytes;
	stage.rate_at = now;
}

uint64_t weir_stage_rate(void)
{
	uint64_t rate;

	pthread_mutex_lock(&stage.lock);
	note_rate(weir_clock_ns(CLOCK_MONOTONIC));
	rate = stage.rate;
	pthread_mutex_unlock(&stage.lock);
	return rate;
}

static struct pass survey(void)
{
	struct pass pass = {
		.now = weir_clock_ns(CLOCK_MONOTONIC),
		.view = {.kicks = weir_stagewait_kicks(),
			 .next = WEIR_POLICY_NEVER},
	};
	/* in this order: what moves meanwhile is guessed twice, never not */
	uint64_t in = weir_state->bytes_in;
	uint64_t dirty = weir_stage_dirty();
	uint64_t out = weir_state->bytes_out;
	bool is_waited_for = weir_chunkpool_waiting() > 0;

	pthread_mutex_lock(&stage.lock);
	stage.dirty = dirty;
	stage.bytes_in = in;
	stage.bytes_out = out;
	note_rate(pass.now);
	weir_policy_weigh(&stage.policy, dirty, is_waited_for);
	pass.policy = stage.policy;
	pthread_mutex_unlock(&stage.lock);
	if (stage.drains)
		pass.policy.is_prompt = true;
	return pass;
}

/* Whether it is due though nothing presses: then all of it is stored. */
static bool is_due_anyway(const struct pass *pass,
			  const struct weir_policy_file *facts)
{
	struct weir_policy calm = pass->policy;

	calm.is_pressed = false;
	return weir_policy_due(&calm, facts) <= pass->now;
}

static void store_due(struct weir_file *file, struct pass *pass,
		      const struct weir_policy_file *facts)
{
	struct weir_deliver_task task = {.is_enough = weir_stagewait_is_over};

	weir_stagewait_call();
	if (!is_due_anyway(pass, facts))
		task.is_enough = presses_no_more;
	if (!task.is_enough())
		weir_deliver_file(file, &task);
	pass->has_stored = true;
}

/*
 * When a file is due. Who seems idle may have written meanwhile: records of a
 * busy program are taken in now and then only.
 */
static uint64_t find_due(struct weir_file *file, const struct pass *pass,
			 struct weir_policy_file *facts)
{
	uint64_t due;

	*facts = facts_of(file);
	due = weir_policy_due(&pass->policy, facts);
	if (due > pass->now || !due)
		return due;
	weir_sessionlist_ingest(file);
	*facts = facts_of(file);
	return weir_policy_due(&pass->policy, facts);
}

static void store_if_due(struct weir_file *file, void *arg)
{
	struct pass *pass = arg;
	struct weir_policy_file facts;
	uint64_t due = find_due(file, pass, &facts);

	if (!facts.bytes || weir_stagewait_is_over())
		return;
	if (!facts.tries)
		pass->view.is_fresh = true;
	if (due <= pass->now) {
		if (!pthread_mutex_trylock(&file->staging)) {
			store_due(file, pass, &facts);
			pthread_mutex_unlock(&file->staging);
			return;
		}
		/* somebody is at it, who may not see what comes meanwhile */
		due = pass->now + LOOK_AGAIN;
	}
	if (due < pass->view.next)
		pass->view.next = due;
}

static void *stage_files(void *unused)
{
	while (!weir_stagewait_is_over()) {
		struct pass pass = survey();

		weir_files_each(store_if_due, &pass);
		if (!pass.has_stored)
			weir_stagewait_doze(&pass.view);
	}
	return unused;
}

static void set_policy(void)
{
	const struct weir_setup *setup = weir_setup_used;

	stage.policy = (struct weir_policy){
		.cache = setup->cache,
		.idle = setup->idle_ms * MS,
		.age = setup->age_ms * MS,
		.bulk = WEIR_SERVICE_BULK,
		.is_lazy = setup->policy == WEIR_POLICY_HALF,
		.is_prompt = setup->policy == WEIR_POLICY_THROUGH,
	};
	stage.rate_at = weir_clock_ns(CLOCK_MONOTONIC);
	stage.rate_bytes = weir_state->bytes_out;
}

/* Signals are for the daemon's first thread. */
static int start_threads(uint32_t count)
{
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	weir_stagehelpers_begin(HELPERS); /* fewer will do */
	while (!err && stage.count < count) {
		err = -pthread_create(&stage.threads[stage.count], NULL,
				      stage_files, NULL);
		if (!err)
			stage.count++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	/* one is enough */
	return stage.count > 0 ? 0 : err;
}

int weir_stage_begin(void)
{
	uint32_t wanted = weir_setup_used->stagers;
	uint32_t count = wanted ? wanted : 1;
	int err = weir_stagewait_begin(is_short);

	if (err)
		return err;
	set_policy();
	stage.threads = calloc(count, sizeof(pthread_t));
	if (!stage.threads)
		return -ENOMEM;
	return start_threads(count);
}

void weir_stage_end(void)
{
	weir_stagewait_end();
	while (stage.count > 0)
		pthread_join(stage.threads[--stage.count], NULL);
	free(stage.threads);
	stage.threads = NULL;
	weir_stagehelpers_end();
}

/*
 * What is stored stays in memory when something came meanwhile that is older;
 * who wants to write past us must not find it there.
 */
int weir_stage_held(struct weir_file *file)
{
	struct weir_deliver_task task = {0};
	int err, rounds = 0;

	do
		err = weir_deliver_file(file, &task);
	while (!err && task.left && ++rounds < ROUNDS_MOST);
	return err;
}

int weir_stage_file(struct weir_file *file)
{
	int err;

	pthread_mutex_lock(&file->staging);
	err = weir_stage_held(file);
	pthread_mutex_unlock(&file->staging);
	return err;
}

/* What comes meanwhile, of programs that go on, is not left over. */
static void store_now(struct weir_file *file, void *left)
{
	if (weir_stage_file(file))
		add_up(file, left);
}

/* The stagers help: each takes files that nobody is at. */
uint64_t weir_stage_everything(void)
{
	uint64_t left = 0;

	weir_sessionlist_ingest_all();
	stage.drains++;
	weir_stagewait_wake();
	weir_files_each(store_now, &left);
	stage.drains--;
	return left;
}

static void give_up(struct weir_file *file, void *path)
{
	struct weir_deliver_task task = {.gives_up = true};

	if (*(const char *)path && strcmp(path, file->kept->path) != 0)
		return;
	pthread_mutex_lock(&file->staging);
	if (weir_filefailures_error(file))
		weir_deliver_file(file, &task);
	pthread_mutex_unlock(&file->staging);
}

uint64_t weir_stage_discard(const char *path)
{
	uint64_t entries = weir_unstored_matching(path);
	char *wanted = strdup(path);

	if (!wanted)
		return 0;
	weir_files_each(give_up, wanted);
	free(wanted);
	weir_unstored_forget(path);
	return entries;
}
