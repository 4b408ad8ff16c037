/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One case for each call of spec/posix.calls: what it does to a file, said so
 * that two runs can be compared (tests/forward/posix/script.h). Times, numbers
 * of files and descriptors are not said.
 */
#ifndef WEIR_TESTS_CALLS_H
#define WEIR_TESTS_CALLS_H

#include "../posix/script.h"

#include <sys/stat.h>

/* A file, as a case finds it; the working directory is its own. */
struct cell {
	const char *path;
	int fd;	 /* open for reading and writing */
	int dir; /* the directory */
};

struct call {
	const char *name;
	void (*play)(const struct cell *c);
};

extern const struct call open_calls[], data_calls[], copy_calls[], name_calls[],
	look_calls[], mode_calls[], mark_calls[], list_calls[], map_calls[],
	process_calls[];

/* A descriptor that a call returned: whether it did, and of what; closed. */
#define SAY_FD(call) say_fd(#call, call)
void say_fd(const char *what, int fd);

/* Mode, names, owner, length. */
void say_about(const char *what, const struct stat *about);

/* A file by its name: that, and its bytes. */
void say_name(const char *path);

/* A second file, made a moment ago. */
int make_second(const char *path, const char *text);

/* All entries of a directory, in order, with what they are. */
void say_entries(const char *path);

/* Other users do what they may, and what not; --others. */
int play_others(const char *how, char **argv);
int play_as_other(void);

/* All cases in random order, by several processes; --random. */
int play_at_random(unsigned seed, unsigned steps);
const struct call *find_call(const char *name);
const struct call *pick_call(unsigned number);

#endif
