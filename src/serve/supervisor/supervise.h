/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks after daemons, in a process that never ends before they do. */
#ifndef WEIR_SUPERVISOR_SUPERVISE_H
#define WEIR_SUPERVISOR_SUPERVISE_H

#include "serve/state/setup.h"

struct weir_supervise_order {
	struct weir_setup *setup;
	int door, above; /* sockets that listen */
	int life; /* closed when who started us has ended; -1: detached */
	int report;	 /* to who started us */
	int log;
};

void weir_supervise(const struct weir_supervise_order *order)
	__attribute__((noreturn));

#endif
