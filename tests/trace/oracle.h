/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: what the oracle program can be asked to do. */
#ifndef ORACLE_H
#define ORACLE_H

#include "oracle_book.h"
#include "oracle_tell.h"

#include "../lib/raw.h"

#define ELEMENTS(table) (sizeof(table) / sizeof((table)[0]))

/* `count` is the scenario's own measure, from the command line. */
struct scenario {
	const char *name;
	void (*play)(long count);
};

extern const struct scenario oracle_opens[], oracle_transfers[],
	oracle_marks[], oracle_copies[], oracle_threads[], oracle_processes[],
	oracle_signals[], oracle_names[], oracle_attributes[], oracle_found[],
	oracle_dirs[], oracle_aio[], oracle_libaio[], oracle_uring[];

/* The program itself, as it was started, and where. */
extern const char *oracle_self, *oracle_dir;

/* A pointer to nothing; in a variable, so that the compiler does not know. */
extern void *oracle_nowhere;

/* A file of `bytes` bytes made behind everybody's back, untold. */
void oracle_make_file(const char *path, size_t bytes);
void oracle_make_dir(const char *path);
void oracle_make_link(const char *target, const char *path);

#endif
