/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scripts of calls on files. Each says what every call returned, so that what
 * two runs say can be compared; nothing that differs between runs is said.
 */
#ifndef WEIR_TESTS_SCRIPT_H
#define WEIR_TESTS_SCRIPT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

struct script {
	const char *name;
	void (*play)(void);
};

extern const struct script data_scripts[], place_scripts[], name_scripts[],
	share_scripts[], process_scripts[], other_scripts[], stdio_scripts[],
	stdio_lives[], handed_scripts[], look_scripts[], bypass_scripts[],
	lock_scripts[];

/* What a call returned, and errno when that was -1. */
#define SAY(call) say(#call, (long)(call))
long say(const char *what, long ret);

void say_text(const char *what, const void *bytes, size_t count);

/* The number is none to be said. */
int open_or_die(const char *path, int flags);

/* Bytes that tell where in a file they belong. */
void fill(void *to, size_t count, size_t from);

/* A file as it is by its descriptor: length, and a sum of all bytes. */
void say_file(const char *what, int fd);

/* Streams: opened; a whole file written and said; where one is. */
FILE *stream_or_die(const char *path, const char *mode);
void put_file(const char *path, const char *text);
void say_path(const char *path);
void say_state(const char *what, FILE *f);

/* Runs in a child of fork, which then ends; its status is waited for. */
pid_t start(void (*play)(int word), int word);
void await(pid_t pid);

/* One process goes on when the other says so. */
struct relay {
	int ends[2];
};
void relay_make(struct relay *relay);
void relay_pass(const struct relay *relay);
void relay_take(const struct relay *relay);

#endif
