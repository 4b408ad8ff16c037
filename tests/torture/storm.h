/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that do what wears a recorder down, and know what they did. */
#ifndef STORM_H
#define STORM_H

#include "tally.h"

#include <pthread.h>

struct storm {
	const char *name;
	int (*run)(long count, char **argv); /* the status */
};

/* Each ends with an empty row. */
extern const struct storm storm_processes[];
extern const struct storm storm_signals[];
extern const struct storm storm_threads[];
extern const struct storm storm_jumps[];
extern const struct storm storm_descriptors[];
extern const struct storm storm_plugins[];

extern char storm_self[4096];  /* this program */
extern char storm_page[4096];  /* the tally's path */

/* Threads that do I/O on files of their own until they are told to stop. */
struct storm_noise {
	pthread_t threads[16];
	int count;
	_Atomic int stop;
};
void storm_start_noise(struct storm_noise *noise, int count);
void storm_stop_noise(struct storm_noise *noise);

/* Write at an offset and read it back; counts what is wrong. */
void storm_touch(int fd, long number);

/* Descriptors that are open now, found without a counted call. */
int storm_count_open(void);

#endif
