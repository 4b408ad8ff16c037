/* SPDX-License-Identifier: BSD-3-Clause */
/* What the threads of a made program do, call by call. */
#include "eventmix.h"

#include "spec/calls.h"

#include <errno.h>
#include <stdio.h>

/* A record of the shared files, not a multiple of anything. */
#define RECORD 47008
#define PAGE   4096

static uint32_t chance(struct actor *actor, uint32_t below)
{
	return made_chance(&actor->random, below);
}

/* An eighth more or less, in steps of this clock: 10 ns. */
static uint64_t about(struct actor *actor, uint32_t ns)
{
	return (ns - ns / 8 + chance(actor, ns / 4 + 1)) / 10 * 10;
}

static void emit(struct actor *actor, struct weir_event *event,
		 const struct rawmaker_detail *detail)
{
	struct sum *sum = &actor->process->world->sums[event->call];

	if (detail) {
		event->detail = detail->bytes;
		event->detail_len = detail->used;
	}
	rawmaker_add(&actor->maker, event);
	sum->calls++;
	sum->failed += !!(event->flags & WEIR_EVENT_FAILED);
	if (event->flags & WEIR_EVENT_RETSIZE)
		sum->bytes += (unsigned long long)event->ret;
	actor->left--;
}

/* A call some time after the last; one of 64 takes sixteen times as long. */
static void make(struct actor *actor, struct weir_event event, uint32_t usual,
		 const struct rawmaker_detail *detail)
{
	static const uint32_t gaps[] = { 200,  200,  400,  400,
					 800, 1500, 3000, 20000 };

	event.start = actor->maker.clock + about(actor, gaps[chance(actor, 8)]);
	event.dur = about(actor, usual) << (chance(actor, 64) ? 0 : 4);
	emit(actor, &event, detail);
}

static struct weir_event plain(uint16_t call, uint32_t handle)
{
	return (struct weir_event){ .call = call,
				    .handle = handle,
				    .flags = WEIR_EVENT_NOOFF };
}

static struct weir_event transfer(uint16_t call, uint32_t handle, int64_t off,
				  uint32_t size)
{
	return (struct weir_event){ .call = call,
				    .handle = handle,
				    .flags = WEIR_EVENT_RETSIZE,
				    .off = off,
				    .size = size,
				    .ret = size };
}

/* --- files ------------------------------------------------------------ */

static void name_file(struct world *world, uint32_t file, char path[64])
{
	world->is_used[file] = 1;
	if (file < world->shared)
		snprintf(path, 64, "/scratch/user/run/step%04u.h5", file);
	else
		snprintf(path, 64, "/scratch/user/run/out/%03u/part%06u.dat",
			 file / 1000, file);
}

/* The files of a process, in turn: every so-many-th one. */
uint32_t eventmix_own_files(const struct world *world, uint32_t rank)
{
	uint32_t all = world->files - world->shared;

	return rank < all ? (all - rank - 1) / world->processes + 1 : 1;
}

/* Of fewer files than processes several have one; all have the only file. */
static uint32_t next_own(struct process *process)
{
	const struct world *world = process->world;
	uint32_t all = world->files - world->shared, rank = process->info.rank;
	uint32_t nth = process->opened++ % eventmix_own_files(world, rank);

	if (!all)
		return 0;
	return world->shared + (rank % all) + nth * world->processes;
}

static struct weir_event opening(uint32_t handle, int fd)
{
	struct weir_event event = plain(WEIR_CALL_OPEN, handle);

	event.flags |= WEIR_EVENT_NEWHANDLE;
	event.ret = fd;
	return event;
}

static void tell_path(struct rawmaker_detail *detail, const char *path)
{
	rawmaker_number(detail, 0);
	rawmaker_text(detail, path);
}

static void open_own(struct actor *actor)
{
	struct process *process = actor->process;
	struct rawmaker_detail detail = { .used = 0 };
	char path[64];

	name_file(process->world, next_own(process), path);
	tell_path(&detail, path);
	rawmaker_number(&detail, 0102);
	rawmaker_number(&detail, 0644 + 1);
	actor->handle = ++process->handles;
	make(actor, opening(actor->handle, (int)(10 + actor->maker.thread)),
	     6000, &detail);
	actor->bout = process->bout;
	actor->phrase = 0;
	actor->pos = 0;
}

static void close_own(struct actor *actor)
{
	make(actor, plain(WEIR_CALL_CLOSE, actor->handle), 900, NULL);
	actor->handle = 0;
}

/* A call and, while it is at work, the one that it makes. */
static void make_nested(struct actor *actor, struct weir_event outer,
			struct weir_event inner,
			const struct rawmaker_detail details[2])
{
	outer.start = actor->maker.clock + about(actor, 1500);
	inner.start = outer.start + about(actor, 700);
	inner.dur = about(actor, 12000);
	inner.depth = 1;
	outer.dur = inner.start + inner.dur + about(actor, 300) - outer.start;
	emit(actor, &inner, &details[1]);
	emit(actor, &outer, &details[0]);
}

/* The handles of the shared files: MPI's, and that of the descriptor. */
static uint32_t mpi_handle(uint32_t file)
{
	return 1 + 2 * file;
}

static uint32_t fd_handle(uint32_t file)
{
	return 2 + 2 * file;
}

void eventmix_open_shared(struct actor *actor, uint32_t file)
{
	struct rawmaker_detail details[2] = { { .used = 0 }, { .used = 0 } };
	char path[64];

	name_file(actor->process->world, file, path);
	for (int i = 0; i < 2; i++)
		tell_path(&details[i], path);
	rawmaker_number(&details[0], 9); /* create, write only */
	rawmaker_number(&details[1], 0102);
	rawmaker_number(&details[1], 0644 + 1);
	rawmaker_handle(&actor->maker, mpi_handle(file), -1,
			WEIR_ORIGIN_OPENED, 0, path);
	make_nested(actor, plain(WEIR_CALL_MPI_FILE_OPEN, mpi_handle(file)),
		    opening(fd_handle(file), (int)(3 + file)), details);
	actor->process->handles += 2;
}

/* --- patterns ----------------------------------------------------------- */

/* Small writes, one after another. */
static void write_on(struct actor *actor)
{
	static const uint32_t sizes[] = { 100, 512, 2048, 4096 };

	if (!actor->size)
		actor->size = sizes[chance(actor, 4)];
	make(actor, transfer(WEIR_CALL_WRITE, actor->handle, actor->pos,
			     actor->size), 1200, NULL);
	actor->pos += actor->size;
}

/* A rank's next record: between them lie one of each other rank. */
static int64_t next_record(struct actor *actor)
{
	const struct made_process *info = &actor->process->info;
	uint64_t all = (uint64_t)info->ranks * info->threads;
	uint64_t me = (uint64_t)info->rank * info->threads +
		      actor->maker.thread - 1;

	return (int64_t)((actor->records++ * all + me) * RECORD);
}

static uint32_t some_shared(struct actor *actor)
{
	return chance(actor, actor->process->world->shared);
}

static void write_strided(struct actor *actor)
{
	make(actor, transfer(WEIR_CALL_PWRITE, fd_handle(some_shared(actor)),
			     next_record(actor), RECORD), 14000, NULL);
}

static void write_by_mpi(struct actor *actor)
{
	static const struct rawmaker_detail none[2];
	uint32_t file = some_shared(actor);
	int64_t off = next_record(actor);

	if (actor->left < 2) {
		write_strided(actor);
		return;
	}
	make_nested(actor,
		    transfer(WEIR_CALL_MPI_FILE_WRITE_AT, mpi_handle(file), off,
			     RECORD),
		    transfer(WEIR_CALL_PWRITE, fd_handle(file), off, RECORD),
		    none);
}

static void read_at_random(struct actor *actor)
{
	make(actor, transfer(WEIR_CALL_PREAD, actor->handle,
			     (int64_t)chance(actor, 1 << 18) * PAGE, PAGE),
	     2500, NULL);
}

/* The first MiB again and again; sometimes there is only a half. */
static void read_again(struct actor *actor)
{
	struct weir_event event =
		transfer(WEIR_CALL_PREAD, actor->handle,
			 (int64_t)(actor->again++ % 16) * 16 * PAGE, 16 * PAGE);

	if (!chance(actor, 64))
		event.ret /= 2;
	make(actor, event, 9000, NULL);
}

static void ask_for_own(struct actor *actor)
{
	struct rawmaker_detail detail = { .used = 0 };

	made_stat(&detail, actor->handle);
	make(actor, plain(WEIR_CALL_FSTAT, actor->handle), 600, &detail);
}

/* Whether to stop: there is no such file yet. */
static void ask_for_stop(struct actor *actor)
{
	struct weir_event event = plain(WEIR_CALL_STAT, 0);
	struct rawmaker_detail detail = { .used = 0 };
	struct world *world = actor->process->world;

	world->is_used[world->files] = 1;
	tell_path(&detail, "/scratch/user/run/STOP");
	rawmaker_number(&detail, 0);
	event.flags |= WEIR_EVENT_FAILED;
	event.ret = ENOENT;
	make(actor, event, 1800, &detail);
}

static void rewind_own(struct actor *actor)
{
	struct weir_event event = { .call = WEIR_CALL_LSEEK,
				    .handle = actor->handle };

	event.off = event.ret = actor->pos =
		(int64_t)chance(actor, 1 << 10) * PAGE;
	make(actor, event, 400, NULL);
}

static void ask(struct actor *actor)
{
	static void (*const questions[])(struct actor *) = {
		ask_for_own, rewind_own, ask_for_stop, rewind_own,
	};

	questions[chance(actor, 4)](actor);
}

static void sync_own(struct actor *actor)
{
	make(actor, plain(WEIR_CALL_FSYNC, actor->handle), 300000, NULL);
}

struct pattern eventmix_patterns[] = {
	{ "write", 8, 64, write_on },
	{ "stride", 4, 64, write_strided },
	{ "mpi", 2, 32, write_by_mpi },
	{ "random", 4, 64, read_at_random },
	{ "again", 4, 64, read_again },
	{ "meta", 6, 6, ask },
	{ "sync", 1, 1, sync_own },
	{ NULL, 0, 0, NULL },
};

static void choose_pattern(struct actor *actor)
{
	uint32_t all = 0, at;

	for (const struct pattern *p = eventmix_patterns; p->name; p++)
		all += p->weight;
	at = chance(actor, all);
	actor->pattern = eventmix_patterns;
	while (at >= actor->pattern->weight) {
		at -= actor->pattern->weight;
		actor->pattern++;
	}
	actor->phrase = 1 + chance(actor, actor->pattern->length);
	actor->size = 0;
}

void eventmix_step(struct actor *actor)
{
	if (!actor->handle) {
		open_own(actor);
	} else if (!actor->bout) {
		close_own(actor);
	} else {
		if (!actor->phrase)
			choose_pattern(actor);
		actor->phrase--;
		actor->bout--;
		actor->pattern->step(actor);
	}
}
