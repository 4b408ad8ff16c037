/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fuzzer for parsers that take a microsecond, where libFuzzer itself takes
 * ten: it changes inputs by the target's own mutator, keeps those that reach
 * branches, or numbers of passes, that no other has, and counts. It needs the
 * same objects as libFuzzer (-fsanitize=fuzzer-no-link) and a sanitizer.
 *
 * swift_NAME SECONDS LONGEST FINDS-PREFIX CORPUS [SEEDS]...
 */
#include "bytewise.h"
#include "target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#define PATIENCE 60 /* seconds of processor that one input may take */
#define INPUTS	 8192
#define KEPT	 (64u << 20) /* bytes of inputs in all */
#define LATEST	 64	     /* inputs that are tried more often */
#define SLACK	 64	     /* bytes behind an input, never its own */

struct input {
	uint8_t *bytes;
	size_t size;
	uint64_t cost; /* nanoseconds that it took */
};

static struct input inputs[INPUTS];
static size_t input_count, kept_bytes;
static uint64_t all_costs;

static uint64_t executions, features, ticks_of_one;
static const char *finds_prefix;
static size_t now_size;

/* --- what a run reaches ------------------------------------------------ */

static uint8_t *counters, *counters_end, *seen;

void __sanitizer_cov_8bit_counters_init(char *begin, char *end);
void __sanitizer_cov_pcs_init(const uintptr_t *begin, const uintptr_t *end);

/* One module: targets are linked with archives, one alone with a library. */
void __sanitizer_cov_8bit_counters_init(char *begin, char *end)
{
	if (end - begin <= counters_end - counters)
		return;
	counters = (uint8_t *)begin;
	counters_end = (uint8_t *)end;
}

void __sanitizer_cov_pcs_init(const uintptr_t *begin, const uintptr_t *end)
{
}

#define NO_TRACE(name, type)                                                   \
	void name(type a, type b);                                             \
	void name(type a, type b)                                              \
	{                                                                      \
	}

NO_TRACE(__sanitizer_cov_trace_cmp1, uint8_t)
NO_TRACE(__sanitizer_cov_trace_cmp2, uint16_t)
NO_TRACE(__sanitizer_cov_trace_cmp4, uint32_t)
NO_TRACE(__sanitizer_cov_trace_cmp8, uint64_t)
NO_TRACE(__sanitizer_cov_trace_const_cmp1, uint8_t)
NO_TRACE(__sanitizer_cov_trace_const_cmp2, uint16_t)
NO_TRACE(__sanitizer_cov_trace_const_cmp4, uint32_t)
NO_TRACE(__sanitizer_cov_trace_const_cmp8, uint64_t)

/* 1, 2, 3, 4 to 7, ... passes: one bit each. */
static uint8_t class_of(uint8_t passes)
{
	if (passes < 4)
		return (uint8_t)(1u << (passes - 1));
	if (passes < 8)
		return 8;
	if (passes < 16)
		return 16;
	if (passes < 32)
		return 32;
	return passes < 128 ? 64 : 128;
}

static unsigned note_counter(size_t i)
{
	uint8_t class = class_of(counters[i]);
	unsigned is_new = !(seen[i] & class);

	seen[i] |= class;
	return is_new;
}

/* Most are 0, so they are looked at by 64. */
static bool are_zero(const uint8_t *some)
{
	uint64_t words[8], any = 0;

	memcpy(words, some, sizeof(words));
	for (int i = 0; i < 8; i++)
		any |= words[i];
	return !any;
}

/* How much is new. */
static unsigned take_counters(void)
{
	size_t count = (size_t)(counters_end - counters), end;
	unsigned is_new = 0;

	for (size_t i = 0; i < count; i = end) {
		end = i + 64;
		if (end <= count && are_zero(counters + i))
			continue;
		for (size_t k = i; k < end && k < count; k++)
			if (counters[k])
				is_new += note_counter(k);
	}
	return is_new;
}

static size_t edges(void)
{
	size_t n = 0;

	for (size_t i = 0; i < (size_t)(counters_end - counters); i++)
		n += !!seen[i];
	return n;
}

/* --- inputs ------------------------------------------------------------ */

static void write_input(const char *prefix, const uint8_t *bytes, size_t size)
{
	char path[4096];
	uint64_t name = size;
	int fd;

	for (size_t i = 0; i < size; i++)
		name = (name ^ bytes[i]) * UINT64_C(0x100000001b3);
	snprintf(path, sizeof(path), "%s%016llx", prefix,
		 (unsigned long long)name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		perror(path);
	if (fd >= 0)
		close(fd);
}

/*
 * An input stands at the start of the room, and what is behind it is poisoned,
 * so that a read beyond is seen.
 */
static uint8_t *room;
static size_t longest;

static unsigned run(size_t size)
{
	unsigned is_new;

	__asan_poison_memory_region(room + size, longest + SLACK - size);
	now_size = size;
	__atomic_store_n(&ticks_of_one, 0, __ATOMIC_RELAXED);
	memset(counters, 0, (size_t)(counters_end - counters));
	LLVMFuzzerTestOneInput(room, size);
	executions++;
	__asan_unpoison_memory_region(room + size, longest + SLACK - size);
	is_new = take_counters();
	features += is_new;
	return is_new;
}

static uint64_t nanoseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* What is in the room; it is run once more, uncounted, to know its cost. */
static void keep(size_t size)
{
	struct input *input = &inputs[input_count];

	if (input_count == INPUTS || kept_bytes + size > KEPT)
		return;
	input->bytes = malloc(size + !size);
	must(!!input->bytes);
	memcpy(input->bytes, room, size);
	input->size = size;
	input->cost = nanoseconds();
	LLVMFuzzerTestOneInput(input->bytes, size);
	input->cost = nanoseconds() - input->cost;
	input_count++;
	kept_bytes += size;
	all_costs += input->cost;
}

/* Whoever else fuzzes may have replaced it by a shorter one. */
static void load_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, room, longest);

	if (fd >= 0)
		close(fd);
	if (size >= 0 && run((size_t)size))
		keep((size_t)size);
}

static void load_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[4096];

	must(!!dir);
	while ((entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.')
			load_file(name);
	}
	closedir(dir);
}

/* --- the end of a bad one ---------------------------------------------- */

static void on_death(void)
{
	__asan_unpoison_memory_region(room, longest + SLACK);
	write_input(finds_prefix, room, now_size);
	printf("executions %llu\n", (unsigned long long)executions);
	fflush(stdout);
}

static void on_tick(int signal)
{
	if (__atomic_add_fetch(&ticks_of_one, 1, __ATOMIC_RELAXED) > PATIENCE)
		abort(); /* the sanitizer shows where, then on_death */
}

static void watch(void)
{
	static const struct itimerval second = {{1, 0}, {1, 0}};
	struct sigaction action = {.sa_handler = on_tick,
				   .sa_flags = SA_RESTART};

	__sanitizer_set_death_callback(on_death);
	must(!sigaction(SIGPROF, &action, NULL));
	must(!setitimer(ITIMER_PROF, &second, NULL));
}

/* --- the way through --------------------------------------------------- */

static const struct input *choose_any(void)
{
	size_t latest = input_count < LATEST ? input_count : LATEST;

	if (bytewise_draw(2))
		return &inputs[input_count - 1 - bytewise_draw(latest)];
	return &inputs[bytewise_draw(input_count)];
}

/* What costs more than others has its turn less often. */
static const struct input *choose(void)
{
	const struct input *input = choose_any();

	for (int tries = 0; tries < 4; tries++) {
		if (input->cost * input_count <= 2 * all_costs)
			break;
		input = choose_any();
	}
	return input;
}

static size_t change(void)
{
	const struct input *input = choose();
	const struct input *other = &inputs[bytewise_draw(input_count)];
	unsigned seed = (unsigned)bytewise_draw(UINT32_MAX);
	size_t size;

	if (bytewise_draw(16) == 0) {
		size = LLVMFuzzerCustomCrossOver(input->bytes, input->size,
						 other->bytes, other->size,
						 room, longest, seed);
		if (size)
			return size;
	}
	memcpy(room, input->bytes, input->size);
	return LLVMFuzzerCustomMutator(room, input->size, longest, seed);
}

static void fuzz(uint64_t until, const char *prefix)
{
	while (nanoseconds() < until) {
		for (int turn = 0; turn < 16; turn++) {
			size_t size = change();

			if (!run(size))
				continue;
			keep(size);
			write_input(prefix, room, size);
		}
	}
}

int main(int argc, char **argv)
{
	char prefix[4096];
	uint64_t until;

	if (argc < 5) {
		fputs("usage: SECONDS LONGEST FINDS CORPUS [SEEDS]...\n",
		      stderr);
		return 2;
	}
	until = nanoseconds() + strtoull(argv[1], NULL, 10) * 1000000000;
	longest = strtoull(argv[2], NULL, 10);
	finds_prefix = argv[3];
	seen = calloc(1, (size_t)(counters_end - counters) + 1);
	room = malloc(longest + SLACK);
	must(counters && seen && room);
	watch();
	bytewise_seed((uint64_t)getpid() << 32 ^ until);
	run(0);
	*room = '\n';
	keep(1);
	for (int i = 4; i < argc; i++)
		load_directory(argv[i]);
	snprintf(prefix, sizeof(prefix), "%s/", argv[4]);
	fuzz(until, prefix);
	printf("executions %llu\nprocessor %.1f\ncov: %zu ft: %llu corp: %zu\n",
	       (unsigned long long)executions, (double)clock() / CLOCKS_PER_SEC,
	       edges(), (unsigned long long)features, input_count);
	return 0;
}
