/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defers the creation of files where WEIR_FORWARD says that this can wait. As
 * long as a file is deferred, its descriptors are those of memory that the
 * service has too, and the kernel does what is asked of them, under the lock of
 * the open file. It is materialised after a while, or when something is asked
 * that only the file itself can do: then the file takes the memory's place.
 */
#ifndef WEIR_DEFERRED_DEFERRAL_H
#define WEIR_DEFERRED_DEFERRAL_H

#include "forward/link/switches.h"
#include "gate/fdtable.h"

struct stat;
struct weir_transfer;

/* From the constructor. */
void weir_deferral_begin(void);

/* This process had one. */
extern _Atomic bool weir_deferral_was_used;

/* A descriptor that may be of memory: to be asked before it is used. */
static inline bool weir_deferral_is(int fd)
{
	return weir_link_is_deferring && weir_fdtable_holds(fd) &&
	       atomic_load_explicit(&weir_fdtable[fd].is_deferred,
				    memory_order_relaxed);
}

/* A number stands for this open file now. */
void weir_deferral_mark(int fd, int open);

/*
 * The file itself is there afterwards, also one without a name; or the memory
 * is the file, as its directory is gone. 0 or -errno: it cannot be created, or
 * the service is dead.
 */
int weir_deferral_materialise(int fd);
/* The same, but one without a name stays in memory. */
int weir_deferral_materialise_named(int fd);
void weir_deferral_materialise_own(void); /* all descriptors of this process */

/*
 * What is done in memory. True: it is done, with the result in *ret_done;
 * false: as with any file.
 */
bool weir_deferral_move(const struct weir_transfer *way, bool writes,
			int64_t *ret_done);
bool weir_deferral_seek(int fd, int64_t off, int whence, int64_t *ret_place);
bool weir_deferral_cut(int fd, int64_t length, int64_t *ret_done);

/* What is told of memory that stands for a deferred file. */
struct weir_deferral_facts {
	uint32_t links;	   /* names: 0 or 1 */
	uint64_t dev, ino; /* that it will have; 0, 0: it stays in memory */
};

/*
 * What fstat is to tell of a descriptor of memory instead of what the kernel
 * knows. False: it is none, or is the file by now.
 */
bool weir_deferral_look(int fd, struct weir_deferral_facts *ret_facts);

/*
 * Where some files are created later: before any call on a descriptor but the
 * simple ones, before one on a name, and where a directory is listed.
 */
void weir_deferral_before_fd(int fd);
void weir_deferral_before_name(int dir, const char *path);
void weir_deferral_before_list(int dir, const char *path);
void weir_deferral_before_list_fd(int fd);
void weir_deferral_materialise_all(void); /* of all programs */

/* Open, or create: true: it is done, with what open() returns in *ret_fd. */
bool weir_deferral_open(int dir, const char *path, int flags, unsigned mode,
			int *ret_fd);

/*
 * All of a directory are materialised, as it is asked when it was changed last,
 * and it is told of those that were unlinked; true: there were some.
 */
bool weir_deferral_fill(int dir, const char *path, const struct stat *about);

/* The name is removed: true: that is all there is to do. */
bool weir_deferral_unlink(int dir, const char *path);

/* All are materialised, of all programs, and no more are deferred. */
void weir_deferral_end(void);

#endif
