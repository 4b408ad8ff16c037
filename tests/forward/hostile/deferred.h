/* SPDX-License-Identifier: BSD-3-Clause */
/* A liar's deferred files, all in one directory. */
#ifndef DEFERRED_H
#define DEFERRED_H

#include "liar.h"

struct deferred {
	struct talk talk;
	int parent;
	int memory;    /* of the last one; -1: it was refused */
	uint32_t open; /* the same */
};

/* Attaches, and opens the liar's folder. */
void deferred_begin(struct deferred *deferred, struct liar *liar);
/* 0 or -errno, as the daemon says. */
int deferred_try(struct deferred *deferred, const char *path, uint32_t flags);
/* One of its own; fails the program if it is refused. */
void deferred_make(struct deferred *deferred, const char *name);
void deferred_close(struct deferred *deferred);

#endif
