/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries a call from its wrapper to its record. */
#ifndef WEIR_RECORD_PASS_H
#define WEIR_RECORD_PASS_H

#include "capture/memory/thread.h"
#include "capture/process/filter.h"
#include "gate/gate.h"
#include "spec/ring.h"
#include "trace/layout/control_layout.h"

struct weir_pass {
	struct weir_thread *thread;
	uintptr_t address; /* of the wrapper's frame */
	uint64_t start;
	uint64_t end;
	uint64_t entry; /* of the descriptor map, as the call began */
	/* Polls have another use for these two, see poll.c. */
	uint64_t entered;  /* of the description, when it uses the position */
	uint64_t replaced; /* the entry that dup2 closes */
	uint64_t pending;  /* in the stream's buffer, as the call began */
	uint64_t ahead;
	uint64_t filled; /* of fseek: what the buffer held */
	int64_t offset;	 /* of fseek: where libc believed the kernel to be */
	uint32_t handle;
	uint32_t depth;
	uint32_t told; /* operations that a list call has handed over */
	bool uses_position;
	bool has_detail;
	uint8_t flags;
	uint8_t why; /* 0: recorded; else like `aside` in the control file */
};

/* Of a call with a detail, which is written: all its names are hidden. */
static inline uint32_t weir_pass_hides(const struct weir_encoded *detail)
{
	return detail->names && detail->names == detail->hidden ? detail->why
								: 0;
}

/* Why nothing will be kept of the call, enum weir_filter_why. */
static inline uint32_t weir_pass_why(const struct weir_pass *pass)
{
	uint32_t why = pass->why & WEIR_FILTER_WHY;

	if (!why && pass->has_detail)
		return weir_pass_hides(&pass->thread->detail);
	return why;
}

/* A record is written of the call, as the trace's readers know it. */
static inline bool weir_pass_tells(const struct weir_pass *pass)
{
	return !weir_pass_why(pass) && !(pass->why & WEIR_MANNER_RING);
}

/* Those of creat(), which is told none: O_WRONLY | O_CREAT | O_TRUNC. */
#define WEIR_PASS_CREAT_FLAGS 01101

/* What a short record says, for a call that the compiler knows. */
WEIR_GATE_HOT uint64_t weir_pass_datum(const struct weir_args *args)
{
	if (weir_gate_unlikely(args->failed))
		return (uint64_t) - (int64_t)args->err;
	switch (weir_ring_calls[args->call] >> 4 & 3) {
	case WEIR_RING_OFF:
		return (uint64_t)args->off;
	case WEIR_RING_SIZE:
		return args->size;
	case WEIR_RING_FLAGS:
		return (weir_ring_calls[args->call] & 0xf) == WEIR_RING_CREAT
			       ? WEIR_PASS_CREAT_FLAGS
			       : (uint32_t)args->flags;
	}
	return (uint64_t)args->ret;
}

/* The rest of it, as weir_ring_put() takes it. */
WEIR_GATE_HOT uint64_t weir_pass_whose(const struct weir_pass *pass,
				       const struct weir_args *args)
{
	uint32_t form = weir_ring_calls[args->call];

	if (!args->has_off)
		form &= ~(uint32_t)WEIR_RING_HAS_PLACE;
	return (uint64_t)pass->handle << 32 | pass->depth << 8 | form;
}

/*
 * What there is to know of a call that is not simply recorded. A copy, so
 * that pass and args can live in registers.
 */
struct weir_brief {
	struct weir_thread *thread;
	uint64_t start, end;   /* ticks */
	uint64_t datum, whose; /* as a short record has it */
	uint64_t size;
	int64_t off;
	int64_t ret;
	const void *memory; /* NULL: in several places, or it moves nothing */
	uint32_t handle;
	int32_t fd;  /* -1: none */
	int32_t err; /* when it failed */
	uint16_t call;
	uint8_t depth;
	uint8_t flags; /* WEIR_EVENT_* */
	uint8_t why;
	bool has_off;
	bool failed;
	bool has_detail; /* the thread's `detail`, or `derived` of a child */
};

WEIR_GATE_HOT struct weir_brief weir_pass_brief(const struct weir_pass *pass,
						const struct weir_args *args)
{
	return (struct weir_brief){
		.thread = pass->thread,
		.start = pass->start,
		.end = pass->end,
		.size = args->size,
		.off = args->off,
		.ret = args->ret,
		.memory = args->memory,
		.handle = pass->handle,
		.fd = args->has_fd ? args->fd : -1,
		.err = args->err,
		.datum = weir_pass_datum(args),
		.whose = weir_pass_whose(pass, args),
		.call = args->call,
		.depth = (uint8_t)pass->depth,
		.flags = pass->flags,
		.why = pass->why,
		.has_off = args->has_off,
		.failed = args->failed,
		.has_detail = pass->has_detail,
	};
}

#endif
