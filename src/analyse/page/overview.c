/* SPDX-License-Identifier: BSD-3-Clause */
/* A run as one can look at it: sums by time and all else, and some calls. */
#include "analyse/page/overview.h"

#include "analyse/sums/profile.h"
#include "analyse/page/overviewmerge.h"
#include "analyse/page/overviewsum.h"
#include "analyse/page/overviewtake.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_WORKERS 8
#define NAMES (UINT64_C(64) << 20) /* bytes that all but one may keep */
#define CALLS	     (UINT16_MAX + 1)
#define WHO	     UINT64_C(0xff) /* bits of the group in a rest */

/* How fine each is, and what is given up when there is no room. */
static const struct {
	uint32_t most;
	unsigned folds;
	uint64_t joins;
} plans[WEIR_SCAPE_CUBES] = {
	[WEIR_SCAPE_CELLS] = {120000, 0, 0},
	[WEIR_SCAPE_PATHS] = {60000, 3, WHO},
	[WEIR_SCAPE_SIZES] = {30000, 3, 0},
	[WEIR_SCAPE_SHARE] = {60000, 3, 0},
	[WEIR_SCAPE_STEPSUM] = {100000, WEIR_CUBE_FOLDS, WHO},
	[WEIR_SCAPE_ACCESS] = {60000, 2, 0},
};

unsigned weir_scape_folds(enum weir_scape_cube cube)
{
	return plans[cube].folds;
}

/* One who reads the processes whose numbers leave `which`. */
struct worker {
	pthread_t thread;
	const char *path;
	const struct weir_sights_filter *filter;
	unsigned which, of;
	struct weir_scape scape;
	int err;
};

void weir_scape_fini(struct weir_scape *scape)
{
	for (int i = 0; i < WEIR_SCAPE_CUBES; i++)
		weir_cube_fini(&scape->cubes[i]);
	weir_callpaths_fini(&scape->nodes);
	weir_sample_fini(&scape->sample);
	weir_marksteps_fini(&scape->marks);
	weir_names_fini(&scape->sites);
	free(scape->steps);
	free(scape->site_list);
	free(scape->calls);
	free(scape->first_of);
	free(scape->unplaced);
	free(scape->chosen);
	*scape = (struct weir_scape){0};
}

static int start(struct weir_scape *scape, const struct weir_outline *outline)
{
	size_t files = (size_t)outline->file_count + 2;

	*scape = (struct weir_scape){.outline = outline};
	for (int i = 0; i < WEIR_SCAPE_CUBES; i++)
		scape->cubes[i] = (struct weir_cube){
			.width = outline->width,
			.most = plans[i].most,
			.folds = outline->is_timeless ? WEIR_CUBE_FOLDS
						      : plans[i].folds,
			.joins = plans[i].joins,
		};
	weir_sample_plan(&scape->sample, outline->calls);
	scape->calls = calloc(CALLS, 1);
	scape->first_of = calloc(files, sizeof(*scape->first_of));
	scape->unplaced = calloc(files, sizeof(*scape->unplaced));
	scape->steps = calloc(1, sizeof(*scape->steps));
	if (!scape->calls || !scape->first_of || !scape->unplaced ||
	    !scape->steps)
		return -ENOMEM;
	scape->step_count = scape->step_room = 1; /* before any mark */
	return weir_marksteps_init(&scape->marks, outline->processes);
}

static int is_mine(const struct weir_procinfo *process, void *context)
{
	const struct worker *worker = context;

	return process->number % worker->of == worker->which;
}

static int take_profile(struct weir_scapetake *take, uint32_t proc,
			const struct weir_bytes *payload)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(take->reader, proc);
	const struct weir_outline *outline = take->scape->outline;
	struct weir_profile_walk walk = {payload->data, payload->used};
	struct weir_profile_row row;
	uint32_t number, file;
	int more = 0, err = 0;

	while (!err && (more = weir_profile_next(&walk, &row)) > 0) {
		for (uint32_t i = 0; node && i < row.row.count; i++)
			weir_cell_scale(&row.row.entries[i].cell, node->mult);
		err = weir_sights_number(take->sights, row.name, row.name_len,
					 &number);
		file = row.kind == WEIR_PROFILE_OTHERS
			       ? weir_outline_others(outline)
			       : weir_outline_file(outline, row.name,
						   row.name_len);
		if (!err && number != UINT32_MAX)
			err = weir_scapesum_add(take, proc, file, &row.row);
		weir_row_fini(&row.row);
	}
	return err || more == -EBADMSG ? err : more;
}

static int take_profiles(struct weir_scapetake *take)
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

static int read_all(struct worker *worker, struct weir_reader *reader)
{
	struct weir_sights_filter filter = *worker->filter;
	struct weir_names names = {0};
	struct weir_scapetake take = {
		.scape = &worker->scape, .reader = reader, .names = &names};
	struct weir_sight sight;
	int more = 0, err;

	filter.everything = 1;
	weir_reader_only(reader, is_mine, worker);
	weir_reader_limit(reader, WEIR_RUNFACTS_READER / worker->of);
	err = weir_sights_new(reader, &filter, &names, &take.sights);
	if (err)
		return err;
	err = weir_scapetake_init(&take);
	err = err ? err : take_profiles(&take);
	while (!err && (more = weir_sights_next(take.sights, &sight)) > 0)
		err = weir_scapetake_add(&take, &sight);
	weir_scapetake_fini(&take);
	weir_sights_free(take.sights);
	weir_names_fini(&names);
	return err ? err : more;
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct weir_reader *reader;

	worker->err = weir_reader_open(worker->path, &reader);
	if (worker->err)
		return NULL;
	worker->err = read_all(worker, reader);
	weir_reader_close(reader);
	return NULL;
}

/* Signals are for the thread that asked. */
static int begin(struct worker *worker)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* Who cannot have a thread does it here. */
static int work_together(struct worker *workers, unsigned count)
{
	uint8_t begun[MOST_WORKERS] = {0};
	int err = 0;

	for (unsigned i = 1; i < count; i++)
		begun[i] = !begin(&workers[i]);
	for (unsigned i = 0; i < count; i++) {
		if (begun[i])
			pthread_join(workers[i].thread, NULL);
		else
			work(&workers[i]);
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

int weir_scape_gather(struct weir_scape *scape, const char *path,
		      const struct weir_outline *outline,
		      const struct weir_sights_filter *filter, unsigned workers)
{
	struct worker all[MOST_WORKERS] = {0};
	struct weir_map steps = {0};
	unsigned count = choose_workers(outline, workers);
	int err = start(scape, outline);

	scape->step_count = 0; /* those of the workers are merged */
	for (unsigned i = 0; !err && i < count; i++) {
		all[i].path = path;
		all[i].filter = filter;
		all[i].which = i;
		all[i].of = count;
		err = start(&all[i].scape, outline);
	}
	err = err ? err : work_together(all, count);
	for (unsigned i = 0; i < count; i++) {
		err = err ? err
			  : weir_scapemerge_add(scape, &all[i].scape, &steps);
		weir_scape_fini(&all[i].scape);
	}
	weir_map_fini(&steps);
	err = err ? err : weir_scapemerge_conclude(scape);
	if (err)
		weir_scape_fini(scape);
	return err;
}
