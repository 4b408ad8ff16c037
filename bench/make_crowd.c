/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the trace of a program with thousands of processes, without one. */
#include "madetrace.h"
#include "rawmaker.h"
#include "spec/calls.h"
#include "trace/pack/pack.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process opens so many files, unless calls are few; and the root's calls. */
#define FILES       16
#define LEAST_ROUND 32
#define ROOT_CALLS  10

struct plan {
	const char *dir;
	int keeps_raw;
	uint32_t processes, hosts, calls;
};

struct rank {
	struct rawmaker maker;
	uint32_t rank, random, step;
	uint32_t round; /* calls an open file lasts */
	int64_t off;
};

struct sums {
	unsigned long long events, transfers, offsets;
};

static uint32_t chance(struct rank *rank, uint32_t below)
{
	return made_chance(&rank->random, below);
}

static void put_proc(const struct rank *rank, const char *state)
{
	struct made_process process = { .proc = rank->maker.proc,
					.rank = rank->rank,
					.threads = 1,
					.begin = rank->maker.base };

	made_process(rank->maker.store, &process, state);
}

static void add_event(struct rank *rank, struct weir_event *event,
		      const struct rawmaker_detail *detail)
{
	event->start = rank->maker.clock + 1000 + chance(rank, 50000);
	event->dur = 500 + chance(rank, 20000);
	event->detail = detail->bytes;
	event->detail_len = detail->used;
	rawmaker_add(&rank->maker, event);
}

static void add_open(struct rank *rank, uint32_t handle)
{
	char path[96];

	/* Every other file is one that all ranks share. */
	if (handle & 1)
		snprintf(path, sizeof(path), "/scratch/user/run/step%04u.h5",
			 handle);
	else
		snprintf(path, sizeof(path), "/scratch/user/run/out/r%05u.%u",
			 rank->rank, handle);
	rank->maker.clock += 1000 + chance(rank, 50000);
	rawmaker_open(&rank->maker, handle, 3, 0, path);
}

static void add_fstat(struct rank *rank, uint32_t handle)
{
	struct weir_event event = { .call = WEIR_CALL_FSTAT, .handle = handle,
				    .flags = WEIR_EVENT_NOOFF };
	struct rawmaker_detail detail = { .used = 0 };

	made_stat(&detail, handle);
	add_event(rank, &event, &detail);
}

static void add_close(struct rank *rank, uint32_t handle)
{
	struct weir_event event = { .call = WEIR_CALL_CLOSE, .handle = handle,
				    .flags = WEIR_EVENT_NOOFF };
	struct rawmaker_detail detail = { .used = 0 };

	add_event(rank, &event, &detail);
}

/* Pieces of some KiB, at the rank's place of the file; some as vectors. */
static void add_transfer(struct rank *rank, uint32_t handle, struct sums *sums)
{
	struct weir_event event = {
		.call = handle % 3 ? WEIR_CALL_PWRITE : WEIR_CALL_PREAD,
		.handle = handle,
		.flags = WEIR_EVENT_RETSIZE,
		.off = rank->off,
		.size = 4096 + 8 * chance(rank, 64),
	};
	struct rawmaker_detail detail = { .used = 0 };

	if (!chance(rank, 8)) {
		event.call = WEIR_CALL_PWRITEV;
		rawmaker_number(&detail, 2);
		rawmaker_number(&detail, 2);
		for (int i = 0; i < 4; i++)
			rawmaker_number(&detail, i & 1 ? event.size / 2 :
					(0x7f0000u + chance(rank, 999)) << 8);
	}
	event.ret = (int64_t)event.size;
	sums->transfers++;
	sums->offsets += (unsigned long long)event.off;
	add_event(rank, &event, &detail);
	rank->off += (int64_t)event.size;
}

static void add_call(struct rank *rank, struct sums *sums)
{
	uint32_t handle = 1 + rank->step / rank->round;
	uint32_t place = rank->step % rank->round;

	rank->step++;
	sums->events++;
	if (place == 0) {
		rank->off = (int64_t)rank->rank << 20;
		add_open(rank, handle);
	} else if (place == 1) {
		add_fstat(rank, handle);
	} else if (place == rank->round - 1) {
		add_close(rank, handle);
	} else {
		add_transfer(rank, handle, sums);
	}
}

/* The ranks of a host take turns, so their chunks do, too. */
static void write_raw(const struct plan *plan, struct weir_store *store,
		      uint32_t host, struct sums *sums)
{
	uint32_t first = (uint32_t)((uint64_t)plan->processes * host /
				    plan->hosts);
	uint32_t count = (uint32_t)((uint64_t)plan->processes * (host + 1) /
				    plan->hosts) - first;
	struct rank *ranks = calloc(count + 1, sizeof(*ranks));

	made_check(ranks ? 0 : -12, "ranks");
	made_head(store, host);
	/* Everybody begins within a millisecond; calls are some 50 us apart. */
	for (uint32_t i = 0; i < count; i++) {
		ranks[i].rank = ranks[i].random = first + i;
		ranks[i].round = plan->calls / FILES > LEAST_ROUND ?
				 plan->calls / FILES : LEAST_ROUND;
		rawmaker_start(&ranks[i].maker, store, i + 1, 1,
			       made_moment(host, 167 * (first + i)));
		put_proc(&ranks[i], "live");
	}
	for (uint32_t step = 0; step < plan->calls; step++)
		for (uint32_t i = 0; i < count; i++)
			for (int n = ranks[i].rank ? 1 : ROOT_CALLS; n; n--)
				add_call(&ranks[i], sums);
	for (uint32_t i = 0; i < count; i++) {
		rawmaker_flush(&ranks[i].maker);
		if (!plan->keeps_raw)
			put_proc(&ranks[i], "exited");
	}
	free(ranks);
}

static void make_host(const struct plan *plan, uint32_t host,
		      struct sums *sums)
{
	char name[PATH_MAX], raw[PATH_MAX];
	struct weir_pack_totals totals;
	struct weir_store *store;
	struct weir_pack *pack;

	snprintf(name, sizeof(name), "%s/node%05u.weir", plan->dir, host);
	snprintf(raw, sizeof(raw), "%s/raw", plan->dir);
	made_check(weir_store_create(plan->keeps_raw ? name : raw, &store),
		   name);
	write_raw(plan, store, host, sums);
	weir_store_close(store);
	if (plan->keeps_raw)
		return;
	made_check(weir_pack_open(raw, name, &pack), name);
	made_check(weir_pack_finish(pack, &totals), name);
	weir_pack_close(pack);
	unlink(raw);
}

int main(int argc, char **argv)
{
	struct sums sums = { 0 };
	struct plan plan;

	if (argc != 6) {
		fprintf(stderr, "usage: make_crowd DIR packed|raw PROCESSES "
			"HOSTS CALLS\n");
		return 2;
	}
	plan = (struct plan){
		.dir = argv[1],
		.keeps_raw = !strcmp(argv[2], "raw"),
		.processes = (uint32_t)strtoul(argv[3], NULL, 10),
		.hosts = (uint32_t)strtoul(argv[4], NULL, 10),
		.calls = (uint32_t)strtoul(argv[5], NULL, 10),
	};
	made_check(mkdir(plan.dir, 0700) ? -17 : 0, plan.dir);
	for (uint32_t host = 0; host < plan.hosts; host++)
		make_host(&plan, host, &sums);
	printf("events %llu\ntransfers %llu\noffsets %llu\n", sums.events,
	       sums.transfers, sums.offsets);
	return 0;
}
