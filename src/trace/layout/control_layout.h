/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the file by which processes of a node are told, and tell. */
#ifndef WEIR_LAYOUT_CONTROL_LAYOUT_H
#define WEIR_LAYOUT_CONTROL_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One file beside the live files, made whole before the first process comes.
 * Every recorded image maps it, shared, and forked children inherit that: so
 * it also shows that a process which has not made a call yet may still come.
 *
 * Who cannot map it leaves a directory lost-PID-REASON-N instead, which needs
 * neither a descriptor nor memory; the collector counts these.
 */
#define WEIR_CONTROL_NAME    "control"
#define WEIR_CONTROL_MARK    "lost-"
#define WEIR_CONTROL_RESERVE ".reserve" /* behind a number: see `reserve` */
#define WEIR_CONTROL_MAGIC   "WEIRctl1"
#define WEIR_CONTROL_VERSION 1
#define WEIR_CONTROL_BYTES   28672
#define WEIR_CONTROL_RULES   16384

/* Why a process image could not be recorded. Numbers are for ever. */
enum weir_control_reason {
	WEIR_REASON_OTHER,
	WEIR_REASON_FILE_LIMIT,	   /* files may not be large enough */
	WEIR_REASON_NO_DESCRIPTOR, /* none was free */
	WEIR_REASON_NO_MEMORY,
	WEIR_REASON_NO_SPACE,	   /* where the live files are */
	WEIR_REASON_NO_PERMISSION,
	WEIR_REASON_DAMAGED,	   /* this file is not what it should be */
	WEIR_REASON_CONFINED,	   /* it filters its system calls */
	WEIR_REASON_COUNT,
};

#define WEIR_CONTROL_REASONS 16 /* room for more */

#define WEIR_CONTROL_ENDS    120 /* processes that were waited for */
#define WEIR_CONTROL_AN_END  (UINT64_C(1) << 31) /* such a word is not 0 */

#define WEIR_CONTROL_SETTINGS 112 /* of a plan */
#define WEIR_CONTROL_VERDICTS 8
#define WEIR_CONTROL_WORDS    56 /* bytes of an example */

/* Flags of the rules. */
#define WEIR_CONTROL_ALL    UINT32_C(1) /* the default rules do not apply */
#define WEIR_CONTROL_SINGLE UINT32_C(2) /* one file for all processes */
#define WEIR_CONTROL_DIGEST UINT32_C(4) /* sums of what is written */

/*
 * What is kept of each call: all of it, or less. As bits of `aside`, whose
 * lowest two say why a call is not kept at all (enum weir_filter_why).
 */
enum weir_control_manner {
	WEIR_MANNER_TRACE = 0,
	WEIR_MANNER_RING = 4,	 /* a short record, in place of the oldest */
	WEIR_MANNER_PROFILE = 8, /* sums by file */
	WEIR_MANNER_SITES = 16,	 /* all, and where outermost calls are made */
	WEIR_MANNER_DIGEST = 32, /* beside others: sums of what is written */
	WEIR_MANNER_POINTERS = 64, /* all, and where transfers' memory is */
};

#define WEIR_CONTROL_PAUSED 3 /* of `aside`: recording is switched off */

/* Images that were not recorded, and the calls they are known to have made. */
struct weir_control_loss {
	_Atomic uint64_t processes;
	_Atomic uint64_t calls;
};

/* Of each setting the first words on why it did not take effect. */
struct weir_control_why {
	_Atomic uint32_t state; /* 0: nobody; 1: somebody is about to; SAID */
	uint32_t verdict;
	char text[WEIR_CONTROL_WORDS];
};

#define WEIR_CONTROL_SAID 2

struct weir_control {
	char magic[8];
	uint32_t version;
	uint32_t bytes; /* of the file */

	/* Told before the first process comes, and then never changed. */
	uint32_t flags;
	uint32_t rules_bytes; /* used in `rules` */
	uint64_t max_bytes;   /* of the trace; 0: no limit */
	uint64_t manner;      /* enum weir_control_manner */
	uint64_t ring_bytes;  /* of records in each process */
	uint64_t more[2];

	/* Told at any time. The only word that calls look at. */
	_Atomic uint32_t aside; /* 0: calls are recorded; else the manner, */
				/* and PAUSED when they are not now */
	uint32_t pad[31];	/* far from what processes write */

	/* Written by the processes. */
	struct weir_control_loss losses[WEIR_CONTROL_REASONS];

	/* What became of each setting of the plan: enum weir_plan_verdict. */
	_Atomic uint32_t verdicts[WEIR_CONTROL_SETTINGS][WEIR_CONTROL_VERDICTS];

	/* Images that were told of a plan and could not take it. */
	_Atomic uint64_t unplanned;

	/*
	 * Live files that the collector has wiped and kept for processes to
	 * come, which need not wait for memory then: made << 32 | taken. File
	 * n is there, for one process, while taken <= n < made.
	 */
	_Atomic uint64_t reserve;

	uint64_t spare[6];

	/* Which files: strings one after the other, each with its NUL. */
	char rules[WEIR_CONTROL_RULES];

	/* Written by the processes, too. */
	struct weir_control_why whys[WEIR_CONTROL_SETTINGS];

	/*
	 * How processes ended, by who waited for them: pid << 32, AN_END and
	 * what wait() told. The collector takes them by turning them into 0.
	 */
	_Atomic uint64_t ends[WEIR_CONTROL_ENDS];
	_Atomic uint64_t ends_told; /* where to look for a free one */
	uint64_t rest[7];
};

_Static_assert(sizeof(struct weir_control) == WEIR_CONTROL_BYTES, "control");
_Static_assert(offsetof(struct weir_control, rules) == 4096, "rules");
_Static_assert(offsetof(struct weir_control, version) == 8 &&
		       offsetof(struct weir_control, rules_bytes) == 20,
	       "version, bytes, flags, rules_bytes");
_Static_assert(offsetof(struct weir_control, manner) == 32 &&
		       offsetof(struct weir_control, ring_bytes) == 40,
	       "manner, ring_bytes");
_Static_assert(WEIR_REASON_COUNT <= WEIR_CONTROL_REASONS, "reasons");
_Static_assert(offsetof(struct weir_control, aside) % 64 == 0,
	       "`aside` has a cache line for itself");
_Static_assert(offsetof(struct weir_control, losses) % 64 == 0,
	       "`losses` too");

#endif
