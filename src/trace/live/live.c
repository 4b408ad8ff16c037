/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a recorded process's memory file, from outside the process. */
#include "trace/live/live.h"

#include "base/grow.h"
#include "base/whole.h"
#include "trace/facts/procstat.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS	  (WEIR_LIVE_UNITS / 64)
#define PID_EVERY 15 /* lease tests between questions for the pid */

struct weir_live_view {
	uint8_t *base; /* head, then `units` units; those below ready exist */
	size_t size;
	uint32_t units;
	uint32_t backed;  /* units the file has had room for when last looked */
	int fd;		  /* -1: a copy in memory */
	bool pid_is_ours; /* the pid means something here */
	bool has_bad_chunks;
	volatile sig_atomic_t torn; /* the file was cut while mapped */
	unsigned pid_waits; /* lease tests until the pid is asked for again */
	struct weir_live_view *next;
	uint64_t *taken; /* per unit: thread << 32 | sequence, last released */
	uint32_t taken_units;
	struct weir_live about;
};

/* Views whose pages may vanish, for the handler below. */
static struct weir_live_view *mapped;

/*
 * Whoever owns a live file can cut it short while we look at it. Touching
 * the lost pages must not end the collector: zeros take their place, the
 * view is marked, and no chunk of zeros passes the checks.
 */
static void patch_lost_page(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct weir_live_view *view = mapped;

	(void)context;
	while (view && at - (uintptr_t)view->base >= view->size)
		view = view->next;
	if (!view ||
	    mmap((void *)(at & ~(page - 1)), page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		signal(signal_number, SIG_DFL);
	else
		view->torn = 1;
}

static void catch_lost_pages(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};

	action.sa_sigaction = patch_lost_page;
	sigaction(SIGBUS, &action, NULL);
}

struct weir_live *weir_live_shared(const struct weir_live_view *view)
{
	return (struct weir_live *)view->base;
}

static uint64_t unit_offset(uint32_t unit)
{
	return WEIR_LIVE_HEAD_BYTES + (uint64_t)unit * WEIR_LIVE_UNIT_BYTES;
}

static uint32_t units_of_size(uint64_t size)
{
	uint64_t units;

	if (size < WEIR_LIVE_HEAD_BYTES)
		return 0;
	units = (size - WEIR_LIVE_HEAD_BYTES) / WEIR_LIVE_UNIT_BYTES;
	return units < WEIR_LIVE_UNITS ? (uint32_t)units : WEIR_LIVE_UNITS;
}

/* The units that may be touched: told by the process, and really there. */
static uint32_t ready_units(struct weir_live_view *view)
{
	uint32_t ready = atomic_load(&weir_live_shared(view)->ready);
	struct stat st;

	if (ready > view->backed && view->fd >= 0 && !fstat(view->fd, &st))
		view->backed = units_of_size((uint64_t)st.st_size);
	if (ready > view->backed)
		ready = view->backed;
	return ready < view->units ? ready : view->units;
}

static struct weir_chunk_head *chunk_at(const struct weir_live_view *view,
					uint32_t unit)
{
	return (struct weir_chunk_head *)(view->base + unit_offset(unit) +
					  WEIR_LIVE_SLOT_BYTES);
}

/* Checks a copy of the head and cuts what is too long. */
static int check_about(struct weir_live *about)
{
	static const char nothing[sizeof(about->magic)];

	if (!memcmp(about->magic, nothing, sizeof(nothing)))
		return -EAGAIN;
	if (memcmp(about->magic, WEIR_LIVE_MAGIC, sizeof(about->magic)) ||
	    about->version != WEIR_FORMAT_VERSION)
		return -EBADMSG;
	about->host[sizeof(about->host) - 1] = '\0';
	about->exe[sizeof(about->exe) - 1] = '\0';
	about->cwd[sizeof(about->cwd) - 1] = '\0';
	if (about->args_bytes > sizeof(about->args))
		about->args_bytes = sizeof(about->args);
	if (about->units_wanted > WEIR_LIVE_UNITS)
		about->units_wanted = WEIR_LIVE_UNITS;
	return 0;
}

static int open_live_file(int dir_fd, const char *name, int flags, int *ret_fd,
			  uint64_t *ret_size)
{
	struct stat st;
	int fd, err = 0;

	fd = openat(dir_fd, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EBADMSG;
	else if (st.st_size < WEIR_LIVE_HEAD_BYTES)
		err = -EAGAIN;
	if (err) {
		close(fd);
		return err;
	}
	*ret_fd = fd;
	*ret_size = (uint64_t)st.st_size;
	return 0;
}

static int new_view(int fd, uint32_t units, uint32_t backed,
		    struct weir_live_view **ret_view)
{
	struct weir_live_view *view;

	view = calloc(1, sizeof(*view));
	if (!view)
		return -ENOMEM;
	view->fd = fd;
	view->units = units;
	view->backed = backed;
	view->size = unit_offset(units);
	*ret_view = view;
	return 0;
}

static int read_about(struct weir_live_view *view)
{
	struct weir_live *about = &view->about;

	memcpy(about, view->base, sizeof(*about));
	view->pid_is_ours = about->process_start &&
		weir_procstat_start(about->pid) == about->process_start;
	return check_about(about);
}

int weir_live_open(int dir_fd, const char *name,
		   struct weir_live_view **ret_view)
{
	struct weir_live_view *view;
	uint64_t size;
	int fd, err;

	err = open_live_file(dir_fd, name, O_RDWR, &fd, &size);
	if (err)
		return err;
	/* Mapped as large as it may ever become; only addresses are used. */
	err = new_view(fd, WEIR_LIVE_UNITS, units_of_size(size), &view);
	if (err)
		goto close_file;
	catch_lost_pages();
	view->base = mmap(NULL, view->size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  fd, 0);
	if (view->base == MAP_FAILED) {
		err = -errno;
		goto free_view;
	}
	view->next = mapped;
	mapped = view;
	err = read_about(view);
	if (err) {
		weir_live_close(view);
		return err;
	}
	*ret_view = view;
	return 0;

free_view:
	free(view);
close_file:
	close(fd);
	return err;
}

/*
 * The process may be running. Head and slots are read before the chunks, so
 * that every record they tell of has been written when its chunk is read.
 */
static int copy_file(int fd, struct weir_live_view *view)
{
	int err = weir_whole_read_at(fd, view->base, view->size, 0);

	for (uint32_t i = 0; !err && i < view->units; i++)
		err = weir_whole_read_at(fd, chunk_at(view, i),
					 WEIR_LIVE_UNIT_BYTES -
						 WEIR_LIVE_SLOT_BYTES,
					 unit_offset(i) + WEIR_LIVE_SLOT_BYTES);
	return err;
}

int weir_live_load(int dir_fd, const char *name,
		   struct weir_live_view **ret_view)
{
	struct weir_live_view *view = NULL;
	uint64_t size;
	uint32_t units;
	int fd, err;

	err = open_live_file(dir_fd, name, O_RDONLY, &fd, &size);
	if (err)
		return err;
	units = units_of_size(size);
	err = new_view(-1, units, units, &view);
	if (err)
		goto close_file;
	view->base = aligned_alloc(64, view->size);
	if (!view->base)
		err = -ENOMEM;
	else
		err = copy_file(fd, view);
	err = err ?: read_about(view);
	if (err)
		weir_live_close(view);
	else
		*ret_view = view;
close_file:
	close(fd);
	return err;
}

void weir_live_close(struct weir_live_view *view)
{
	struct weir_live_view **at = &mapped;

	if (!view)
		return;
	if (view->fd < 0) {
		free(view->base);
	} else {
		while (*at && *at != view)
			at = &(*at)->next;
		if (*at)
			*at = view->next;
		munmap(view->base, view->size);
		close(view->fd);
	}
	free(view->taken);
	free(view);
}

const struct weir_live *weir_live_about(const struct weir_live_view *view)
{
	return &view->about;
}

int weir_live_fd(const struct weir_live_view *view)
{
	return view->fd;
}

struct weir_slot *weir_live_slot(struct weir_live_view *view, uint32_t i)
{
	if (i >= ready_units(view))
		return NULL;
	return (struct weir_slot *)(view->base + unit_offset(i));
}

uint32_t weir_live_slots(struct weir_live_view *view)
{
	uint32_t slots = atomic_load(&weir_live_shared(view)->slots);
	uint32_t ready = ready_units(view);

	return slots < ready ? slots : ready;
}

bool weir_live_is_damaged(const struct weir_live_view *view)
{
	return view->torn || view->has_bad_chunks;
}

static uint64_t chunk_key(uint32_t thread, uint32_t sequence)
{
	return (uint64_t)thread << 32 | sequence;
}

/* The head is copied, then the copy is believed or not. */
static bool read_chunk(const struct weir_live_view *view, uint32_t unit,
		       struct weir_live_chunk *ret_chunk)
{
	const struct weir_chunk_head *shared_head = chunk_at(view, unit);
	struct weir_chunk_head head;

	memcpy(&head, shared_head, sizeof(head));
	if (!head.thread || !head.sequence)
		return false;
	*ret_chunk = (struct weir_live_chunk){
		.thread = head.thread,
		.sequence = head.sequence,
		.used = head.used,
		.records = head.records,
		.base = head.base.tick,
		.unit = unit,
		.data = (const uint8_t *)shared_head + WEIR_LIVE_CHUNK_BYTES,
	};
	return true;
}

static bool size_is_good(const struct weir_live_chunk *chunk)
{
	return chunk->used <= WEIR_LIVE_DATA_BYTES && chunk->used % 8 == 0 &&
	       chunk->records <= chunk->used / 8;
}

static int by_thread_and_sequence(const void *a, const void *b)
{
	const struct weir_live_chunk *x = a, *y = b;
	uint64_t key_x = chunk_key(x->thread, x->sequence);
	uint64_t key_y = chunk_key(y->thread, y->sequence);

	return (key_x > key_y) - (key_x < key_y);
}

/* Gives the unit back to the process: first not full, then free. */
static void free_unit(struct weir_live_view *view, uint32_t unit)
{
	struct weir_live *live = weir_live_shared(view);
	uint64_t bit = UINT64_C(1) << (unit % 64);

	atomic_fetch_and(&live->full[unit / 64], ~bit);
	atomic_fetch_or(&live->free[unit / 64], bit);
}

static uint32_t read_full_chunks(struct weir_live_view *view,
				 const uint64_t *full, uint32_t words,
				 struct weir_live_chunk *chunks)
{
	uint32_t count = 0;

	for (uint32_t w = 0; w < words; w++) {
		for (uint64_t bits = full[w]; bits; bits &= bits - 1) {
			uint32_t unit =
				w * 64 + (uint32_t)__builtin_ctzll(bits);

			if (read_chunk(view, unit, &chunks[count]) &&
			    size_is_good(&chunks[count])) {
				count++;
			} else {
				view->has_bad_chunks = true;
				free_unit(view, unit);
			}
		}
	}
	return count;
}

/*
 * Of each thread, keeps the chunks up to the last one seen at the first
 * look: what came later may still miss a predecessor.
 */
static uint32_t keep_unbroken(const uint64_t *first,
			      struct weir_live_chunk *chunks, uint32_t count)
{
	uint32_t kept = 0, sure = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t unit = chunks[i].unit;

		if (i && chunks[i].thread != chunks[i - 1].thread)
			kept = sure;
		chunks[kept++] = chunks[i];
		if (first[unit / 64] >> (unit % 64) & 1)
			sure = kept;
	}
	return sure;
}

/*
 * A thread's chunks may lie anywhere, so a single look over `full` can see
 * one and miss an earlier one whose word was read before. Whatever precedes
 * a chunk of the first look is certainly seen by the second.
 */
uint32_t weir_live_take(struct weir_live_view *view,
			struct weir_live_chunk chunks[WEIR_LIVE_UNITS])
{
	struct weir_live *live = weir_live_shared(view);
	uint32_t ready = ready_units(view), words = (ready + 63) / 64;
	uint64_t first[WORDS], both[WORDS], any = 0;
	uint32_t count;

	for (uint32_t w = 0; w < words; w++)
		any |= first[w] = atomic_load(&live->full[w]);
	if (!any)
		return 0;
	for (uint32_t w = 0; w < words; w++)
		both[w] = atomic_load(&live->full[w]) | first[w];
	if (ready % 64)
		both[words - 1] &= (UINT64_C(1) << ready % 64) - 1;
	count = read_full_chunks(view, both, words, chunks);
	qsort(chunks, count, sizeof(chunks[0]), by_thread_and_sequence);
	return keep_unbroken(first, chunks, count);
}

/* Without memory for it a chunk might come twice, which packers notice. */
static void remember_chunk(struct weir_live_view *view,
			   const struct weir_live_chunk *chunk)
{
	if (WEIR_GROW_ZEROED(view->taken, (size_t)chunk->unit + 1,
			     view->taken_units))
		return;
	view->taken[chunk->unit] = chunk_key(chunk->thread, chunk->sequence);
}

static bool was_taken(const struct weir_live_view *view,
		      const struct weir_live_chunk *chunk)
{
	return chunk->unit < view->taken_units &&
	       view->taken[chunk->unit] ==
		       chunk_key(chunk->thread, chunk->sequence);
}

void weir_live_release(struct weir_live_view *view,
		       const struct weir_live_chunk *chunks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		remember_chunk(view, &chunks[i]);
		free_unit(view, chunks[i].unit);
	}
}

/*
 * A thread that was killed while it changed chunks may still name one that
 * is full, released, or even another thread's by now: `taken` remembers what
 * was released, the chunk's head says whose it is.
 */
bool weir_live_open_chunk(struct weir_live_view *view,
			  const struct weir_slot *slot,
			  struct weir_live_chunk *ret_chunk)
{
	uint32_t unit = (uint32_t)slot->chunk;
	uint32_t sequence = (uint32_t)(slot->chunk >> 32);
	struct weir_live *live = weir_live_shared(view);
	struct weir_live_chunk chunk;
	uint64_t idle;

	if (unit >= ready_units(view) || !read_chunk(view, unit, &chunk))
		return false;
	idle = atomic_load(&live->free[unit / 64]) |
	       atomic_load(&live->full[unit / 64]);
	if (idle >> (unit % 64) & 1 || chunk.thread != slot->thread ||
	    chunk.sequence != sequence || was_taken(view, &chunk))
		return false;
	chunk.used = (uint32_t)(slot->commit & 0xffff);
	chunk.records = 0;
	if (!size_is_good(&chunk)) {
		view->has_bad_chunks = true;
		return false;
	}
	*ret_chunk = chunk;
	return true;
}

static int add_units(struct weir_live_view *view)
{
	struct weir_live *live = weir_live_shared(view);
	uint32_t ready = ready_units(view);
	uint32_t next = ready + WEIR_LIVE_WINDOW_UNITS;

	if (next > view->about.units_wanted)
		next = view->about.units_wanted;
	if (next <= ready)
		return 0;
	if (fallocate(view->fd, 0, (off_t)unit_offset(ready),
		      (off_t)(unit_offset(next) - unit_offset(ready))))
		return -errno;
	view->backed = next;
	for (uint32_t i = ready; i < next; i++)
		atomic_fetch_or(&live->free[i / 64], UINT64_C(1) << (i % 64));
	atomic_store(&live->ready, next);
	return 1;
}

/* 1. memory, 2. free bits, 3. `ready`: a unit in sight is always backed. */
int weir_live_grow(struct weir_live_view *view)
{
	struct weir_live *live = weir_live_shared(view);
	uint32_t nobody = 0;
	int err;

	if (view->fd < 0 ||
	    atomic_load(&live->ready) >= view->about.units_wanted ||
	    !atomic_compare_exchange_strong(&live->growing, &nobody, 1))
		return 0;
	err = add_units(view);
	atomic_store(&live->growing, 0);
	return err;
}

/*
 * The kernel grants a write lease only when nobody else has the file open or
 * mapped. That holds for exec and in other pid namespaces too.
 */
bool weir_live_is_alone(const struct weir_live_view *view)
{
	if (fcntl(view->fd, F_SETLEASE, F_WRLCK))
		return false;
	fcntl(view->fd, F_SETLEASE, F_UNLCK);
	return true;
}

/* Now and then the pid is asked for: another may share the mapping. */
bool weir_live_is_gone(struct weir_live_view *view)
{
	if (view->torn)
		return true;
	if (view->fd < 0)
		return !view->pid_is_ours;
	if (weir_live_is_alone(view))
		return true;
	if (!view->pid_is_ours || view->pid_waits--)
		return false;
	view->pid_waits = PID_EVERY;
	return kill((pid_t)view->about.pid, 0) && errno == ESRCH;
}
