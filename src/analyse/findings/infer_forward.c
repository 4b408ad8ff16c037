/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from what all write: would it help to store it later? */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "analyse/findings/runfacts.h"
#include "analyse/findings/writers.h"
#include "spec/constants.h"
#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MIB UINT64_C(1048576)
#define SECOND UINT64_C(1000000000)

/* So many bytes must have gone in large pieces to tell what they take. */
#define RATE_BYTES (4 * MIB)

/* What is taken for the rate of a file system of which nothing is known. */
#define LIKELY_RATE (100 * MIB)

/* Where it is not known what files lie on, writes of so many ns are dear. */
#define DEAR UINT64_C(20000)

/* Less is not worth a word. */
#define LEAST_NS   UINT64_C(10000000)
#define LEAST_PART 100 /* of the run */

/* One process, on all files of the place. */
struct share {
	uint64_t time, saving;
};

struct forwarding {
	struct weir_runfacts *facts;
	struct weir_writers *writers;
	struct weir_forecast *forecast;
	enum weir_writers_place place;
	uint64_t most; /* ns that one process saves */
};

static int by_process(const void *left, const void *right)
{
	const struct weir_writer *a = left, *b = right;

	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	return a->file < b->file ? -1 : a->file > b->file;
}

/* Where the most can be gained; PLACES: nothing is written. */
static enum weir_writers_place choose_place(const struct weir_writers *writers)
{
	int place = WEIR_WRITERS_REMOTE;

	while (place < WEIR_WRITERS_PLACES && !writers->sums[place].writes)
		place++;
	return (enum weir_writers_place)place;
}

/* Whoever writes: a service wants all ranks on its host. */
static int is_on_several_hosts(const struct weir_reader *reader)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && first == UINT32_MAX)
			first = process->node;
		if (process && process->node != first)
			return 1;
	}
	return 0;
}

/* By a service with a cache: without one, nothing was gained yet. */
static int was_forwarded(const struct weir_reader *reader)
{
	const char *policy;

	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_procinfo_is_server(process)) {
			policy = weir_procinfo_tells(process, "policy");
			return !policy || strcmp(policy, "through");
		}
	}
	return 0;
}

/* What the file system takes, gathered: as the run itself shows it. */
static struct weir_forecast_service
service_of(const struct weir_writers_sum *sum, struct weir_forecast *forecast)
{
	struct weir_forecast_service service = { .cache = WEIR_SERVICE_CACHE };
	uint64_t time = sum->small_time + sum->large_time;
	uint64_t seen = weir_arith_part(sum->bytes, SECOND, time);

	forecast->is_measured = sum->large_bytes >= RATE_BYTES;
	if (forecast->is_measured)
		seen = weir_arith_part(sum->large_bytes, SECOND,
				       sum->large_time);
	forecast->rate = seen;
	if (!forecast->is_measured && seen < LIKELY_RATE)
		forecast->rate = LIKELY_RATE;
	service.request = sum->small ? sum->small_time / sum->small : 0;
	service.mib = weir_arith_part(MIB, SECOND, forecast->rate) +
		      weir_arith_part(service.request, sum->requests << 10,
				      sum->bytes >> 10);
	return service;
}

/* Writers are sorted by process: so many are of the first. */
static size_t share_of(const struct forwarding *f, size_t from,
		       struct share *ret_share)
{
	const struct weir_writer *list = f->writers->list;
	size_t i = from;

	*ret_share = (struct share){ 0 };
	for (; i < f->writers->count && list[i].proc == list[from].proc; i++)
		if (list[i].place == f->place)
			ret_share->time += list[i].time;
	return i;
}

/* All wait for the same service, who writes more the longer. */
static void save(const struct forwarding *f, size_t from, size_t to,
		 struct share *share)
{
	struct weir_writer *list = f->writers->list;
	uint64_t then = weir_arith_part(f->forecast->then, share->time,
					f->forecast->now);

	for (size_t i = from; i < to; i++)
		if (list[i].place == f->place)
			then += list[i].opens * WEIR_FORECAST_OPEN;
	share->saving = weir_arith_less(share->time, then);
	for (size_t i = from; i < to; i++)
		if (list[i].place == f->place)
			list[i].saving = weir_arith_part(
				share->saving, list[i].time, share->time);
}

static void find_now(struct forwarding *f)
{
	struct share share;

	for (size_t i = 0; i < f->writers->count;) {
		i = share_of(f, i, &share);
		if (share.time > f->forecast->now)
			f->forecast->now = share.time;
	}
}

static void find_savings(struct forwarding *f)
{
	struct share share;
	size_t next;

	for (size_t i = 0; i < f->writers->count; i = next) {
		next = share_of(f, i, &share);
		save(f, i, next, &share);
		if (share.saving > f->most)
			f->most = share.saving;
	}
}

static int play(struct forwarding *f)
{
	const struct weir_writers_sum *sum = &f->writers->sums[f->place];
	struct weir_forecast_service service = service_of(sum, f->forecast);
	struct weir_forecast_step *steps;
	size_t count;
	int err = weir_writers_steps(f->writers, f->place, &steps, &count);

	if (err)
		return err;
	/* Not before: steps know writers by their index. */
	qsort(f->writers->list, f->writers->count, sizeof(*f->writers->list),
	      by_process);
	find_now(f);
	f->forecast->writes = sum->writes;
	f->forecast->requests = sum->requests;
	f->forecast->joined = sum->joined;
	weir_forecast_conclude(f->forecast, steps, count, &service);
	find_savings(f);
	free(steps);
	return 0;
}

static int is_dear(const struct weir_writers_sum *sum)
{
	return sum->small_time + sum->large_time > sum->writes * DEAR;
}

static enum weir_forecast_why judge_forwarding(const struct forwarding *f)
{
	const struct weir_row *total = &f->facts->totals.total;
	uint64_t span = total->last - total->first;

	if (f->place == WEIR_WRITERS_LOCAL)
		return WEIR_FORECAST_LOCAL;
	if (f->facts->totals.is_untimed)
		return WEIR_FORECAST_UNTIMED;
	if (f->place == WEIR_WRITERS_UNKNOWN &&
	    !is_dear(&f->writers->sums[f->place]))
		return WEIR_FORECAST_CHEAP;
	if (f->most < LEAST_NS || f->most < span / LEAST_PART)
		return WEIR_FORECAST_LITTLE;
	return WEIR_FORECAST_HELPS;
}

static int add_clue(const struct forwarding *f, uint32_t rule,
		    const struct weir_writer *writer)
{
	struct weir_clue clue = {
		.rule = rule, .file = writer->file, .proc = writer->proc,
		.of = writer->writes,
	};

	if (writer->place == f->place) {
		clue.count = writer->writes;
		clue.bytes = writer->bytes;
		clue.time = writer->time;
		clue.saving = f->forecast->why == WEIR_FORECAST_DONE ?
				      0 : writer->saving;
		clue.witness = writer->slowest;
	}
	return weir_clues_add(&f->facts->clues, &clue);
}

/* A name of the reader's, which outlives the facts. */
static void tell_where(struct forwarding *f, const struct weir_writer *writer,
		       const struct weir_reader *reader)
{
	const struct weir_mount *mount = weir_writers_mount(
		writer->file, writer->proc, &f->facts->totals.names, reader);

	f->forecast->point = mount ? mount->point : NULL;
	f->forecast->type = mount ? mount->type : NULL;
}

/* Where the most time is spent is named. */
static int tell_forecast(struct forwarding *f, const struct weir_reader *reader)
{
	const struct weir_writers_sum *sums = f->writers->sums;
	const struct weir_writer *most = NULL;
	const struct weir_clue rest = {
		.rule = WEIR_RULE_FORWARDED_WRITES,
		.of = sums[WEIR_WRITERS_SYNCHRONOUS].writes +
		      sums[WEIR_WRITERS_KERNELS].writes,
	};
	int err = 0;

	for (size_t i = 0; !err && i < f->writers->count; i++) {
		const struct weir_writer *writer = &f->writers->list[i];

		if (writer->place == f->place &&
		    (!most || writer->time > most->time))
			most = writer;
		err = add_clue(f, WEIR_RULE_FORWARDED_WRITES, writer);
		if (!err && f->forecast->why == WEIR_FORECAST_HELPS)
			err = add_clue(f, WEIR_RULE_WAITING_WRITES, writer);
	}
	if (most)
		tell_where(f, most, reader);
	if (!err && rest.of)
		err = weir_clues_add(&f->facts->clues, &rest);
	return err;
}

int weir_infer_forward(struct weir_runfacts *facts,
		       struct weir_writers *writers,
		       const struct weir_reader *reader)
{
	static const enum weir_forecast_why nowhere[] = {
		[WEIR_WRITERS_SYNCHRONOUS] = WEIR_FORECAST_SYNCHRONOUS,
		[WEIR_WRITERS_KERNELS] = WEIR_FORECAST_MAPPED,
		[WEIR_WRITERS_PLACES] = WEIR_FORECAST_NOTHING,
	};
	struct forwarding f = {
		.facts = facts, .writers = writers,
		.forecast = &facts->forecast, .place = choose_place(writers),
	};
	int err;

	if (f.place > WEIR_WRITERS_LOCAL) {
		f.forecast->why = nowhere[f.place];
		return tell_forecast(&f, reader);
	}
	err = play(&f);
	if (err)
		return err;
	f.forecast->why = judge_forwarding(&f);
	if (is_on_several_hosts(reader))
		f.forecast->why = WEIR_FORECAST_HOSTS;
	if (was_forwarded(reader))
		f.forecast->why = WEIR_FORECAST_DONE;
	return tell_forecast(&f, reader);
}
