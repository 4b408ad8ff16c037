/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the program made a call: a chain of return addresses. */
#include "capture/record/callsite.h"

#include "capture/record/encode.h"
#include "capture/record/objects.h"

#include <sys/auxv.h>

#define MOST	   8 /* addresses */
#define MOST_BYTES (MOST * 10 + 1)

/*
 * The kernel leaves at least 128 MiB below the top of the first stack free of
 * anything else.
 */
#define FIRST_STACK (UINT64_C(64) << 20)

/*
 * Both compilers keep on these processors: the caller's frame, the way back.
 * On others (s390x) no chain is kept, and no call sites are recorded.
 */
#if defined(__x86_64__) || defined(__aarch64__)
#define HAS_FRAMES true
#else
#define HAS_FRAMES false
#endif

struct frame {
	const struct frame *caller;
	uintptr_t back;
};

/*
 * The thread's own block, which the C library keeps at the top of the stack of
 * each thread but the first: no stack reaches beyond it.
 */
static uintptr_t thread_pointer(void)
{
	uintptr_t at;

#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(at));
#elif defined(__aarch64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(at));
#else
	at = 0;
#endif
	return at;
}

/* Once for each thread: it may be on a stack that we do not know. */
static void find_stack(struct weir_thread *t, uintptr_t frame)
{
	uintptr_t top = thread_pointer();
	uintptr_t low, high;

	t->stack_is_known = true;
	if (frame < top && weir_objects_region(t, frame, &low, &high) &&
	    top < high) {
		t->stack_low = low;
		t->stack_high = top;
	}
}

/* The end of the stack that the frame lies in; 0: not known. */
static uintptr_t end_of_stack(struct weir_thread *t, uintptr_t frame)
{
	uintptr_t first = getauxval(AT_RANDOM); /* above all its frames */

	if (frame >= t->alt_low && frame < t->alt_high)
		return t->alt_high;
	if (frame < first && first - frame < FIRST_STACK)
		return first;
	if (!t->stack_is_known)
		find_stack(t, frame);
	return frame >= t->stack_low && frame < t->stack_high ? t->stack_high
							      : 0;
}

/* What a frame pointer may be: the next frame of the same stack. */
static bool is_frame(const struct frame *at, const struct frame *below,
		     uintptr_t end)
{
	return (uintptr_t)at % sizeof(void *) == 0 && at > below &&
	       (uintptr_t)at < end &&
	       end - (uintptr_t)at >= sizeof(struct frame);
}

static uint32_t walk(struct weir_brief *brief, uintptr_t *chain)
{
	struct weir_thread *t = brief->thread;
	const struct frame *at = (const struct frame *)t->address;
	uintptr_t end;
	uint32_t n = 1;

	chain[0] = at->back;
	weir_objects_know(brief, chain[0]);
	end = end_of_stack(t, t->address);
	while (n < MOST && is_frame(at->caller, at, end)) {
		at = at->caller;
		if (!weir_objects_know(brief, at->back))
			break;
		chain[n++] = at->back;
	}
	return n;
}

/* vfork returns twice and has no frame; its child's calls lie below it. */
static bool is_outermost(const struct weir_brief *brief)
{
	return HAS_FRAMES &&
	       brief->depth == (brief->flags & WEIR_EVENT_VFORK ? 1 : 0) &&
	       brief->thread->address != UINTPTR_MAX;
}

void weir_callsite_add(struct weir_brief *brief)
{
	struct weir_encoded *d = &brief->thread->detail;
	uintptr_t chain[MOST], before = 0;
	uint32_t n, used;

	if (!is_outermost(brief))
		return;
	n = walk(brief, chain);
	if (!brief->has_detail)
		weir_encoded_begin(d); /* the role wrote none */
	if (d->used + MOST_BYTES > WEIR_ENCODE_ROOM)
		return;
	used = d->used;
	for (uint32_t i = 0; i < n; i++) {
		weir_encode_signed(d, (int64_t)(chain[i] - before));
		before = chain[i];
	}
	d->bytes[d->used] = (uint8_t)(d->used - used);
	d->used++;
	brief->has_detail = true;
	brief->flags |= WEIR_EVENT_SITE;
}
