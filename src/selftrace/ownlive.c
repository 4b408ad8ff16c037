/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the live file of this process, and gives out its parts. */
#include "selftrace/ownlive.h"

#include "trace/layout/anchor.h"
#include "trace/facts/procstat.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A batch of small writes is told at once: the collector cannot be faster. */
#define FIRST_UNITS 2048
#define FEW_UNITS   128
#define NAME_TRIES  1000

static uint8_t *base; /* NULL: there is no live file */
static uint32_t backed;
static _Atomic uint32_t hint;

struct weir_live *weir_ownlive_live(void)
{
	return (struct weir_live *)base;
}

static uint64_t offset_of(uint32_t unit)
{
	return WEIR_LIVE_HEAD_BYTES + (uint64_t)unit * WEIR_LIVE_UNIT_BYTES;
}

struct weir_slot *weir_ownlive_slot(uint32_t unit)
{
	return (struct weir_slot *)(base + offset_of(unit));
}

struct weir_chunk_head *weir_ownlive_chunk(uint32_t unit)
{
	return (struct weir_chunk_head *)(base + offset_of(unit) +
					  WEIR_LIVE_SLOT_BYTES);
}

bool weir_ownlive_counts(void)
{
	return weir_ownlive_live()->clock_is_tsc;
}

/* As the programs decide it: all processes of a trace have one clock. */
static bool kernel_trusts_counter(void)
{
	char text[16] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/"
		      "current_clocksource", O_RDONLY | O_CLOEXEC);
	bool is_read;

	if (fd < 0)
		return false;
	is_read = read(fd, text, sizeof(text) - 1) > 0;
	close(fd);
	return is_read && (!strncmp(text, "tsc", 3) ||
			   !strncmp(text, "arch_sys", 8));
}

static int create_file(const char *directory, char path[PATH_MAX])
{
	int fd = -1;

	for (int n = 0; n < NAME_TRIES; n++) {
		if (snprintf(path, PATH_MAX, "%s/%d-%d.live", directory,
			     (int)getpid(), n) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC |
				O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd < 0 ? -errno : fd;
}

/* Memory that is not there kills who writes to it: it is taken first. */
static int back_units(int fd)
{
	backed = FIRST_UNITS;
	if (!fallocate(fd, 0, 0, (off_t)offset_of(backed)))
		return 0;
	backed = FEW_UNITS;
	return fallocate(fd, 0, 0, (off_t)offset_of(backed)) ? -errno : 0;
}

static int map_file(int fd)
{
	size_t size = offset_of(WEIR_LIVE_UNITS);
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	madvise(at, size, MADV_DONTFORK);
	base = at;
	return 0;
}

/* What has no room is left out. */
static void add_trait(struct weir_live *live,
		      const struct weir_ownlive_trait *trait)
{
	uint32_t used = atomic_load(&live->traits_bytes);
	size_t key = strlen(trait->key) + 1, value = strlen(trait->value) + 1;

	if (used + key + value > sizeof(live->traits))
		return;
	memcpy(live->traits + used, trait->key, key);
	memcpy(live->traits + used + key, trait->value, value);
	atomic_store(&live->traits_bytes, used + (uint32_t)(key + value));
}

static void describe_process(struct weir_live *live,
			     const struct weir_ownlive_title *title)
{
	live->version = 1;
	live->pid = (uint32_t)getpid();
	live->ppid = (uint32_t)getppid();
	live->uid = (uint32_t)getuid();
	live->process_start = weir_procstat_start(live->pid);
	gethostname(live->host, sizeof(live->host) - 1);
	if (readlink("/proc/self/exe", live->exe, sizeof(live->exe) - 1) < 0)
		live->exe[0] = '\0';
	if (!getcwd(live->cwd, sizeof(live->cwd)))
		live->cwd[0] = '\0';
	snprintf(live->args, sizeof(live->args), "%s", title->name);
	live->args_bytes = (uint32_t)strlen(live->args) + 1;
	for (const struct weir_ownlive_trait *at = title->traits; at->key; at++)
		add_trait(live, at);
}

/* The magic is last: who sees it sees all the rest. */
static void fill_live(struct weir_live *live)
{
	uint64_t magic;

	live->clock_is_tsc = kernel_trusts_counter();
	live->units_wanted = WEIR_LIVE_UNITS;
	live->first = weir_anchor_now(live->clock_is_tsc);
	for (uint32_t i = 0; i < backed; i++)
		atomic_fetch_or(&live->free[i / 64], UINT64_C(1) << i % 64);
	atomic_store(&live->ready, backed);
	live->second = weir_anchor_now(live->clock_is_tsc);
	memcpy(&magic, WEIR_LIVE_MAGIC, sizeof(magic));
	__atomic_store_n((uint64_t *)live->magic, magic, __ATOMIC_RELEASE);
}

int weir_ownlive_open(const struct weir_ownlive_title *title)
{
	char path[PATH_MAX];
	int fd = create_file(title->directory, path), err;

	if (fd < 0)
		return fd;
	err = back_units(fd);
	if (!err)
		err = map_file(fd);
	close(fd);
	if (err) {
		unlink(path);
		return err;
	}
	describe_process(weir_ownlive_live(), title);
	fill_live(weir_ownlive_live());
	return 0;
}

static uint32_t usable_units(void)
{
	uint32_t ready = atomic_load_explicit(&weir_ownlive_live()->ready,
					      memory_order_acquire);

	return ready < WEIR_LIVE_UNITS ? ready : WEIR_LIVE_UNITS;
}

static uint32_t take_bit(_Atomic uint64_t *word, uint32_t number)
{
	uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);

	for (; bits; bits &= bits - 1) {
		uint64_t bit = bits & -bits;

		if (!(atomic_fetch_and(word, ~bit) & bit))
			continue;
		atomic_store_explicit(&hint, number, memory_order_relaxed);
		return number * 64 + (uint32_t)__builtin_ctzll(bit);
	}
	return WEIR_LIVE_NO_CHUNK;
}

uint32_t weir_ownlive_take_chunk(void)
{
	uint32_t words = (usable_units() + 63) / 64;
	uint32_t first = atomic_load_explicit(&hint, memory_order_relaxed);

	for (uint32_t i = 0; i < words; i++) {
		uint32_t number = (first + i) % words;
		uint32_t unit =
			take_bit(&weir_ownlive_live()->free[number], number);

		if (unit != WEIR_LIVE_NO_CHUNK)
			return unit;
	}
	return WEIR_LIVE_NO_CHUNK;
}

static void raise_slots(uint32_t slots)
{
	_Atomic uint32_t *used = &weir_ownlive_live()->slots;
	uint32_t seen = atomic_load(used);

	while (seen < slots &&
	       !atomic_compare_exchange_weak(used, &seen, slots))
		;
}

uint32_t weir_ownlive_take_slot(void)
{
	uint32_t units = usable_units();

	for (uint32_t i = 0; i < units; i++) {
		uint32_t none = WEIR_SLOT_FREE;

		if (!atomic_compare_exchange_strong(
			    &weir_ownlive_slot(i)->state, &none,
			    WEIR_SLOT_TAKEN))
			continue;
		raise_slots(i + 1);
		return i;
	}
	return WEIR_LIVE_NO_CHUNK;
}

/*
 * Who gets it next is told by the collector, another process. To those who
 * look at this one alone, the word in between says the same.
 */
void weir_ownlive_hand_over(uint32_t unit)
{
	atomic_fetch_or_explicit(&weir_ownlive_live()->free[unit / 64], 0,
				 memory_order_release);
	atomic_fetch_or_explicit(&weir_ownlive_live()->full[unit / 64],
				 UINT64_C(1) << unit % 64,
				 memory_order_release);
}
