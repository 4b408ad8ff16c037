/* SPDX-License-Identifier: BSD-3-Clause */
/* What the threads of a made program do, call by call. */
#ifndef WEIR_BENCH_EVENTMIX_H
#define WEIR_BENCH_EVENTMIX_H

#include "madetrace.h"

#include <stdint.h>

struct actor;

/* Something that programs do. */
struct pattern {
	const char *name;
	uint32_t weight; /* how often it is chosen */
	uint32_t length; /* how often it is then repeated, at most */
	void (*step)(struct actor *actor);
};

struct sum {
	unsigned long long calls, failed, bytes;
};

struct world {
	const char *dir;
	uint64_t events;
	uint32_t processes, threads, files, hosts, seed;
	uint32_t shared; /* of the files, the first ones */
	uint8_t *is_used; /* by number of the file; then: the one asked for */
	struct sum sums[UINT16_MAX + 1]; /* by call */
};

struct process {
	struct world *world;
	struct made_process info;
	struct actor *actors;
	uint32_t handles; /* given so far */
	uint32_t opened;  /* files of its own, so far */
	uint32_t bout;    /* calls while a file is open */
};

/* A thread. */
struct actor {
	struct rawmaker maker;
	struct process *process;
	uint64_t left; /* events to make */
	uint32_t random;
	uint32_t handle; /* of its open file; 0: none */
	uint32_t bout;   /* calls until it is closed */
	const struct pattern *pattern;
	uint32_t phrase; /* calls until another pattern is chosen */
	uint32_t size;   /* of the pattern's calls */
	int64_t pos;     /* of the open file */
	uint64_t records; /* written to shared files */
	uint64_t again;   /* calls repeated */
};

/* Ends with one that has no name. */
extern struct pattern eventmix_patterns[];

/* How many files a process has for itself. */
uint32_t eventmix_own_files(const struct world *world, uint32_t rank);

/* The first calls of a process: one for MPI, and the one that this makes. */
void eventmix_open_shared(struct actor *actor, uint32_t file);

/* The next call of a thread, or two when one makes the other. */
void eventmix_step(struct actor *actor);

#endif
