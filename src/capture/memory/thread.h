/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the recorder's state of one thread: its slot, its chunk, its sums. */
#ifndef WEIR_MEMORY_THREAD_H
#define WEIR_MEMORY_THREAD_H

#include "capture/memory/encoded.h"
#include "gate/gate.h"
#include "trace/layout/live_layout.h"
#include "trace/layout/trace_layout.h"

#define WEIR_THREAD_PAGES 64

enum weir_thread_state {
	WEIR_THREAD_ASLEEP, /* not started, switched off, or wiped by fork */
	WEIR_THREAD_READY,
	WEIR_THREAD_BUSY, /* inside our own code: a signal must not enter */
};

struct weir_sum;

struct weir_thread_site {
	uint64_t def;
	uint64_t size;
	uint64_t next; /* the offset that would continue the last one */
};

/*
 * Lives in private pages that the kernel wipes in a forked child: there the
 * state reads ASLEEP, and the child's first call starts everything anew.
 */
struct weir_thread {
	uint32_t state;	 /* enum weir_thread_state */
	uint32_t vforks; /* above 0: a vfork child runs in our memory */
	uint64_t *cursor;
	uint64_t *limit; /* a record without detail fits before it */
	uint64_t *data;
	uint64_t previous_end;
	uint64_t commit; /* what the slot's word was set to last */
	struct weir_slot *slot;
	struct weir_chunk_head *chunk;
	uint32_t unit;
	uint32_t sequence;
	uint32_t records;
	uint32_t slot_index;
	uintptr_t alt_low, alt_high; /* the signal stack, when there is one */
	uintptr_t stack_low, stack_high; /* its own, once that is known */
	bool stack_is_known;
	uintptr_t address; /* of the last wrapper that entered or left */
	struct weir_thread *nested; /* for signals that find us BUSY */
	struct weir_sum *sums;	    /* WEIR_SUM_PLACES; those of nobody: none */
	struct weir_thread_site sites[WEIR_RECORD_SITES];
	struct weir_encoded detail;
	struct weir_encoded derived; /* of records that a call stands for */
	struct weir_encoded note;
	uint64_t polled; /* start of the last poll recorded that was in vain */
	uintptr_t readable[WEIR_THREAD_PAGES]; /* pages found to be there */
	char found[4096]; /* name of a descriptor being identified */
};

extern __thread struct weir_thread *weir_thread_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Recording is switched on for this process. */
extern bool weir_thread_recording;

/* The calling thread is ASLEEP from now on; its state is the caller's. */
void weir_thread_leave(void);

static inline uint32_t weir_thread_depth(const struct weir_thread *t)
{
	return (uint32_t)(t->commit >> WEIR_COMMIT_DEPTH_SHIFT) & 0xff;
}

/* The one store that makes a record visible or a frame open. */
static inline void weir_thread_commit(struct weir_thread *t, uint64_t word)
{
	t->commit = word;
	atomic_store_explicit(&t->slot->commit, word, memory_order_release);
}

static inline uint64_t weir_thread_word(const struct weir_thread *t,
					uint64_t *end, uint32_t depth)
{
	uint64_t used = (uint64_t)((uint8_t *)end - (uint8_t *)t->data);

	return (t->commit >> WEIR_COMMIT_DROPS_SHIFT
				     << WEIR_COMMIT_DROPS_SHIFT) |
	       (uint64_t)depth << WEIR_COMMIT_DEPTH_SHIFT | used;
}

/* Leave frames without a record: `depth` of them stay open. */
static inline void weir_thread_close_frames(struct weir_thread *t,
					    uint32_t depth)
{
	weir_thread_commit(
		t, (t->commit & ~(UINT64_C(0xff) << WEIR_COMMIT_DEPTH_SHIFT)) |
			   (uint64_t)depth << WEIR_COMMIT_DEPTH_SHIFT);
}

/* Our own code is left; signals may enter again. */
WEIR_GATE_HOT void weir_thread_done(struct weir_thread *t)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->state = WEIR_THREAD_READY;
}

#endif
