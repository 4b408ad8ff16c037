/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's state of one thread, and its open chunk. */
#ifndef WEIR_CAPTURE_THREAD_H
#define WEIR_CAPTURE_THREAD_H

#include "gate/gate.h"
#include "trace/live_layout.h"
#include "trace/trace_layout.h"

#define WEIR_ENCODE_ROOM  6144
#define WEIR_THREAD_PAGES 64

enum weir_thread_state {
	WEIR_THREAD_ASLEEP, /* not started, switched off, or wiped by fork */
	WEIR_THREAD_READY,
	WEIR_THREAD_BUSY,   /* inside our own code: a signal must not enter */
};

struct weir_sum;

struct weir_encoded {
	uint32_t used;
	bool cut;
	uint8_t names;  /* that the call used */
	uint8_t hidden; /* of those, names of files that are not recorded */
	uint8_t why;
	char joined[4096]; /* for work on names */
	uint8_t bytes[WEIR_ENCODE_ROOM];
};

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
	uint32_t state; /* enum weir_thread_state */
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
	struct weir_thread *nested;  /* for signals that find us BUSY */
	struct weir_sum *sums; /* WEIR_SUM_PLACES; those of nobody: none */
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

/*
 * Out of line: the calling thread is not READY. Starts it, or finds, for a
 * call whose wrapper is at `address`, the
 * state for a signal handler; NULL: this call is not recorded (and counted
 * when it should have been).
 */
struct weir_thread *weir_thread_wake(uintptr_t address);

/*
 * The same for other things than a call, which need not be counted, and only
 * for a thread that has not been started. NULL: it cannot be.
 */
struct weir_thread *weir_thread_stir(uintptr_t address);

/* A longjmp is about to happen, perhaps out of our own code. */
void weir_thread_note_jump(void);

/*
 * Room for `words` words in the chunk of a BUSY thread, taking a new chunk
 * when needed; NULL: none to be had, the caller drops.
 */
uint64_t *weir_thread_room(struct weir_thread *t, uint32_t words);

/* Count a call that could not be recorded; leaves the call's frame. */
void weir_thread_drop(struct weir_thread *t, uint32_t depth, uint64_t tick);

/*
 * Frames from `depth` up belong to calls that a longjmp left: record them as
 * entered and never returned.
 */
void weir_thread_abandon(struct weir_thread *t, uint32_t depth);

/* A call enters at `address` while others are open: some may be dead. */
uint32_t weir_thread_settle(struct weir_thread *t, uintptr_t address);

/* The thread ends, or (main thread) its chunk is to be handed over. */
void weir_thread_end(struct weir_thread *t);

/* The calling thread may not even read the clock from now on. */
void weir_thread_leave(void);

/* Once, before the first thread starts. */
void weir_thread_prepare(void);

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

#endif
