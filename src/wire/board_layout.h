/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out the board: what the daemon tells all its clients of the files it
 * serves. They map it, and cannot write it (sealed). A place belongs to one
 * file as long as a client has it open or some of it is not stored yet.
 */
#ifndef WEIR_WIRE_BOARD_LAYOUT_H
#define WEIR_WIRE_BOARD_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_BOARD_MAGIC UINT64_C(0x31647262726965) /* "eirbrd1" */
#define WEIR_BOARD_FILES 8192u /* a power of two */
#define WEIR_BOARD_PROBES 64u  /* places looked at for a file */

/*
 * Deferred files, which the file system does not know yet, each in memory, and
 * how many are found by a hash of their names and directories: clients that
 * find none need not ask.
 */
#define WEIR_BOARD_DEFERRED 1024u
#define WEIR_BOARD_NAMES  4096u /* a power of two */
#define WEIR_BOARD_NAMELESS 1u	/* beside the turn, which is even */

/* To be asked before each use of a file. */
#define WEIR_FILE_BYPASS  1u /* straight to the kernel: nothing is kept of it */
#define WEIR_FILE_TIGHT   2u /* little room where it lies: write by op */
#define WEIR_FILE_FAILED  4u /* some of it could not be stored: the same */
#define WEIR_FILE_WRITTEN 8u /* open for writing somewhere, or not all stored:
				ask before reading it or its size */
#define WEIR_FILE_TRACED  16u /* the daemon records it in the trace */
#define WEIR_FILE_SERVED  32u /* the kernel's file is not it: read by op */

struct weir_board_file {
	/* even: whole; odd: being changed. A file's `turn` is turn / 2 * 2 */
	_Alignas(64) _Atomic uint32_t turn;
	_Atomic uint32_t flags;
	_Atomic uint64_t dev, ino; /* 0, 0: nobody's */
	/* How often it became WRITTEN or BYPASS, counted before it is told:
	 * what was read before that may be old. */
	_Atomic uint32_t writings;
};

struct weir_board_number {
	_Atomic uint64_t dev, ino;
};

struct weir_board {
	uint64_t magic;
	uint64_t interface;
	_Atomic uint32_t epoch; /* of the daemon */
	/*
	 * How often a file ceased to be WRITTEN, counted before it is told:
	 * what the kernel said before that may be old.
	 */
	_Atomic uint32_t settled;
	_Alignas(64) struct weir_board_file files[WEIR_BOARD_FILES];

	/* by place: the turn of one whose memory counts; 0: none */
	_Alignas(64) _Atomic uint32_t deferred[WEIR_BOARD_DEFERRED];
	/* the numbers that it will have; ino 0: nobody has asked for them */
	struct weir_board_number deferred_numbers[WEIR_BOARD_DEFERRED];
	_Atomic uint32_t deferred_count; /* that have a name */
	/* directories that are to be told of others: parents count them too */
	_Atomic uint32_t deferred_changed;
	/* whose files are there already, and not whole yet */
	_Atomic uint32_t deferred_begun;
	_Atomic uint64_t deferred_most; /* bytes: longer ones are not */
	_Atomic uint16_t deferred_names[WEIR_BOARD_NAMES];
	_Atomic uint16_t deferred_parents[WEIR_BOARD_NAMES];
};

static inline uint32_t weir_board_hash(uint64_t dev, uint64_t ino)
{
	uint64_t mixed = (ino ^ dev * UINT64_C(0x9e3779b97f4a7c15)) *
			 UINT64_C(0xff51afd7ed558ccd);

	return (uint32_t)(mixed >> 40) & (WEIR_BOARD_FILES - 1);
}

/* Of a name in a directory; of the directory itself: "". */
static inline uint32_t weir_board_name(uint64_t dev, uint64_t ino,
				       const char *name)
{
	uint64_t mixed = ino ^ dev * UINT64_C(0x9e3779b97f4a7c15);

	for (; *name; name++)
		mixed = (mixed ^ (unsigned char)*name) *
			UINT64_C(0x100000001b3);
	return (uint32_t)(mixed * UINT64_C(0xff51afd7ed558ccd) >> 40) &
	       (WEIR_BOARD_NAMES - 1);
}

/* The place of a file, or -1. What it says holds for the moment. */
static inline int weir_board_find(const struct weir_board *board, uint64_t dev,
				  uint64_t ino)
{
	uint32_t at = weir_board_hash(dev, ino);

	for (uint32_t i = 0; i < WEIR_BOARD_PROBES; i++) {
		uint32_t place = (at + i) & (WEIR_BOARD_FILES - 1);
		const struct weir_board_file *file = &board->files[place];

		if (atomic_load_explicit(&file->ino, memory_order_acquire) ==
			    ino &&
		    atomic_load_explicit(&file->dev, memory_order_acquire) ==
			    dev)
			return (int)place;
	}
	return -1;
}

#endif
