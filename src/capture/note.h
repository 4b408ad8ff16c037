/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that are not calls: losses, and what descriptors stand for. */
#ifndef WEIR_CAPTURE_NOTE_H
#define WEIR_CAPTURE_NOTE_H

#include "capture/thread.h"
#include "trace/layout/trace_layout.h"

struct weir_note_handle {
	uint32_t handle;
	int fd;
	enum weir_handle_origin origin;
	uint32_t base;
	uint64_t mode, device, inode;
	const char *path; /* may be NULL */
};

/* First words of a thread's first chunk; tells the working directory. */
void weir_note_greet(struct weir_thread *t);

/*
 * All below write into the chunk of a BUSY thread. What cannot be written
 * is only a name: events still carry the handle.
 */
void weir_note_tell_handle(struct weir_thread *t,
			   const struct weir_note_handle *handle);
void weir_note_loss(struct weir_thread *t);
void weir_note_entered(struct weir_thread *t, uint32_t depth);

/* Tells the sums of a place, which may then be used for others. */
bool weir_note_sum(struct weir_thread *t, struct weir_sum *sum);

/* The handle of the working directory of this process. */
extern _Atomic uint32_t weir_note_cwd;

/* The handle that paths relative to dirfd start from; 0: not known. */
uint32_t weir_note_base(int dirfd);

/*
 * Find out what an unknown descriptor stands for: one fstat and readlink.
 * Returns its new entry in the descriptor map, 0 when it is not open.
 */
uint64_t weir_note_identify(struct weir_thread *t, int fd);

/* The same for a thread that is BUSY already, and stays so. */
uint64_t weir_note_find(struct weir_thread *t, int fd);

#endif
