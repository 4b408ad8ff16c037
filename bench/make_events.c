/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a large trace of a parallel program: its ranks write and read files of
 * their own, open them, ask for them, and write one another's records of shared
 * files, by themselves and through MPI. Tells the sums of what it made.
 */
#include "eventmix.h"
#include "spec/calls.h"
#include "trace/pack/pack.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SHARED 4
#define LEAST_EVENTS 16 /* of a thread: it opens the shared files first */

/* Events of a thread before the next one's turn; the calls while it is open. */
#define TURN       64
#define LEAST_BOUT 6
#define MOST_BOUT  1024

/* The collector packs so many bytes at a time, too. */
#define PACK_STEP (UINT64_C(32) << 20)

/* --- processes and hosts ---------------------------------------------- */

/* The nth of so many parts of a whole. */
static uint64_t part_begin(uint64_t all, uint64_t parts, uint64_t nth)
{
	return all / parts * nth + all % parts * nth / parts;
}

static uint64_t part_size(uint64_t all, uint64_t parts, uint64_t nth)
{
	return part_begin(all, parts, nth + 1) - part_begin(all, parts, nth);
}

static void start_actor(struct process *process, struct weir_store *store,
			uint32_t thread)
{
	const struct world *world = process->world;
	struct actor *actor = &process->actors[thread];
	uint64_t all = (uint64_t)world->processes * world->threads;
	uint64_t number = (uint64_t)process->info.rank * world->threads +
			  thread;

	actor->process = process;
	actor->random = world->seed + (uint32_t)number * 2654435761u;
	actor->left = part_size(world->events, all, number);
	rawmaker_start(&actor->maker, store, process->info.proc, thread + 1,
		       process->info.begin + 200000 * thread);
}

/* Long enough that all of its files are opened, and then some again. */
static uint32_t bout_of(const struct world *world, uint32_t rank)
{
	uint64_t bout = world->events / world->processes /
			eventmix_own_files(world, rank) * 3 / 4;

	return (uint32_t)(bout < LEAST_BOUT ? LEAST_BOUT :
			  bout > MOST_BOUT ? MOST_BOUT : bout);
}

static void start_process(struct process *process, struct weir_store *store,
			  uint32_t host)
{
	const struct world *world = process->world;
	uint32_t rank = process->info.rank;

	process->info.ranks = world->processes;
	process->info.threads = world->threads;
	process->info.begin = made_moment(host, 1000 + 170 * (uint64_t)rank);
	process->bout = bout_of(world, rank);
	process->actors = calloc(world->threads, sizeof(*process->actors));
	made_check(process->actors ? 0 : -ENOMEM, "threads");
	made_process(store, &process->info, "live");
	for (uint32_t i = 0; i < world->threads; i++)
		start_actor(process, store, i);
	for (uint32_t i = 0; i < world->shared; i++)
		eventmix_open_shared(process->actors, i);
}

static void end_process(struct process *process, struct weir_store *store)
{
	for (uint32_t i = 0; i < process->info.threads; i++)
		rawmaker_flush(&process->actors[i].maker);
	free(process->actors);
	made_process(store, &process->info, "exited");
}

/* Some events of each thread; whether there are more to make. */
static int take_turns(struct process *process)
{
	int more = 0;

	for (uint32_t i = 0; i < process->info.threads; i++) {
		struct actor *actor = &process->actors[i];
		uint64_t end = actor->left > TURN ? actor->left - TURN : 0;

		while (actor->left > end)
			eventmix_step(actor);
		more |= !!actor->left;
	}
	return more;
}

static void run_host(struct process *processes, uint32_t count,
		     struct weir_store *store, struct weir_pack *pack)
{
	uint64_t packed = 0;

	for (int more = 1; more;) {
		more = 0;
		for (uint32_t i = 0; i < count; i++)
			more |= take_turns(&processes[i]);
		if (weir_store_bytes(store) < packed + PACK_STEP)
			continue;
		packed = weir_store_bytes(store);
		made_check(weir_pack_advance(pack, packed), "pack");
	}
}

/* The raw chunks of all processes of a host, and while they come, packed. */
static uint64_t write_host(struct world *world, uint32_t host,
			   struct weir_store *store, struct weir_pack *pack)
{
	uint32_t first = (uint32_t)part_begin(world->processes, world->hosts,
					      host);
	uint32_t count = (uint32_t)part_size(world->processes, world->hosts,
					     host);
	struct process *processes = calloc(count, sizeof(*processes));
	struct weir_pack_totals totals;

	made_check(processes ? 0 : -ENOMEM, "processes");
	for (uint32_t i = 0; i < count; i++) {
		processes[i].world = world;
		processes[i].info.rank = first + i;
		processes[i].info.proc = i + 1;
		start_process(&processes[i], store, host);
	}
	run_host(processes, count, store, pack);
	for (uint32_t i = 0; i < count; i++)
		end_process(&processes[i], store);
	free(processes);
	made_check(weir_pack_finish(pack, &totals), "pack");
	return totals.events;
}

static uint64_t make_host(struct world *world, uint32_t host)
{
	char name[PATH_MAX], raw[PATH_MAX];
	struct weir_store *store;
	struct weir_pack *pack;
	uint64_t events;

	snprintf(name, sizeof(name), "%s/node%05u.weir", world->dir, host);
	snprintf(raw, sizeof(raw), "%s/raw", world->dir);
	made_check(weir_store_create(raw, &store), raw);
	made_head(store, host);
	made_check(weir_pack_open(raw, name, &pack), name);
	events = write_host(world, host, store, pack);
	weir_pack_close(pack);
	weir_store_close(store);
	unlink(raw);
	return events;
}

/* --- the command ------------------------------------------------------- */

static void tell(const struct world *world)
{
	static const struct {
		uint16_t call;
		const char *name;
	} calls[] = {
		{ WEIR_CALL_OPEN, "open" },
		{ WEIR_CALL_CLOSE, "close" },
		{ WEIR_CALL_WRITE, "write" },
		{ WEIR_CALL_PREAD, "pread" },
		{ WEIR_CALL_PWRITE, "pwrite" },
		{ WEIR_CALL_LSEEK, "lseek" },
		{ WEIR_CALL_FSYNC, "fsync" },
		{ WEIR_CALL_STAT, "stat" },
		{ WEIR_CALL_FSTAT, "fstat" },
		{ WEIR_CALL_MPI_FILE_OPEN, "MPI_File_open" },
		{ WEIR_CALL_MPI_FILE_WRITE_AT, "MPI_File_write_at" },
	};
	uint32_t files = 0;

	for (uint32_t i = 0; i <= world->files; i++)
		files += world->is_used[i];
	printf("events %llu\nprocesses %u\nthreads %u\nfiles %u\n",
	       (unsigned long long)world->events, world->processes,
	       world->processes * world->threads, files);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const struct sum *sum = &world->sums[calls[i].call];

		if (sum->calls)
			printf("%s.calls %llu\n%s.failed %llu\n%s.bytes %llu\n",
			       calls[i].name, sum->calls, calls[i].name,
			       sum->failed, calls[i].name, sum->bytes);
	}
}

static int usage(void)
{
	fprintf(stderr, "usage: make_events [-e EVENTS] [-p PROCESSES] "
		"[-t THREADS] [-f FILES] [-n HOSTS]\n"
		"                   [-s SEED] [-m NAME=WEIGHT]... DIR\n"
		"patterns, and how often each is chosen:");
	for (const struct pattern *p = eventmix_patterns; p->name; p++)
		fprintf(stderr, " %s=%u", p->name, p->weight);
	fprintf(stderr, "\n");
	return 2;
}

static int set_weight(const char *text)
{
	size_t len = strcspn(text, "=");

	for (struct pattern *p = eventmix_patterns; p->name && text[len]; p++)
		if (strlen(p->name) == len && !strncmp(p->name, text, len)) {
			p->weight = (uint32_t)strtoul(text + len + 1, NULL, 10);
			return 1;
		}
	return 0;
}

static int take_option(struct world *world, int letter, const char *text)
{
	unsigned long long number = strtoull(text ? text : "", NULL, 10);
	struct {
		char letter;
		uint32_t *to;
	} numbers[] = {
		{ 'p', &world->processes }, { 't', &world->threads },
		{ 'f', &world->files },	    { 'n', &world->hosts },
		{ 's', &world->seed },
	};

	if (letter == 'e')
		world->events = number;
	if (letter == 'm')
		return set_weight(text);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].letter == letter)
			*numbers[i].to = (uint32_t)number;
	return letter != '?';
}

static int is_sound(const struct world *w)
{
	uint64_t weights = 0;

	for (const struct pattern *p = eventmix_patterns; p->name; p++)
		weights += p->weight;
	return w->processes && w->threads && w->files && w->hosts && weights &&
	       w->hosts <= w->processes && w->files < UINT32_MAX &&
	       w->events / w->processes / w->threads >= LEAST_EVENTS;
}

int main(int argc, char **argv)
{
	static struct world world = { .events = 600000, .processes = 16,
				      .threads = 1, .files = 64, .hosts = 2,
				      .seed = 1 };
	uint64_t events = 0;
	int letter;

	while ((letter = getopt(argc, argv, "e:p:t:f:n:s:m:")) != -1)
		if (!take_option(&world, letter, optarg))
			return usage();
	if (optind + 1 != argc || !is_sound(&world))
		return usage();
	world.dir = argv[optind];
	world.shared = world.files > 16 * MOST_SHARED ? MOST_SHARED : 1;
	world.is_used = calloc((size_t)world.files + 1, 1);
	made_check(world.is_used ? 0 : -ENOMEM, "files");
	made_check(mkdir(world.dir, 0700) ? -errno : 0, world.dir);
	for (uint32_t host = 0; host < world.hosts; host++)
		events += make_host(&world, host);
	made_check(events == world.events ? 0 : -EBADMSG, "events packed");
	tell(&world);
	free(world.is_used);
	return 0;
}
