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

extern const struct scenario oracle_opens[];
extern const struct scenario oracle_transfers[];
extern const struct scenario oracle_marks[];
extern const struct scenario oracle_copies[];
extern const struct scenario oracle_threads[];
extern const struct scenario oracle_processes[];
extern const struct scenario oracle_signals[];
extern const struct scenario oracle_names[];
extern const struct scenario oracle_attributes[];
extern const struct scenario oracle_found[];
extern const struct scenario oracle_dirs[];
extern const struct scenario oracle_maps[];
extern const struct scenario oracle_syscall[];
extern const struct scenario oracle_fresh[];
extern const struct scenario oracle_versions[];
extern const struct scenario oracle_bytes[];
extern const struct scenario oracle_wide[];
extern const struct scenario oracle_places[];
extern const struct scenario oracle_lives[];
extern const struct scenario oracle_aio[];
extern const struct scenario oracle_libaio[];
extern const struct scenario oracle_uring[];
extern const struct scenario oracle_race[];
extern const struct scenario oracle_async_sys[];

/* The program itself, as it was started, and where. */
extern const char *oracle_self, *oracle_dir;

/* A pointer to nothing; in a variable, so that the compiler does not know. */
extern void *oracle_nowhere;

/* A file of `bytes` bytes made behind everybody's back, untold. */
void oracle_make_file(const char *path, size_t bytes);
void oracle_make_dir(const char *path);
void oracle_make_link(const char *target, const char *path);

#endif
