/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all I/O kernels share. A kernel's own file holds its pattern alone: it
 * defines `kernel`, and everything else (options, help, timing, comparing,
 * the result line) is done here.
 */
#ifndef WEIR_KERNELS_KERNEL_H
#define WEIR_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_STATUS_WRONG 3 /* the data are not what they should be */

enum kernel_type {
	KERNEL_NUMBER, /* K, M and G stand for 2^10, 2^20 and 2^30 */
	KERNEL_FLAG,
	KERNEL_CHOICE, /* one of `words`, separated by | */
};

/* One option; `number` has its default and then its value. */
struct kernel_option {
	const char *name;
	const char *argument; /* how help calls it; of a choice, the words */
	const char *help;
	enum kernel_type type;
	int64_t number;	 /* of a flag 0 or 1, of a choice which word */
	int64_t lowest;	 /* of a number */
	int64_t highest; /* 0: any */
};

/* Where the time goes. All but COMPUTE is I/O. */
enum kernel_phase {
	KERNEL_OPEN,
	KERNEL_WRITE,
	KERNEL_READ,
	KERNEL_CLOSE,
	KERNEL_COMPUTE,
	KERNEL_PHASES,
};

struct kernel_run {
	int rank, ranks;
	const char *path;
	uint64_t bytes;	   /* that this rank has written or read */
	uint64_t compared; /* bytes, by this rank */
	uint64_t wrong;	   /* of those */
	double since;
	double spent[KERNEL_PHASES]; /* seconds of this rank */
	double wall;		     /* beginning to end, what it computes too */
};

struct kernel {
	const char *name;
	const char *summary; /* one line */
	const char *pattern; /* for --help: what it writes, and in which order */
	const char *source;  /* where that is told */
	struct kernel_option *options; /* ends with a name of NULL */

	/* NULL, or what is wrong with the options. */
	const char *(*refuse)(const struct kernel_run *run);
	void (*act)(struct kernel_run *run);
	/* Read what act has written, in another way, and compare. */
	void (*compare)(struct kernel_run *run);
};

extern struct kernel kernel; /* the program's */

/* Say what went wrong and end all ranks. */
void kernel_fail(const struct kernel_run *run, const char *what, ...)
	__attribute__((format(printf, 2, 3), noreturn));

void *kernel_memory(const struct kernel_run *run, uint64_t bytes);

/* Time from start to stop is spent on a phase. */
void kernel_start(struct kernel_run *run);
void kernel_stop(struct kernel_run *run, enum kernel_phase phase);

/* The computer does something else than I/O for so many seconds. */
void kernel_compute(struct kernel_run *run, double seconds);

#endif
