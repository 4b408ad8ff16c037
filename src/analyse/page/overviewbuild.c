/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace for an overview, with several threads. */
#include "analyse/page/overviewbuild.h"

#include "analyse/page/overviewmerge.h"
#include "analyse/page/overviewsum.h"
#include "analyse/page/overviewtake.h"
#include "analyse/sums/profile.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_WORKERS 8
#define NAMES (UINT64_C(64) << 20) /* bytes that all but one may keep */

/* One who reads the processes whose numbers leave `which`. */
struct worker {
	pthread_t thread;
	const char *path;
	const struct weir_callviews_filter *filter;
	unsigned which, of;
	struct weir_overview overview;
	int err;
};

static int is_mine(const struct weir_procinfo *process, void *context)
{
	const struct worker *worker = context;

	return process->number % worker->of == worker->which;
}

static int take_profile(struct weir_overviewtake *take, uint32_t proc,
			const struct weir_bytes *payload)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(take->reader, proc);
	const struct weir_outline *outline = take->count.overview->outline;
	struct weir_profile_walk walk = {payload->data, payload->used};
	struct weir_profile_row row;
	uint32_t number, file;
	int more = 0, err = 0;

	while (!err && (more = weir_profile_next(&walk, &row)) > 0) {
		for (uint32_t i = 0; node && i < row.row.count; i++)
			weir_cell_scale(&row.row.entries[i].cell, node->mult);
		err = weir_callviews_number(take->count.views, row.name,
					    row.name_len, &number);
		file = row.kind == WEIR_PROFILE_OTHERS
			       ? weir_outline_others(outline)
			       : weir_outline_file(outline, row.name,
						   row.name_len);
		if (!err && number != UINT32_MAX)
			err = weir_overviewsum_add(take->count.overview,
						   take->count.views, proc,
						   file, &row.row);
		weir_row_fini(&row.row);
	}
	return err || more == -EBADMSG ? err : more;
}

static int take_profiles(struct weir_overviewtake *take)
{
	struct weir_bytes payload = {0};
	int more, err = 0;

	for (uint32_t i = 0;
	     !err && i < 2 * weir_reader_processes(take->reader); i++) {
		more = weir_reader_profile(take->reader, i / 2 + 1, i % 2,
					   &payload);
		err = more > 0 ? take_profile(take, i / 2 + 1, &payload) : more;
	}
	weir_bytes_fini(&payload);
	return err;
}

static int read_share(struct worker *worker, struct weir_reader *reader)
{
	struct weir_callviews_filter filter = *worker->filter;
	struct weir_names names = {0};
	struct weir_overviewtake take = {.count.overview = &worker->overview,
					 .reader = reader,
					 .names = &names};
	struct weir_callview view;
	int more = 0, err;

	filter.everything = 1;
	weir_reader_only(reader, is_mine, worker);
	weir_reader_limit(reader, WEIR_RUNFACTS_READER / worker->of);
	err = weir_callviews_new(reader, &filter, &names, &take.count.views);
	if (err)
		return err;
	err = weir_overviewtake_init(&take);
	err = err ? err : take_profiles(&take);
	while (!err &&
	       (more = weir_callviews_next(take.count.views, &view)) > 0)
		err = weir_overviewtake_add(&take, &view);
	weir_overviewtake_fini(&take);
	weir_callviews_free(take.count.views);
	weir_names_fini(&names);
	return err ? err : more;
}

static void *run_worker(void *context)
{
	struct worker *worker = context;
	struct weir_reader *reader;

	worker->err = weir_reader_open(worker->path, &reader);
	if (worker->err)
		return NULL;
	worker->err = read_share(worker, reader);
	weir_reader_close(reader);
	return NULL;
}

/* Signals are for the thread that asked. */
static int start_worker(struct worker *worker)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, run_worker, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* Who cannot have a thread does it here. */
static int work_together(struct worker *workers, unsigned count)
{
	uint8_t begun[MOST_WORKERS] = {0};
	int err = 0;

	for (unsigned i = 1; i < count; i++)
		begun[i] = !start_worker(&workers[i]);
	for (unsigned i = 0; i < count; i++) {
		if (begun[i])
			pthread_join(workers[i].thread, NULL);
		else
			run_worker(&workers[i]);
		err = err ? err : workers[i].err;
	}
	return err;
}

/* Threads are not worth their start for a few events. */
static unsigned choose_workers(const struct weir_outline *outline,
			       unsigned asked)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const struct weir_names *names = outline->facts->totals.names.base;
	uint64_t most = NAMES / (names ? weir_names_bytes(names) + 1 : 1) + 1;

	if (!asked && outline->calls < 100000)
		return 1;
	if (!asked)
		asked = processors > 1 ? (unsigned)processors : 1;
	/* Each of them reads the names of all files. */
	if (asked > most)
		asked = (unsigned)most;
	if (asked > outline->order_count)
		asked = outline->order_count ? outline->order_count : 1;
	return asked < MOST_WORKERS ? asked : MOST_WORKERS;
}

int weir_overviewbuild_read(struct weir_overview *overview, const char *path,
			    const struct weir_outline *outline,
			    const struct weir_callviews_filter *filter,
			    unsigned workers)
{
	struct worker all[MOST_WORKERS] = {0};
	struct weir_map steps = {0};
	unsigned count = choose_workers(outline, workers);
	int err = weir_overview_init(overview, outline);

	overview->step_count = 0; /* those of the workers are merged */
	for (unsigned i = 0; !err && i < count; i++) {
		all[i].path = path;
		all[i].filter = filter;
		all[i].which = i;
		all[i].of = count;
		err = weir_overview_init(&all[i].overview, outline);
	}
	err = err ? err : work_together(all, count);
	for (unsigned i = 0; i < count; i++) {
		err = err ? err
			  : weir_overviewmerge_add(overview, &all[i].overview,
						   &steps);
		weir_overview_fini(&all[i].overview);
	}
	weir_map_fini(&steps);
	err = err ? err : weir_overviewmerge_conclude(overview);
	if (err)
		weir_overview_fini(overview);
	return err;
}
