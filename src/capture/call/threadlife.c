/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the recorder of a thread, nests it for signals, and ends it. */
#include "capture/call/threadlife.h"

#include "base/clock.h"
#include "base/sys.h"
#include "capture/memory/pool.h"
#include "capture/process/procguard.h"
#include "capture/process/procstart.h"
#include "capture/record/callsums.h"
#include "capture/record/chunk.h"
#include "capture/record/fdnames.h"
#include "gate/confined.h"
#include "gate/next.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define NESTED_LEVELS 3
#define STACK_REACH   (UINT64_C(64) << 20)

/* A signal may find us while we set a thread up for the call at... */
static __thread uintptr_t starting __attribute__((tls_model("initial-exec")));

/* ... and its handler may never come back. */
static __thread bool jumped __attribute__((tls_model("initial-exec")));

/* Found at run time: which library has them depends on the C library. */
static int (*key_create)(pthread_key_t *key, void (*destructor)(void *));
static int (*set_specific)(pthread_key_t key, const void *value);
static pthread_key_t at_exit;
static bool at_exit_works;

static void end_thread(struct weir_thread *t);

static void thread_exits(void *thread)
{
	struct weir_thread *t = weir_thread_self;

	/*
	 * Forked meanwhile: the state was the parent's and is wiped, also when
	 * another thread of the child has begun to record it.
	 */
	if (t != thread || t->state == WEIR_THREAD_ASLEEP ||
	    !weir_procguard_is_begun())
		return;
	weir_thread_leave();
	end_thread(t);
}

void weir_threadlife_leave(void)
{
	struct weir_thread *t = weir_thread_self;

	if (t->state != WEIR_THREAD_READY || t->vforks)
		return;
	weir_thread_leave();
	end_thread(t);
}

void weir_threadlife_prepare(void)
{
	static const struct weir_next_slot slots[] = {
		{ "pthread_key_create", NULL, (void **)&key_create },
		{ "pthread_setspecific", NULL, (void **)&set_specific },
	};

	weir_next_fill(slots, sizeof(slots) / sizeof(slots[0]));
	at_exit_works = key_create && set_specific &&
			!key_create(&at_exit, thread_exits);
}

/* The memory of a thread that ended may become another's: in this order. */
static _Atomic uint32_t ends;

static struct weir_thread *map_thread(void)
{
	size_t bytes = (sizeof(struct weir_thread) + 4095) & ~(size_t)4095;
	long at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (weir_sys_failed(at))
		return NULL;
	if (weir_sys3(SYS_madvise, at, bytes, MADV_WIPEONFORK)) {
		weir_sys2(SYS_munmap, at, bytes);
		return NULL;
	}
	atomic_load_explicit(&ends, memory_order_acquire);
	return (struct weir_thread *)at;
}

static void fill_slot(struct weir_thread *t, uint32_t level)
{
	struct weir_slot *slot = t->slot;

	slot->tid = (uint32_t)weir_sys0(SYS_gettid);
	slot->level = level;
	slot->thread = atomic_fetch_add(&weir_pool_live()->threads, 1) + 1;
	slot->drops_told = 0;
	slot->first_drop = 0;
	slot->last_drop = 0;
	atomic_store(&slot->sums, 0);
	atomic_store(&slot->commit, 0);
	atomic_store(&slot->chunk, WEIR_LIVE_NO_CHUNK);
	atomic_store_explicit(&slot->state, WEIR_SLOT_LIVE,
			      memory_order_release);
}

/* Set while a state is wanted for something that is not a call. */
static __thread bool is_no_call __attribute__((tls_model("initial-exec")));

static void lose_call(void)
{
	if (!is_no_call)
		weir_procstart_lose_call();
}

static struct weir_thread *start_thread(uint32_t level)
{
	struct weir_thread *t;
	uint32_t unit;

	if (!weir_procguard_is_begun() && weir_procstart_begin()) {
		lose_call();
		return NULL;
	}
	unit = weir_confined ? WEIR_LIVE_NO_CHUNK : weir_pool_take_slot();
	t = unit == WEIR_LIVE_NO_CHUNK ? NULL : map_thread();
	if (!t) {
		lose_call();
		return NULL;
	}
	t->slot = weir_pool_slot(unit);
	t->slot_index = unit;
	t->unit = WEIR_LIVE_NO_CHUNK;
	fill_slot(t, level);
	weir_callsums_start(t);
	t->state = WEIR_THREAD_READY;
	return t;
}

static struct weir_thread *wake_first(void)
{
	struct weir_thread *t = start_thread(0);

	if (!t)
		return NULL;
	weir_thread_self = t;
	if (at_exit_works)
		set_specific(at_exit, t);
	weir_fdnames_record_cwd(t);
	return t;
}

static bool on_signal_stack(const struct weir_thread *t, uintptr_t address)
{
	return address >= t->alt_low && address < t->alt_high;
}

/*
 * Stacks grow down: a call that is still open lies above the one that
 * enters now. Across stacks: a handler on the signal stack leaves the
 * interrupted call open; the ordinary stack cannot run under such a handler.
 * Far apart means coroutines, where nothing can be said.
 */
static bool is_dead(const struct weir_thread *t, uintptr_t open, uintptr_t now)
{
	bool open_on_signal = on_signal_stack(t, open);

	if (open_on_signal != on_signal_stack(t, now))
		return open_on_signal;
	return open <= now && now - open < STACK_REACH;
}

/*
 * Was our own code left by a jump? Only when there was one; a handler's call,
 * which comes back, lies deeper than what it interrupted.
 */
static bool is_left(uintptr_t open, uintptr_t now)
{
	return jumped && is_dead(weir_thread_self, open, now);
}

/*
 * A state that was left by a jump may be in any disorder. Its slot is told as
 * that of a thread which was killed at this instant; the rest begins anew.
 */
static bool begin_anew(struct weir_thread *t)
{
	uint32_t unit =
		weir_confined ? WEIR_LIVE_NO_CHUNK : weir_pool_take_slot();
	uint32_t level = t->slot->level;

	if (unit == WEIR_LIVE_NO_CHUNK) {
		lose_call();
		return false;
	}
	atomic_store_explicit(&t->slot->state, WEIR_SLOT_ENDED,
			      memory_order_release);
	t->slot = weir_pool_slot(unit);
	t->slot_index = unit;
	t->unit = WEIR_LIVE_NO_CHUNK;
	t->cursor = t->limit = NULL;
	t->sequence = 0;
	t->commit = 0;
	fill_slot(t, level);
	weir_callsums_start(t);
	t->state = WEIR_THREAD_READY;
	return true;
}

/* Those that handlers used were deeper still, and are left with it. */
static struct weir_thread *recover(struct weir_thread *t)
{
	for (struct weir_thread *n = t->nested; n; n = n->nested)
		if (n->state == WEIR_THREAD_BUSY && !begin_anew(n))
			return NULL;
	return begin_anew(t) ? t : NULL;
}

/* The state for a signal handler that interrupted our own code. */
static struct weir_thread *wake_nested(struct weir_thread *t, uintptr_t address)
{
	if (is_left(t->address, address))
		return recover(t);
	for (uint32_t level = 1; level <= NESTED_LEVELS; level++) {
		if (!t->nested)
			t->nested = start_thread(level);
		t = t->nested;
		if (!t || t->state == WEIR_THREAD_READY)
			return t;
		if (is_left(t->address, address))
			return recover(t);
	}
	lose_call();
	return NULL;
}

struct weir_thread *weir_threadlife_wake(uintptr_t address)
{
	struct weir_thread *t = weir_thread_self;

	/* A signal's call while we are at it, whatever that is for. */
	if (starting && !is_left(starting, address)) {
		weir_procstart_lose_call();
		return NULL;
	}
	starting = address;
	t = t->state == WEIR_THREAD_BUSY ? wake_nested(t, address)
					 : wake_first();
	starting = 0;
	return t;
}

struct weir_thread *weir_threadlife_begin(uintptr_t address)
{
	struct weir_thread *t = weir_thread_self;

	if (!weir_thread_recording || t->state != WEIR_THREAD_ASLEEP)
		return t;
	if (starting && !is_left(starting, address))
		return NULL;
	is_no_call = true;
	t = weir_threadlife_wake(address);
	is_no_call = false;
	return t;
}

void weir_threadlife_jumped(void)
{
	if (starting || weir_thread_self->state == WEIR_THREAD_BUSY)
		jumped = true;
}

void weir_threadlife_abandon(struct weir_thread *t, uint32_t depth)
{
	for (uint32_t top = weir_thread_depth(t); top > depth; top--)
		if (top <= WEIR_SLOT_FRAMES)
			weir_chunk_entered(t, top - 1);
	if (weir_thread_depth(t) != depth)
		weir_thread_close_frames(t, depth);
}

uint32_t weir_threadlife_settle(struct weir_thread *t, uintptr_t address)
{
	uint32_t depth = weir_thread_depth(t);
	uint32_t alive = depth;

	while (alive && alive <= WEIR_SLOT_FRAMES &&
	       is_dead(t, t->slot->frames[alive - 1].address, address))
		alive--;
	if (alive != depth)
		weir_threadlife_abandon(t, alive);
	return alive;
}

/* The thread ends, or (main thread) its chunk is to be handed over. */
static void end_thread(struct weir_thread *t)
{
	if (t->nested)
		end_thread(t->nested);
	t->state = WEIR_THREAD_BUSY;
	weir_threadlife_abandon(t, 0);
	weir_chunk_close(t);
	atomic_store_explicit(&t->slot->state, WEIR_SLOT_ENDED,
			      memory_order_release);
	atomic_fetch_add_explicit(&ends, 1, memory_order_release);
	if (!weir_confined)
		weir_sys2(SYS_munmap, t,
			  (sizeof(struct weir_thread) + 4095) & ~(size_t)4095);
}
