/* SPDX-License-Identifier: BSD-3-Clause */
/* A liar's files that are not born, all in one directory. */
#ifndef UNBORN_H
#define UNBORN_H

#include "liar.h"

struct unborn {
	struct talk talk;
	int parent;
	int memory;    /* of the last one; -1: it was refused */
	uint32_t open; /* the same */
};

/* Attaches, and opens the liar's folder. */
void unborn_begin(struct unborn *unborn, struct liar *liar);
/* 0 or -errno, as the daemon says. */
int unborn_try(struct unborn *unborn, const char *path, uint32_t flags);
/* One of its own; fails the program if it is refused. */
void unborn_make(struct unborn *unborn, const char *name);
void unborn_close(struct unborn *unborn);

#endif
