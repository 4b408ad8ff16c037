/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out and records what descriptors stand for. */
#ifndef WEIR_RECORD_FDNAMES_H
#define WEIR_RECORD_FDNAMES_H

#include "capture/memory/thread.h"
#include "trace/layout/trace_layout.h"

struct weir_fdnames_handle {
	uint32_t handle;
	int fd;
	enum weir_handle_origin origin;
	uint32_t base;
	uint64_t mode, device, inode;
	const char *path; /* may be NULL */
};

/* Of the first thread: the directory that the process begins in. */
void weir_fdnames_record_cwd(struct weir_thread *t);

/*
 * Into the chunk of a BUSY thread. What cannot be written is only a name:
 * events still carry the handle.
 */
void weir_fdnames_record(struct weir_thread *t,
			 const struct weir_fdnames_handle *handle);

/*
 * Find out what an unknown descriptor stands for: one fstat and readlink.
 * Returns its new entry in the descriptor map, 0 when it is not open.
 */
uint64_t weir_fdnames_identify(struct weir_thread *t, int fd);

/* The same for a thread that is BUSY already, and stays so. */
uint64_t weir_fdnames_find(struct weir_thread *t, int fd);

#endif
