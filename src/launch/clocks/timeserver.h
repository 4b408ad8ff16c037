/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the collectors of other hosts the time, by packets of UDP. */
#ifndef WEIR_CLOCKS_TIMESERVER_H
#define WEIR_CLOCKS_TIMESERVER_H

#include "launch/clocks/timecard.h"

#include <pthread.h>
#include <stdbool.h>

/* Zero it to begin. */
struct weir_timeserver {
	struct weir_timecard card;
	bool is_open, is_running;
	int fd, stop_fd;
	pthread_t thread;
	char path[PATH_MAX];
};

/*
 * Whether processes of this trace may be on other hosts: the command (may be
 * NULL) is a launcher, or the environment is that of a parallel job.
 */
bool weir_timeserver_is_wanted(const char *command);

/* Takes a port and leaves the card. -EEXIST: another one tells the time. */
int weir_timeserver_open(struct weir_timeserver *server,
			 const struct weir_tracedir *place);

/* Answers from now on, in a thread of its own. */
int weir_timeserver_start(struct weir_timeserver *server);

/* Takes the card away and ends; works on a zeroed one, too. */
void weir_timeserver_close(struct weir_timeserver *server);

#endif
