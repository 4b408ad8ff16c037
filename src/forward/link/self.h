/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells who a thread is in memory that processes share, so that others can find
 * out whether it lives. Forked children are found out by themselves: there is a
 * page that the kernel wipes in them.
 */
#ifndef WEIR_LINK_SELF_H
#define WEIR_LINK_SELF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_SELF_TID	  UINT32_C(0x3fffffff)
#define WEIR_SELF_FOREIGN UINT32_C(0x80000000) /* of another pid namespace */

#define WEIR_SELF_CHUNKS  2 /* the second is for signal handlers */

struct weir_self {
	uint32_t process;		   /* for which the rest was found */
	uint32_t owner;			   /* thread id, perhaps FOREIGN */
	uint32_t chunks[WEIR_SELF_CHUNKS]; /* that it fills, + 1; 0: none */
	uint32_t vain;	/* looks for an answer, one after the other */
	uint32_t jumps; /* so many */
	uint64_t stamp; /* of its last record */
};

/* What a forked child begins with as zeros. */
struct weir_self_page {
	_Atomic uint32_t process;      /* any number but 0: somebody looked */
	_Atomic uint32_t attaching;    /* thread that does; 0: nobody */
	_Atomic uint32_t handing_over; /* somebody does */
};

extern __thread struct weir_self weir_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
extern struct weir_self_page *weir_self_page;

/* Once, from the constructor. */
void weir_self_begin(void);
/* This process attaches: here the numbers of threads mean something. */
void weir_self_settle(void);
/* In a child, where the kernel does not wipe. */
void weir_self_forked(void);

/* Out of line: another process than last time. */
uint32_t weir_self_find(void);

static inline uint32_t weir_self_owner(void)
{
	if (__builtin_expect(
		    weir_self.process ==
			    atomic_load_explicit(&weir_self_page->process,
						 memory_order_relaxed),
		    1))
		return weir_self.owner;
	return weir_self_find();
}

/* Where numbers of processes mean the same; 0: nobody can tell. */
uint64_t weir_self_pid_namespace(void);

/* An owner that has ended. In doubt it has not. */
bool weir_self_has_ended(uint32_t owner);

/*
 * A jump (longjmp): if a signal handler makes it, it leaves what we were doing
 * for ever. What was begun before the last one is taken as left.
 */
static inline void weir_self_note_jump(void)
{
	weir_self.jumps++;
}

/* Names of files may mean others than at the beginning (chroot, mounts). */
bool weir_self_has_moved(void);

/* More processors than one: what is waited for may come while we look. */
extern bool weir_self_may_spin;

static inline void weir_self_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
