/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out how recorded processes ended. */
#ifndef WEIR_COLLECT_ENDS_H
#define WEIR_COLLECT_ENDS_H

#include "trace/live/salvage.h"

struct weir_control;

#define WEIR_ENDS_NOTES 64

/*
 * Three tell it: the kernel, through a descriptor of the process (pidfd), for
 * who lived when we saw it first; whoever waited for it and is recorded, or
 * started it (the control file); and that it runs on as another program.
 * A process may have ended, and its last block be written, before we know.
 */
struct weir_ends {
	struct weir_control *control; /* NULL: nobody can tell us */
	int queue_fd; /* has something to read when one ends; or -1 */
	bool hurries; /* the kernel tells only until somebody has waited */
	struct weir_ends_process *processes;
	size_t count, room, open, most_open;
	/* Of processes whose last block is not written yet, or never is. */
	struct weir_ends_note {
		uint32_t pid;
		int status;
		uint64_t when; /* ns of CLOCK_MONOTONIC; 0: none */
	} notes[WEIR_ENDS_NOTES];
	unsigned next_note;
};

void weir_ends_open(struct weir_ends *ends, int control_fd);
void weir_ends_close(struct weir_ends *ends);

/* A process image has come; `image`: programs it ran before. */
int weir_ends_meet(struct weir_ends *ends, const struct weir_live *about,
		   uint32_t image, struct weir_store *store);

/* It is gone: its last PROC block, unless more is learnt of its end. */
int weir_ends_part(struct weir_ends *ends, const struct weir_salvage_proc *proc,
		   struct weir_store *store);

/* Asks again about those that are gone, and tells what is new. */
int weir_ends_look(struct weir_ends *ends, struct weir_store *store);

/* The last time: waits a moment for those that are just ending. */
int weir_ends_finish(struct weir_ends *ends, struct weir_store *store);

/* To be waited for beside other things; -1: there is no need. */
int weir_ends_hurry_fd(const struct weir_ends *ends);

#endif
