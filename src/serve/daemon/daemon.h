/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The daemon: its first thread hears who connects, answers the supervisor's
 * pings, and waits for ends of programs. All else is done by other threads.
 */
#ifndef WEIR_DAEMON_DAEMON_H
#define WEIR_DAEMON_DAEMON_H

struct weir_daemon_door {
	int listening; /* clients connect here */
	int above;     /* to the supervisor: its pings */
	int holds;     /* the same: descriptors to keep */
	int report;    /* to who started the service, if we outlive it */
	int log;       /* where messages go when it has begun; -1: none */
};

/* Never returns. Exits with 0 when all was done that there was to do. */
void weir_daemon_run(const struct weir_daemon_door *door)
	__attribute__((noreturn));

#endif
