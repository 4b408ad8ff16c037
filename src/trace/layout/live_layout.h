/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the memory file a recorded process shares with its collector. */
#ifndef WEIR_LAYOUT_LIVE_LAYOUT_H
#define WEIR_LAYOUT_LIVE_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * One file per process image: a header, then units of 8 KiB. Unit i holds
 * slot i (the state of one thread) and chunk i (records); the two have
 * nothing else to do with each other. Only units below `ready` are backed by
 * memory; who adds units sets `growing` from 0 to 1 (or lets it be), then
 * allocates them, sets their `free` bits, raises `ready` and clears `growing`.
 *
 * The process takes chunks by clearing a bit in `free`, fills them and sets
 * the bit in `full`; the collector clears `full`, copies, and sets `free`
 * again. A chunk may also hold a thread's sums (trace/layout/sum_layout.h):
 * then its slot names it, and the collector frees it with the slot. Everything
 * else has one writer.
 */
#define WEIR_LIVE_MAGIC        "WEIRliv1"
#define WEIR_LIVE_DIRECTORY    3072 /* room for the directory's name */
#define WEIR_LIVE_HEAD_BYTES   16384
#define WEIR_LIVE_UNIT_BYTES   8192
#define WEIR_LIVE_SLOT_BYTES   448
#define WEIR_LIVE_CHUNK_BYTES  64 /* the chunk's head; its data follow */
#define WEIR_LIVE_DATA_OFFSET  (WEIR_LIVE_SLOT_BYTES + WEIR_LIVE_CHUNK_BYTES)
#define WEIR_LIVE_DATA_BYTES   (WEIR_LIVE_UNIT_BYTES - WEIR_LIVE_DATA_OFFSET)
#define WEIR_LIVE_FIRST_UNITS  128 /* backed when a process starts */
#define WEIR_LIVE_WINDOW_UNITS 512 /* units are mapped by windows of 4 MiB */
#define WEIR_LIVE_WINDOWS      16
#define WEIR_LIVE_UNITS        (WEIR_LIVE_WINDOW_UNITS * WEIR_LIVE_WINDOWS)
#define WEIR_LIVE_TRAITS       1024 /* bytes */
#define WEIR_LIVE_NO_CHUNK     UINT32_MAX

struct weir_live_anchor {
	uint64_t tick;
	uint64_t mono; /* CLOCK_MONOTONIC, ns */
	uint64_t real; /* CLOCK_REALTIME, ns */
};

/* Why recording stopped; 0: it did not. */
enum weir_live_stop {
	WEIR_STOP_NONE,
	WEIR_STOP_NO_MEMORY,
	WEIR_STOP_DAMAGED,
};

/* A place in `hidden`; the others are of enum weir_filter_why. */
#define WEIR_LIVE_POLLS 0 /* of operations that were still under way */

struct weir_live {
	char magic[8];
	uint32_t version;
	uint32_t pid;
	uint32_t ppid;
	uint32_t uid;
	uint32_t clock_is_tsc;  /* ticks of the processor; else ns of mono */
	uint32_t units_wanted;  /* the collector grows `ready` up to this */
	uint64_t process_start; /* field 22 of /proc/self/stat; 0: not known */
	struct weir_live_anchor first;  /* at the start of recording */
	struct weir_live_anchor second; /* later, to tell the tick's length */
	_Atomic uint32_t ready;         /* units backed by memory */
	_Atomic uint32_t slots;         /* ever used: look at [0, slots) */
	_Atomic uint32_t threads;       /* last thread number given out */
	_Atomic uint32_t stop;          /* enum weir_live_stop */
	_Atomic uint32_t exiting;       /* a hint: look soon */
	_Atomic uint32_t growing;       /* 1: somebody is adding units */
	_Atomic uint64_t lost_outside;  /* calls no thread could account for */
	_Atomic uint64_t hidden[4]; /* calls not to be recorded, by reason */
	_Atomic uint64_t free[WEIR_LIVE_UNITS / 64];
	_Atomic uint64_t full[WEIR_LIVE_UNITS / 64];
	char host[256];
	char exe[4096];
	char cwd[4096];
	uint32_t args_bytes; /* NUL-separated, cut when too long */
	char args[4000];
	_Atomic uint32_t traits_bytes;
	char traits[WEIR_LIVE_TRAITS]; /* key, NUL, value, NUL; and so on */
};

enum weir_slot_state {
	WEIR_SLOT_FREE,
	WEIR_SLOT_TAKEN, /* being set up */
	WEIR_SLOT_LIVE,
	WEIR_SLOT_ENDED, /* the collector reads the rest, then frees it */
};

/* A call that has been entered; start 0: not filled in yet. */
struct weir_slot_frame {
	_Atomic uint64_t start; /* ticks */
	uint32_t call;
	uint32_t handle;
	uintptr_t address; /* of the wrapper's frame, to notice longjmp */
};

#define WEIR_SLOT_FRAMES 8

/*
 * `commit` says everything a killed thread leaves behind in one word, so
 * that a record becomes visible, its call leaves the stack and a drop is
 * counted at one instant:
 *   bits 0-15 bytes used in the open chunk, 16-23 depth, 24-63 drops.
 */
#define WEIR_COMMIT_DEPTH_SHIFT 16
#define WEIR_COMMIT_DROPS_SHIFT 24
#define WEIR_COMMIT_DEPTH_ONE   (UINT64_C(1) << WEIR_COMMIT_DEPTH_SHIFT)
#define WEIR_COMMIT_DROPS_ONE   (UINT64_C(1) << WEIR_COMMIT_DROPS_SHIFT)

struct weir_slot {
	_Atomic uint32_t state;
	uint32_t tid;
	uint32_t thread; /* number, never given twice in a process */
	uint32_t level;  /* 0; above: used while a signal interrupted weir */
	_Atomic uint64_t commit;
	_Atomic uint64_t chunk;   /* sequence << 32 | unit, of the open chunk */
	uint64_t drops_told;      /* part of the drops that LOSS notes tell */
	uint64_t first_drop;      /* tick of the first drop not told */
	uint64_t last_drop;
	_Atomic uint32_t sums;    /* 1 + the unit of its struct weir_sum */
	struct weir_slot_frame frames[WEIR_SLOT_FRAMES];
};

struct weir_chunk_head {
	uint32_t thread;   /* number of the writer */
	uint32_t sequence; /* of this chunk among the thread's, from 1 */
	uint32_t slot;
	uint32_t used;     /* bytes, once full */
	uint32_t records;  /* once full */
	uint32_t pad;
	struct weir_live_anchor base; /* real is 0 here */
};

_Static_assert(sizeof(struct weir_live) <= WEIR_LIVE_HEAD_BYTES, "head");
_Static_assert(sizeof(struct weir_slot) <= WEIR_LIVE_SLOT_BYTES, "slot");
_Static_assert(sizeof(struct weir_chunk_head) <= WEIR_LIVE_CHUNK_BYTES,
	       "chunk");

#endif
