/* SPDX-License-Identifier: BSD-3-Clause */
/* The acts of a program that looks closely at itself and at its files. */
#ifndef ACTOR_H
#define ACTOR_H

#include <stddef.h>

struct actor {
	const char *name;
	int (*act)(int argc, char **argv); /* the status to exit with */
};

/* Each ends with an empty row. */
extern const struct actor actor_state[];
extern const struct actor actor_files[];
extern const struct actor actor_threads[];
extern const struct actor actor_processes[];
extern const struct actor actor_rights[];
extern const struct actor actor_filters[];

/* Whole or not at all; 0 or -1. */
int actor_put(int fd, const char *text);

/* Make a file NAME and number of these contents; 0 or -1. */
int actor_file(const char *name, int number, const char *text);

/* Print what a call returned, and the reason when it failed. */
void actor_tell(const char *what, long long value);

/* Wait for one child and print how it ended. */
void actor_reap(const char *what, int pid);

#endif
