/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the live file: units of memory shared with the collector. */
#include "capture/memory/pool.h"

#include "base/append.h"
#include "base/clock.h"
#include "base/sys.h"
#include "capture/memory/control.h"
#include "capture/memory/reserved.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define THREAD_UNITS 64 /* added when slots run short */
#define SPARE_UNITS  32 /* for threads that start while another adds units */
#define GROWTH_WAITS 1000
#define GROWTH_WAIT  50000 /* ns; who adds units may have lost the processor */
#define NAME_TRIES   1000

struct weir_pool_settings weir_pool_settings;

/* In a forked child all this describes the parent's file, until it begins. */
static uint8_t *windows[WEIR_LIVE_WINDOWS];
static char file_name[WEIR_CONTROL_PATH];
static uint32_t first_units; /* backed from the beginning */
static _Atomic uint32_t hint;
static _Atomic bool in_vain; /* somebody began to add units and never ended */

static uint8_t *unit_base(uint32_t unit)
{
	uint8_t *window = windows[unit / WEIR_LIVE_WINDOW_UNITS];

	return window +
	       (size_t)(unit % WEIR_LIVE_WINDOW_UNITS) * WEIR_LIVE_UNIT_BYTES;
}

struct weir_live *weir_pool_live(void)
{
	return windows[0]
		       ? (struct weir_live *)(windows[0] - WEIR_LIVE_HEAD_BYTES)
		       : NULL;
}

struct weir_slot *weir_pool_slot(uint32_t unit)
{
	return (struct weir_slot *)unit_base(unit);
}

struct weir_chunk_head *weir_pool_chunk(uint32_t unit)
{
	return (struct weir_chunk_head *)(unit_base(unit) +
					  WEIR_LIVE_SLOT_BYTES);
}

/* Finds a name that `make` can give to a file; returns what that returns. */
static long name_file(long (*make)(const char *name))
{
	long pid = weir_sys0(SYS_getpid);
	char *end =
		weir_append_path(file_name, weir_pool_settings.directory, "");
	long done = -EEXIST;

	end = weir_append_number(end, (uint64_t)pid);
	end = weir_append_text(end, "-");
	for (int n = 0; done == -EEXIST && n < NAME_TRIES; n++) {
		weir_append_text(weir_append_number(end, (uint64_t)n), ".live");
		done = make(file_name);
	}
	return done;
}

static long create_file(const char *name)
{
	long fd = weir_sys4(SYS_openat, AT_FDCWD, name,
			    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			    0600);

	if (fd >= 0) /* a umask may have left us less */
		weir_sys2(SYS_fchmod, fd, 0600);
	return fd;
}

static size_t file_bytes(uint32_t units)
{
	return WEIR_LIVE_HEAD_BYTES + (size_t)units * WEIR_LIVE_UNIT_BYTES;
}

static long map_file(long fd, size_t offset, size_t bytes)
{
	long at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, offset);

	/* A child that kept our memory would look like us to the collector. */
	if (!weir_sys_failed(at))
		weir_sys3(SYS_madvise, at, bytes, MADV_DONTFORK);
	return at;
}

/*
 * Little, so that a process starts fast, and the collector adds the rest; but
 * who asks for more than usual has bursts that cannot wait for a collector.
 */
static int back_first_units(long fd)
{
	uint32_t wanted = weir_pool_settings.units_wanted;
	uint32_t few =
		wanted < WEIR_LIVE_FIRST_UNITS ? wanted : WEIR_LIVE_FIRST_UNITS;
	long err = 0;

	first_units = wanted > WEIR_LIVE_WINDOW_UNITS ? wanted : few;
	err = weir_sys4(SYS_fallocate, fd, 0, 0, file_bytes(first_units));
	if (err && first_units > few) {
		first_units = few;
		err = weir_sys4(SYS_fallocate, fd, 0, 0, file_bytes(few));
	}
	return (int)err;
}

static long open_new(void)
{
	long fd = name_file(create_file);
	long err = fd < 0 ? fd : back_first_units(fd);

	if (!err)
		return fd;
	if (fd >= 0) {
		weir_sys1(SYS_close, fd);
		weir_sys3(SYS_unlinkat, AT_FDCWD, file_name, 0);
	}
	return err;
}

/* One that is backed already, of the size that we would have given it. */
static long open_reserved(void)
{
	uint32_t wanted = weir_pool_settings.units_wanted;
	long fd = -ENOENT;

	if (wanted < WEIR_LIVE_FIRST_UNITS || wanted > WEIR_LIVE_WINDOW_UNITS)
		return fd;
	fd = weir_reserved_open(weir_pool_settings.directory,
				file_bytes(WEIR_LIVE_FIRST_UNITS));
	if (fd >= 0 && name_file(weir_reserved_rename)) {
		weir_reserved_drop(fd);
		return -ENOENT;
	}
	first_units = WEIR_LIVE_FIRST_UNITS;
	return fd;
}

static long open_live_file(void)
{
	long fd;

	if (weir_sys_limits_files(file_bytes(WEIR_LIVE_UNITS)))
		return -EFBIG;
	fd = open_reserved();
	return fd >= 0 ? fd : open_new();
}

static uint32_t window_count(void)
{
	return (weir_pool_settings.units_wanted + WEIR_LIVE_WINDOW_UNITS - 1) /
	       WEIR_LIVE_WINDOW_UNITS;
}

/* Backed first, mapped whole: no page of a ready unit can fault away. */
int weir_pool_open(void)
{
	uint32_t count = window_count();
	long fd = open_live_file();
	long at;

	if (fd < 0)
		return (int)fd;
	at = map_file(fd, 0, file_bytes(count * WEIR_LIVE_WINDOW_UNITS));
	weir_sys1(SYS_close, fd);
	if (weir_sys_failed(at)) {
		weir_sys3(SYS_unlinkat, AT_FDCWD, file_name, 0);
		return (int)at;
	}
	for (uint32_t i = 0; i < WEIR_LIVE_WINDOWS; i++)
		windows[i] =
			i < count
				? (uint8_t *)at +
					  file_bytes(i * WEIR_LIVE_WINDOW_UNITS)
				: NULL;
	return 0;
}

static void set_free(struct weir_live *live, uint32_t from, uint32_t to)
{
	for (uint32_t unit = from; unit < to; unit++)
		atomic_fetch_or(&live->free[unit / 64], UINT64_C(1)
								<< unit % 64);
}

/* Field 22 of /proc/self/stat; the name before it may hold anything. */
static uint64_t process_start(void)
{
	char text[1024];
	uint64_t value = 0;
	int field = 2;
	long n, fd = weir_sys4(SYS_openat, AT_FDCWD, "/proc/self/stat",
			       O_RDONLY | O_CLOEXEC, 0);
	const char *at;

	if (fd < 0)
		return 0;
	n = weir_sys3(SYS_read, fd, text, sizeof(text) - 1);
	weir_sys1(SYS_close, fd);
	if (n <= 0)
		return 0;
	text[n] = 0;
	at = strrchr(text, ')');
	for (; at && *at && field < 22; at++)
		field += *at == ' ';
	for (; at && *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	return value;
}

struct weir_live_anchor weir_pool_anchor(bool clock_is_tsc)
{
	struct weir_live_anchor anchor = {
		.tick = weir_clock_tick(clock_is_tsc),
		.mono = weir_clock_ns(CLOCK_MONOTONIC),
		.real = weir_clock_ns(CLOCK_REALTIME),
	};

	return anchor;
}

void weir_pool_publish(void)
{
	struct weir_live *live = weir_pool_live();
	const struct weir_pool_settings *set = &weir_pool_settings;
	char names[6][65]; /* struct utsname: node name is the second */
	uint64_t magic;

	live->version = 1;
	live->pid = (uint32_t)weir_sys0(SYS_getpid);
	live->ppid = (uint32_t)weir_sys0(SYS_getppid);
	live->uid = (uint32_t)weir_sys0(SYS_getuid);
	live->clock_is_tsc = set->clock_is_tsc;
	live->units_wanted = set->units_wanted;
	live->process_start = process_start();
	live->first = set->first;
	memcpy(live->exe, set->exe, sizeof(set->exe));
	if (weir_sys2(SYS_getcwd, live->cwd, sizeof(live->cwd)) < 0)
		live->cwd[0] = 0;
	memcpy(live->args, set->args, set->args_bytes);
	live->args_bytes = set->args_bytes;
	if (!weir_sys1(SYS_uname, names))
		memcpy(live->host, names[1], sizeof(names[1]));
	set_free(live, 0, first_units);
	atomic_store(&live->ready, first_units);
	live->second = weir_pool_anchor(set->clock_is_tsc);
	/* Last: who sees the magic sees all the rest. */
	memcpy(&magic, WEIR_LIVE_MAGIC, sizeof(magic));
	__atomic_store_n((uint64_t *)live->magic, magic, __ATOMIC_RELEASE);
}

void weir_pool_drop(void)
{
	weir_sys2(SYS_munmap, weir_pool_live(),
		  file_bytes(window_count() * WEIR_LIVE_WINDOW_UNITS));
	windows[0] = NULL;
	weir_sys3(SYS_unlinkat, AT_FDCWD, file_name, 0);
}

const char *weir_pool_file_name(void)
{
	return file_name;
}

/* Take one bit of a bitmap, or say that there is none. */
static uint32_t take_bit(_Atomic uint64_t *words, uint32_t units)
{
	uint32_t count = (units + 63) / 64;
	uint32_t start = atomic_load_explicit(&hint, memory_order_relaxed);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t word = (start + i) % count;
		uint64_t bits = atomic_load_explicit(&words[word],
						     memory_order_relaxed);

		while (bits) {
			uint64_t bit = bits & -bits;

			if (atomic_fetch_and(&words[word], ~bit) & bit) {
				atomic_store_explicit(&hint, word,
						      memory_order_relaxed);
				return word * 64 +
				       (uint32_t)__builtin_ctzll(bit);
			}
			bits &= ~bit;
		}
	}
	return WEIR_LIVE_NO_CHUNK;
}

/* Units that the collector added lie in a window we may not have mapped. */
static uint32_t usable_units(struct weir_live *live)
{
	uint32_t ready =
		atomic_load_explicit(&live->ready, memory_order_acquire);
	uint32_t mapped = WEIR_LIVE_WINDOW_UNITS;

	while (mapped < ready && mapped < WEIR_LIVE_UNITS &&
	       windows[mapped / WEIR_LIVE_WINDOW_UNITS])
		mapped += WEIR_LIVE_WINDOW_UNITS;
	return ready < mapped ? ready : mapped;
}

uint32_t weir_pool_take_chunk(void)
{
	struct weir_live *live = weir_pool_live();

	return take_bit(live->free, usable_units(live));
}

void weir_pool_hand_over(uint32_t unit)
{
	atomic_fetch_or_explicit(&weir_pool_live()->full[unit / 64],
				 UINT64_C(1) << unit % 64,
				 memory_order_release);
}

static int back_units(uint32_t from, uint32_t to)
{
	uint32_t window = from / WEIR_LIVE_WINDOW_UNITS;
	long fd = weir_sys4(SYS_openat, AT_FDCWD, file_name,
			    O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	long err, at;

	if (fd < 0)
		return (int)fd;
	err = weir_sys4(SYS_fallocate, fd, 0, file_bytes(from),
			file_bytes(to) - file_bytes(from));
	if (!err && !windows[window]) {
		at = map_file(fd, file_bytes(window * WEIR_LIVE_WINDOW_UNITS),
			      (size_t)WEIR_LIVE_WINDOW_UNITS *
				      WEIR_LIVE_UNIT_BYTES);
		if (weir_sys_failed(at))
			err = at;
		else
			windows[window] = (uint8_t *)at;
	}
	weir_sys1(SYS_close, fd);
	return (int)err;
}

/* Chunks that each thread holds all its life: of records, and of sums. */
static uint32_t chunks_per_thread(void)
{
	return weir_control_aside() & WEIR_MANNER_PROFILE ? 2 : 1;
}

/*
 * One chunk a thread beyond the one that it holds: where threads are many, all
 * may fill theirs before the collector gets a processor.
 */
static uint32_t units_to_spare(struct weir_live *live)
{
	return atomic_load(&live->slots) + SPARE_UNITS;
}

/*
 * Threads by the thousand need more slots and chunks than a steady flow of
 * records does: the pool grows by what a thread holds, and by what it is to
 * have in reserve. Only at a thread's first call, where a few system calls are
 * allowed. Windows begin at multiples of what is added. 0, -ENOMEM for good,
 * -EBUSY: another is at it.
 */
static int add_units(struct weir_live *live)
{
	uint32_t held = atomic_load(&live->slots) * chunks_per_thread();
	uint32_t from, to, none = 0;
	int err = -ENOMEM;

	if (!atomic_compare_exchange_strong(&live->growing, &none, 1))
		return -EBUSY;
	from = atomic_load(&live->ready);
	to = (from / THREAD_UNITS + 1) * THREAD_UNITS;
	if (to <= WEIR_LIVE_UNITS &&
	    from < live->units_wanted + held + units_to_spare(live) &&
	    !back_units(from, to)) {
		set_free(live, from, to);
		atomic_store(&live->ready, to);
		in_vain = false;
		err = 0;
	}
	atomic_store(&live->growing, 0);
	return err;
}

/* What both a slot and a chunk can still be had of. */
static uint32_t spare_units(struct weir_live *live)
{
	uint32_t units = usable_units(live), chunks = 0;
	uint32_t held = atomic_load(&live->slots) * chunks_per_thread();

	for (uint32_t i = 0; i < (units + 63) / 64; i++)
		chunks += (uint32_t)__builtin_popcountll(
			atomic_load(&live->free[i]));
	if (held >= units)
		return 0;
	return chunks < units - held ? chunks : units - held;
}

static void raise_slots(struct weir_live *live, uint32_t slots)
{
	uint32_t seen = atomic_load(&live->slots);

	while (seen < slots &&
	       !atomic_compare_exchange_weak(&live->slots, &seen, slots))
		;
}

/* Never more threads than all can have their chunks. */
static uint32_t find_slot(struct weir_live *live)
{
	uint32_t units = usable_units(live) / chunks_per_thread();

	for (uint32_t i = 0; i < units; i++) {
		_Atomic uint32_t *state = &weir_pool_slot(i)->state;
		uint32_t none = WEIR_SLOT_FREE;

		if (atomic_load_explicit(state, memory_order_relaxed) == none &&
		    atomic_compare_exchange_strong(state, &none,
						   WEIR_SLOT_TAKEN)) {
			raise_slots(live, i + 1);
			return i;
		}
	}
	return WEIR_LIVE_NO_CHUNK;
}

/* Who is at it looks once more, so that nobody else's need is left over. */
static int grow(struct weir_live *live)
{
	int err = 0;

	while (!err && spare_units(live) < units_to_spare(live))
		err = add_units(live);
	return err;
}

/*
 * Who finds another adding units waits for them, but not for ever: that one
 * may have been killed. Then nobody waits again, unless units do come.
 */
uint32_t weir_pool_take_slot(void)
{
	struct timespec wait = { .tv_nsec = GROWTH_WAIT };
	struct weir_live *live = weir_pool_live();
	uint32_t slot;

	for (int i = 0; i < GROWTH_WAITS; i++) {
		int err;

		slot = find_slot(live);
		err = grow(live);
		if (slot != WEIR_LIVE_NO_CHUNK)
			return slot;
		if (!err || spare_units(live))
			continue; /* others were faster: again */
		if (err == -ENOMEM || in_vain)
			return WEIR_LIVE_NO_CHUNK;
		weir_sys2(SYS_nanosleep, &wait, 0);
	}
	in_vain = true;
	return WEIR_LIVE_NO_CHUNK;
}
