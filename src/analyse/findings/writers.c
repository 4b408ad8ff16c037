/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers who writes what and when, and to which kind of file system. */
#include "analyse/findings/writers.h"

#include "base/filesystem.h"
#include "base/grow.h"
#include "trace/facts/mounts.h"

#include <errno.h>
#include <stdlib.h>

void weir_writers_fini(struct weir_writers *writers)
{
	free(writers->list);
	weir_phases_fini(&writers->phases);
	*writers = (struct weir_writers){ 0 };
}

const struct weir_mount *weir_writers_mount(uint32_t file, uint32_t proc,
					    const struct weir_names *names,
					    const struct weir_reader *reader)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);
	const struct weir_mounts *mounts =
		process ? weir_reader_mounts(reader, process->node) : NULL;
	size_t len = 0;
	const char *name = weir_names_get(names, file, &len);

	return mounts && name ? weir_mounts_of(mounts, name) : NULL;
}

static enum weir_writers_place place_of_use(const struct weir_shard *shard,
					    const struct weir_use *use,
					    const struct weir_names *names)
{
	const struct weir_mount *mount = weir_writers_mount(
		use->file, use->proc, names, shard->reader);
	size_t len = 0;
	const char *name = weir_names_get(names, use->file, &len);

	if (weir_use_is_kernels(use, &shard->uses.files[use->at]))
		return WEIR_WRITERS_KERNELS;
	if (use->was_synchronous || use->was_direct)
		return WEIR_WRITERS_SYNCHRONOUS;
	if (use->in_memory || !name || *name != '/')
		return WEIR_WRITERS_LOCAL;
	if (!mount)
		return WEIR_WRITERS_UNKNOWN;
	return weir_filesystem_is_local(mount->type) ? WEIR_WRITERS_LOCAL :
						       WEIR_WRITERS_REMOTE;
}

static void add_sum(struct weir_writers_sum *sum, const struct weir_use *use,
		    struct weir_use_file *file)
{
	sum->writes += use->writes;
	sum->bytes += use->written;
	sum->requests += file->requests;
	sum->joined += file->joined;
	file->requests = file->joined = 0; /* its others have added to it */
	sum->large_bytes += use->large_bytes;
	sum->large_time += use->large_time;
	sum->small += use->small;
	/* A file system that stores later does so when it is closed. */
	sum->small_time += use->small_time + (use->small ? use->closing : 0);
}

/* Of each use: the number of its writer + 1. */
static int add_uses(struct weir_writers *w, struct weir_shard *shard,
		    const struct weir_names *names, uint32_t *numbers)
{
	for (size_t i = 0; i < shard->uses.count; i++) {
		const struct weir_use *use = &shard->uses.list[i];
		enum weir_writers_place place;

		if (!use->written)
			continue;
		place = place_of_use(shard, use, names);
		add_sum(&w->sums[place], use, &shard->uses.files[use->at]);
		if (place > WEIR_WRITERS_LOCAL)
			continue;
		if (WEIR_GROW(w->list, w->count, w->room))
			return -ENOMEM;
		w->list[w->count++] = (struct weir_writer){
			.file = use->file, .proc = use->proc,
			.place = (uint8_t)place, .opens = use->opens,
			.slowest = use->slowest_write,
		};
		numbers[i] = (uint32_t)w->count;
	}
	return 0;
}

static int add_phases(struct weir_writers *w, const struct weir_phases *phases,
		      const uint32_t *numbers)
{
	int err = 0;

	for (size_t i = 0; !err && i < phases->count; i++) {
		struct weir_phase phase = phases->list[i];
		uint64_t real = phase.step << phases->shift;
		struct weir_writer *writer;

		if (!numbers[phase.user])
			continue;
		phase.user = numbers[phase.user] - 1;
		writer = &w->list[phase.user];
		writer->writes += phase.writes;
		writer->bytes += phase.bytes;
		writer->time += phase.time;
		err = weir_phases_note(&w->phases, real, &phase);
	}
	return err;
}

int weir_writers_add(struct weir_writers *writers, struct weir_shard *shard,
		     const struct weir_names *names)
{
	uint32_t *numbers = calloc(shard->uses.count + 1, sizeof(*numbers));
	int err = numbers ? add_uses(writers, shard, names, numbers) : -ENOMEM;

	err = err ? err : add_phases(writers, &shard->uses.phases, numbers);
	free(numbers);
	return err;
}

/* Phases with their processes, which have taken the places of users. */
static int by_time(const void *left, const void *right)
{
	const struct weir_phase *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return a->user < b->user ? -1 : a->user > b->user;
}

/* One more phase of the step; those of a process come one after the other. */
static void add_to_step(struct weir_forecast_step *step, uint64_t *busy,
			const struct weir_phase *phase, int is_same)
{
	*busy = is_same ? *busy + phase->time : phase->time;
	if (*busy > step->busy)
		step->busy = *busy;
	step->writers += !is_same;
	step->syncing += phase->syncing;
	step->writes += phase->writes;
	step->bytes += phase->bytes;
	step->closes += phase->closes;
	step->syncs += phase->syncs;
}

static size_t fold(const struct weir_phase *phases, size_t count,
		   unsigned shift, struct weir_forecast_step *steps)
{
	uint64_t busy = 0;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		int is_next = !i || phases[i].step != phases[i - 1].step;

		if (is_next)
			steps[used++] = (struct weir_forecast_step){
				.at = (phases[i].step - phases[0].step)
				      << shift,
			};
		add_to_step(&steps[used - 1], &busy, &phases[i],
			    !is_next && phases[i].user == phases[i - 1].user);
	}
	return used;
}

int weir_writers_steps(struct weir_writers *writers,
		       enum weir_writers_place place,
		       struct weir_forecast_step **ret_steps,
		       size_t *ret_count)
{
	size_t count = writers->phases.count, used = 0;
	struct weir_phase *phases = calloc(count + 1, sizeof(*phases));
	struct weir_forecast_step *steps = calloc(count + 1, sizeof(*steps));

	for (size_t i = 0; phases && i < count; i++) {
		const struct weir_phase *phase = &writers->phases.list[i];
		const struct weir_writer *w = &writers->list[phase->user];

		if (w->place != place)
			continue;
		phases[used] = *phase;
		phases[used++].user = w->proc;
	}
	if (!phases || !steps) {
		free(phases);
		free(steps);
		return -ENOMEM;
	}
	qsort(phases, used, sizeof(*phases), by_time);
	*ret_count = fold(phases, used, writers->phases.shift, steps);
	*ret_steps = steps;
	free(phases);
	return 0;
}
