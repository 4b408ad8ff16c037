/* SPDX-License-Identifier: BSD-3-Clause */
/* What all I/O kernels share: the course of a run, its times and result. */
#include "kernel.h"

#include "choices.h"
#include "comm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_fail(const struct kernel_run *run, const char *what, ...)
{
	va_list args;

	fprintf(stderr, "%s: rank %d: ", kernel.name, run->rank);
	va_start(args, what);
	vfprintf(stderr, what, args);
	va_end(args);
	fputc('\n', stderr);
	kernel_comm_abort(1);
}

void *kernel_memory(const struct kernel_run *run, uint64_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);

	if (!memory)
		kernel_fail(run, "no memory for %llu bytes",
			    (unsigned long long)bytes);
	return memory;
}

void kernel_start(struct kernel_run *run)
{
	run->since = kernel_comm_now();
}

void kernel_stop(struct kernel_run *run, enum kernel_phase phase)
{
	run->spent[phase] += kernel_comm_now() - run->since;
}

void kernel_compute(struct kernel_run *run, double seconds)
{
	volatile double work = 0;

	kernel_start(run);
	while (kernel_comm_now() - run->since < seconds)
		for (int i = 0; i < 1000; i++)
			work = work * 0.5 + i;
	kernel_stop(run, KERNEL_COMPUTE);
}

/* Over all ranks: sums of bytes, the longest times. */
struct result {
	unsigned long long bytes, compared, wrong;
	double spent[KERNEL_PHASES];
	double io;   /* the slowest rank's: open, transfers and close */
	double wall; /* the slowest rank's: all that it does */
};

static struct result gather(const struct kernel_run *run)
{
	uint64_t sums[] = { run->bytes, run->compared, run->wrong };
	struct result result = { .wall = run->wall };

	for (int i = 0; i < KERNEL_PHASES; i++) {
		result.spent[i] = run->spent[i];
		if (i != KERNEL_COMPUTE)
			result.io += run->spent[i];
	}
	kernel_comm_sum(sums, 3);
	kernel_comm_longest(result.spent, KERNEL_PHASES);
	kernel_comm_longest(&result.io, 1);
	kernel_comm_longest(&result.wall, 1);
	result.bytes = sums[0];
	result.compared = sums[1];
	result.wrong = sums[2];
	return result;
}

static double mib_per_second(const struct result *result)
{
	return result->io > 0 ? (double)result->bytes / 0x1p20 / result->io : 0;
}

static void print_text(const struct kernel_run *run, const struct result *r)
{
	if (r->bytes)
		printf("%s: %d ranks, %llu bytes in %.6f s (open %.6f, "
		       "write %.6f, read %.6f, close %.6f), %.1f MiB/s\n",
		       kernel.name, run->ranks, r->bytes, r->io,
		       r->spent[KERNEL_OPEN], r->spent[KERNEL_WRITE],
		       r->spent[KERNEL_READ], r->spent[KERNEL_CLOSE],
		       mib_per_second(r));
	if (r->wrong)
		printf("%s: WRONG: %llu of %llu bytes compared\n", kernel.name,
		       r->wrong, r->compared);
	else if (r->compared)
		printf("%s: verified: %llu bytes\n", kernel.name, r->compared);
}

static void print_json(const struct kernel_run *run, const struct result *r)
{
	printf("{\"kernel\": \"%s\", \"ranks\": %d, \"bytes\": %llu, "
	       "\"seconds\": %.9f, \"open\": %.9f, \"write\": %.9f, "
	       "\"read\": %.9f, \"close\": %.9f, \"compute\": %.9f, "
	       "\"wall\": %.9f, \"mib_per_s\": %.3f, \"compared\": %llu, "
	       "\"wrong\": %llu}\n",
	       kernel.name, run->ranks, r->bytes, r->io,
	       r->spent[KERNEL_OPEN], r->spent[KERNEL_WRITE],
	       r->spent[KERNEL_READ], r->spent[KERNEL_CLOSE],
	       r->spent[KERNEL_COMPUTE], r->wall, mib_per_second(r),
	       r->compared, r->wrong);
}

static void act(struct kernel_run *run)
{
	double start;

	kernel_comm_meet();
	start = kernel_comm_now();
	kernel.act(run);
	run->wall = kernel_comm_now() - start;
}

/* Its times and bytes are not the kernel's. */
static void compare(struct kernel_run *run)
{
	struct kernel_run apart = *run;

	kernel_comm_meet();
	kernel.compare(&apart);
	run->compared = apart.compared;
	run->wrong = apart.wrong;
}

static int work(struct kernel_run *run, const struct kernel_choices *choices)
{
	struct result result;

	if (!choices->check_only)
		act(run);
	if (choices->check_only || choices->verify)
		compare(run);
	result = gather(run);
	if (!run->rank)
		(choices->json ? print_json : print_text)(run, &result);
	if (choices->verify || choices->check_only)
		return result.wrong || !result.compared ? KERNEL_STATUS_WRONG
							: 0;
	return 0;
}

int main(int argc, char **argv)
{
	struct kernel_run run = { 0 };
	struct kernel_choices choices;
	int status;

	kernel_comm_begin(&argc, &argv, &run.rank, &run.ranks);
	status = kernel_choices_read(&choices, &run, argc, argv);
	if (status < 0)
		status = work(&run, &choices);
	kernel_comm_end();
	return status;
}
