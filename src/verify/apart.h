/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Has a process apart do work that calls libraries that a damaged file
 * may bring down or keep busy for ever.
 */
#ifndef WEIR_VERIFY_APART_H
#define WEIR_VERIFY_APART_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WEIR_APART_BYTES 512 /* the longest question or answer */

/* Zero it and set the first two to begin. */
struct weir_apart {
	/* Answers in the other process; calls weir_apart_beat() meanwhile. */
	void (*work)(void *context, const void *question, void *answer);
	void *context;
	pid_t pid;
	int fd; /* to the other process, if pid is not 0 */
};

/*
 * Asks, and waits for the answer: 0; -EPIPE: the process died of it; -ETIME:
 * nothing was heard of it for long; or another -errno. Afterwards there is a
 * new process for the next question.
 */
int weir_apart_ask(struct weir_apart *apart, const void *question,
		   void *answer);

/* Still at work; of the process apart. */
void weir_apart_beat(struct weir_apart *apart);

void weir_apart_fini(struct weir_apart *apart);

#endif
