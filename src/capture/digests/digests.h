/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums up what this process wrote (base/digest.h), by handle and by file,
 * told as events `proof` (trace/layout/digest_layout.h). Only with `weir run
 * --verify`; without it nothing here is called but weir_digests_is_on().
 *
 * A handle is told when it is closed, when its place is needed, and at the end
 * of the process. A forked child begins with nothing.
 */
#ifndef WEIR_DIGESTS_DIGESTS_H
#define WEIR_DIGESTS_DIGESTS_H

#include "base/digest.h"
#include "gate/gate.h"
#include "trace/layout/digest_layout.h"

#include <stddef.h>

/* All keep errno, may be called by any thread, and take any handle. */

WEIR_GATE_DOOR bool weir_digests_is_on(void);

/*
 * Whether this thread is below a call of HDF5, which knows better what is
 * written. A call of MPI-IO may let those below it through, if it does not.
 */
WEIR_GATE_DOOR bool weir_digests_is_covered(void);
WEIR_GATE_DOOR void weir_digests_let_through(bool let);

/* The same for libc's calls: also below MPI-IO, but for what it lets. */
bool weir_digests_is_below_layers(void);
bool weir_digests_is_let_through(void);

/*
 * A handle is of the object `key`: handles of one key share what is known to
 * be written. `is_empty`: all that was known of it is gone.
 */
WEIR_GATE_DOOR void weir_digests_know(uint32_t handle, uint64_t key,
				      bool is_empty);
WEIR_GATE_DOOR bool weir_digests_knows(uint32_t handle);
/* A handle of this key that is not told yet; 0: there is none. */
uint32_t weir_digests_holder(uint64_t key);

/*
 * A file of the file system, with the key of its bytes: which device and inode
 * and, since numbers are given again, when it was made. 0: it is a plain file,
 * else -errno.
 */
struct weir_digest_file {
	uint64_t key, size;
};

WEIR_GATE_DOOR int weir_digest_file_look(int fd, const char *path,
					 struct weir_digest_file *ret_file);

/* A piece that was written, and the sum of its bytes; or one that was read. */
struct weir_digests_piece {
	uint64_t position, bytes;
	struct weir_digest sum;
	int how; /* enum weir_digests_how */
};

enum weir_digests_how {
	WEIR_DIGESTS_FURTHER = 1, /* its call has made others before */
	WEIR_DIGESTS_JOINS = 2,	  /* with the one before, if both are small */
	WEIR_DIGESTS_STAYS = 4,	  /* it is at the end: what was there stays */
	WEIR_DIGESTS_LATER = 8,	  /* a stream has it, and not yet the file */
};

/* Bytes that follow what the piece has. */
WEIR_GATE_HOT void weir_digests_extend(struct weir_digests_piece *piece,
				       const void *bytes, uint64_t size)
{
	weir_digest_add(&piece->sum, piece->position + piece->bytes, bytes,
			size);
	piece->bytes += size;
}

/*
 * Pieces of one call were written: they take the place of what was there, in
 * this order. At least one; if the first is empty, it is the only one. False:
 * there are more than can be followed, so that it is of no use to go on.
 */
WEIR_GATE_DOOR bool weir_digests_put(uint32_t handle,
				     const struct weir_digests_piece *pieces,
				     uint32_t count);

/* What of a range this process has written: the first part. False: nothing. */
WEIR_GATE_DOOR bool weir_digests_find(uint32_t handle, uint64_t position,
				      uint64_t size, uint64_t *ret_position,
				      uint64_t *ret_size);

/*
 * Before a range is overwritten: what this process has written of it and has
 * to be read back, because it was a part of a larger piece; then its sum.
 */
WEIR_GATE_DOOR bool weir_digests_blind(uint32_t handle, uint64_t position,
				       uint64_t size, uint64_t *ret_position,
				       uint64_t *ret_size);

struct weir_digests_range {
	uint64_t from, to;
};

/* The first of some ranges that has such a part; `count`: none has. */
WEIR_GATE_DOOR uint32_t weir_digests_blind_among(
	uint32_t handle, const struct weir_digests_range *ranges,
	uint32_t count, struct weir_digests_range *ret_part);
WEIR_GATE_DOOR void weir_digests_learn(uint32_t handle,
				       const struct weir_digests_piece *piece);

/*
 * Such parts, read from the file. Several of one call in turn, from the front
 * to the back. What cannot be read is doubted when it is overwritten.
 */
struct weir_digest_old {
	uint32_t handle;
	int fd;
	int own; /* for this moment; -1: none */
	int (*open)(const void *file);
	const void *file;
	uint64_t from, to; /* what is in `room` */
	uint64_t ahead;	   /* how much more is read than was asked for */
	uint8_t *room;
	bool has_read;
};

WEIR_GATE_DOOR void weir_digest_old_begin(struct weir_digest_old *old,
					  uint32_t handle, int fd);
/* Opened when there is something to read: file systems may take long for it. */
WEIR_GATE_DOOR void weir_digest_old_begin_closed(struct weir_digest_old *old,
						 uint32_t handle,
						 int (*open)(const void *file),
						 const void *file);
/* The ranges are used up. */
WEIR_GATE_DOOR void weir_digest_old_learn(struct weir_digest_old *old,
					  struct weir_digests_range *ranges,
					  uint32_t count);
WEIR_GATE_DOOR void weir_digest_old_end(struct weir_digest_old *old);

/*
 * Around a write: two threads that write the same bytes at once come in an
 * order that only the kernel knows, and both are doubted.
 */
void weir_digest_race_enter(uint32_t handle, uint64_t from, uint64_t to);
void weir_digest_race_leave(uint32_t handle);

/* The file is to be cut: nothing of what was written lies beyond. */
WEIR_GATE_DOOR void weir_digests_cut(uint32_t handle, uint64_t length);

/* Bits of enum weir_digest_doubt: there is one, or none of those. */
WEIR_GATE_DOOR void weir_digests_doubt(uint32_t handle, uint32_t doubts);
WEIR_GATE_DOOR void weir_digests_trust(uint32_t handle, uint32_t doubts);
WEIR_GATE_DOOR bool weir_digests_doubts(uint32_t handle, uint32_t doubts);

/* The object has another name: another handle, and another key. */
WEIR_GATE_DOOR void weir_digests_rename(uint32_t handle, uint32_t to,
					uint64_t key);

/* The handle is closed; what is known of its key stays. */
WEIR_GATE_DOOR void weir_digests_tell(uint32_t handle);

/* The process ends: tell all. */
void weir_digests_end(void);

#endif
