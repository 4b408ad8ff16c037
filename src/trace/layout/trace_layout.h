/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the .weir file, byte for byte. doc/format.md is normative. */
#ifndef WEIR_LAYOUT_TRACE_LAYOUT_H
#define WEIR_LAYOUT_TRACE_LAYOUT_H

#include <stdint.h>

/*
 * A .weir file is a row of blocks, each 8-byte aligned: this header, then
 * `stored` payload bytes, then padding to 8 bytes. The magic tells the order
 * of the bytes in the numbers of the block.
 */
#define WEIR_BLOCK_MAGIC      "WEIRblk1" /* little-endian */
#define WEIR_BLOCK_MAGIC_BIG  "WEIRBLK1"
#define WEIR_FORMAT_VERSION   1
#define WEIR_BLOCK_MAX_STORED (8u << 20)
#define WEIR_BLOCK_MAX_RAW    (32u << 20)

enum weir_block_type {
	WEIR_BLOCK_HEAD = 1,   /* first block: text, host and clock */
	WEIR_BLOCK_DICT = 2,   /* text: kinds and calls */
	WEIR_BLOCK_PROC = 3,   /* text: one process; a later one replaces it */
	WEIR_BLOCK_CHUNK = 4,  /* raw records of one thread, as captured */
	WEIR_BLOCK_NAMES = 5,  /* file names, numbered */
	WEIR_BLOCK_EVENTS = 6, /* packed events of one thread, in columns */
	WEIR_BLOCK_END = 7,    /* text: written last, totals */
	WEIR_BLOCK_NODE = 8,   /* text: what was not recorded on this node */
	WEIR_BLOCK_RING = 9,   /* the last calls of a process, 16 bytes each */
	WEIR_BLOCK_PROFILE = 11, /* sums of one process, by file */
	WEIR_BLOCK_PLAN = 12, /* text: settings, and what became of them */
};

/* Flag of a HEAD: another part begins, with its own processes and names. */
#define WEIR_HEAD_PART 1

/* Flag of a RING in a raw file: its records name handles, not descriptors. */
#define WEIR_RING_HANDLES 1

/* Flag of a PROFILE: also what was still in the process's memory. */
#define WEIR_PROFILE_CURRENT 1

/* A tick is between 2^-16 ns and 2^16 ns; anything else is not a clock. */
#define WEIR_HEAD_LEAST_MULT (UINT64_C(1) << 16)
#define WEIR_HEAD_MOST_MULT  (UINT64_C(1) << 48)

struct weir_block {
	uint8_t magic[8];
	uint32_t type;
	uint32_t stored; /* payload bytes in the file */
	uint32_t raw;    /* payload bytes once unpacked by zstd; 0: as is */
	uint32_t proc;   /* number of the process in this file, from 1 */
	uint32_t thread; /* number of the thread in its process, from 1 */
	uint32_t count;  /* EVENTS: events; CHUNK: records; NAMES: names */
	uint64_t first;  /* EVENTS: lowest start, ticks; CHUNK: sequence;
			    NAMES: number of the first name */
	uint64_t last;   /* EVENTS: highest end, ticks; CHUNK: base tick */
	uint32_t flags;
	uint32_t head_check; /* low half of XXH3 of the 52 bytes before it */
	uint64_t check;      /* XXH3 of the stored payload */
};

/*
 * CHUNK payload: records made of 64-bit words. Word 0 of a record:
 *
 *   bits  0-7   which words follow (WEIR_RECORD_*)
 *   bits  8-13  site: index in the thread's table of the last 64 call sites
 *   bits 14-38  duration, ticks      (0 when WIDE)
 *   bits 39-63  gap between the previous record's end and this start, ticks
 *
 * The words that follow, in this order, each only when its bit is set:
 *
 *   DEF     2 words: call | depth << 16 | flags << 24 | handle << 32; size
 *   SIZE    1 word : size
 *   OFF     1 word : offset
 *   RET     1 word : result, or errno when FAILED
 *   WIDE    2 words: gap (signed), duration
 *   DETAIL  1 word : length in bytes; then the bytes, padded to 8
 *
 * What is not there is taken from the site: size as last time; offset = the
 * site's next offset; result = size where the site says RETSIZE, else 0. DEF
 * sets the next offset to 0; after each record whose offset is known it is
 * offset + size (modulo 2^64). The table starts empty (all zero) in every
 * chunk, the previous end is the chunk's base tick, so a chunk is read alone.
 *
 * A handle with its top bit set is no handle but a bare descriptor whose
 * file is not known: its low 31 bits, sign-extended, are the fd.
 */
#define WEIR_HANDLE_BARE UINT32_C(0x80000000)

#define WEIR_RECORD_DEF    0x01
#define WEIR_RECORD_SIZE   0x02
#define WEIR_RECORD_OFF    0x04
#define WEIR_RECORD_RET    0x08
#define WEIR_RECORD_WIDE   0x10
#define WEIR_RECORD_DETAIL 0x20
#define WEIR_RECORD_FAILED 0x40 /* RET is errno */
#define WEIR_RECORD_NOOFF  0x80 /* the offset is not known */

#define WEIR_RECORD_SITES      64
#define WEIR_RECORD_SITE_SHIFT 8
#define WEIR_RECORD_DUR_SHIFT  14
#define WEIR_RECORD_GAP_SHIFT  39
#define WEIR_RECORD_TIME_BITS  25

/* Flags of an event; VFORK, CUT, NEWHANDLE and RETSIZE stand in DEF words. */
#define WEIR_EVENT_FAILED    0x01 /* the call failed, errno is known */
#define WEIR_EVENT_NOOFF     0x02 /* the offset is not known */
#define WEIR_EVENT_VFORK     0x04 /* made by a vfork child of this process */
#define WEIR_EVENT_ENTERED   0x08 /* never returned: only entry is known */
#define WEIR_EVENT_CUT       0x10 /* the detail did not fit whole */
#define WEIR_EVENT_NEWHANDLE 0x20 /* the handle is the one this call made */
#define WEIR_EVENT_RETSIZE   0x40 /* chunk only: result is size by default */

/*
 * Of an outermost call: behind its arguments the detail has a chain of return
 * addresses, the innermost first, LEB128 zigzag, each as the difference to the
 * one before; then one byte: how many bytes these are.
 */
#define WEIR_EVENT_SITE      0x80

/*
 * Numbers from 0xff00 up are not calls but notes of the recorder. Their
 * detail is LEB128 numbers and strings like that of any call.
 *
 * LOSS    count, first tick, last tick: calls dropped since the last record
 * HANDLE  handle, fd + 1, origin, base handle, st_mode, st_dev, st_ino,
 *         flags, path: what a descriptor stands for, when it is not told by
 *         a NEWHANDLE call
 * SUM     struct weir_sum: many calls on the note's handle at once
 */
#define WEIR_NOTE_FIRST  0xff00
#define WEIR_NOTE_LOSS   0xff00
#define WEIR_NOTE_HANDLE 0xff01
#define WEIR_NOTE_SUM    0xff02

enum weir_handle_origin {
	WEIR_ORIGIN_INHERITED = 1, /* found open; path from the kernel */
	WEIR_ORIGIN_DUP = 2,       /* base: the handle duplicated */
	WEIR_ORIGIN_PIPE = 3,
	WEIR_ORIGIN_CWD = 4,       /* working directory; path from base */
	WEIR_ORIGIN_OPENED = 5,    /* by a call that gives no fd; from base */
	WEIR_ORIGIN_COOKIE = 6,    /* a stream on functions of the program */
	WEIR_ORIGIN_MEMORY = 7,    /* a stream in memory, no descriptor */
};

/* How a kind travels in the detail; the dictionary names it by its letter. */
#define WEIR_WIRE_UNSIGNED 'u' /* LEB128 */
#define WEIR_WIRE_SIGNED   's' /* LEB128 of the zigzag form */
#define WEIR_WIRE_OPTIONAL 'o' /* LEB128 of value + 1; 0: not given */
#define WEIR_WIRE_STRING   't' /* LEB128 length, bytes */
#define WEIR_WIRE_PATH     'p' /* LEB128 base handle (0: none), string */
#define WEIR_WIRE_VECTOR   'v' /* LEB128 given, shown, then base, length each */
#define WEIR_WIRE_STAT     'x' /* LEB128 1 and 13 fields, or 0: not filled */
#define WEIR_WIRE_HANDLE   'h' /* LEB128 fd (zigzag), handle */
#define WEIR_WIRE_PAIR     'f' /* LEB128 1 and two fds (zigzag), or 0 */
#define WEIR_WIRE_RECORD   'r' /* LEB128 1 and the fields SHOW names, or 0 */
#define WEIR_WIRE_NONE     '-' /* not in the detail */

#endif
