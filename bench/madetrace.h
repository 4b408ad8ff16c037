/* SPDX-License-Identifier: BSD-3-Clause */
/* What made traces have in common: heads, processes and some chance. */
#ifndef WEIR_BENCH_MADETRACE_H
#define WEIR_BENCH_MADETRACE_H

#include "rawmaker.h"
#include "trace/file/store.h"

#include <stdint.h>

/* Ends the program when err is set. */
void made_check(int err, const char *what);

/* The HEAD block, and then the dictionary of all calls. */
void made_head(struct weir_store *store, uint32_t host);

/* A moment of a host's clock, so many ns after the first of all. */
uint64_t made_moment(uint32_t host, uint64_t ns);

struct made_process {
	uint32_t proc;    /* number in its file */
	uint32_t rank;
	uint32_t ranks;   /* 0: no program of MPI */
	uint32_t threads;
	uint64_t begin;   /* ticks */
};

void made_process(struct weir_store *store,
		  const struct made_process *process, const char *state);

/* What stat tells of a file. */
void made_stat(struct rawmaker_detail *detail, uint32_t file);

/* The same numbers on every machine; below 1 << 24. */
static inline uint32_t made_chance(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525 + 1013904223;
	return (*random >> 8) % below;
}

#endif
