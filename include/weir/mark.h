/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks for the trace that `weir run` records: regions, phases and time steps
 * of a program, by its own words. There is nothing to link with. In a program
 * that is not recorded each mark is a load and a test; so it is in a
 * statically linked one, which cannot be recorded.
 *
 * All may be called by any thread at any time, also in a signal handler. errno
 * stays what it was. Names are copied, of a name longer than 4 KiB that much.
 *
 *	weir_mark_begin("assemble");
 *	...
 *	weir_mark_end("assemble");
 */
#ifndef WEIR_MARK_H
#define WEIR_MARK_H

/* What is marked; the numbers are for ever. */
enum weir_mark {
	WEIR_MARK_BEGIN = 1,  /* a region begins, for the calling thread */
	WEIR_MARK_END = 2,    /* and ends */
	WEIR_MARK_PHASE = 3,  /* the program is in another phase from now on */
	WEIR_MARK_STEP = 4,   /* and in the time step of this number */
	WEIR_MARK_PAUSE = 5,  /* the process's calls are not to be recorded */
	WEIR_MARK_RESUME = 6  /* they are, from now on */
};

typedef void weir_mark_put_function(int what, const char *name,
				    long long number);

/*
 * The recorder's function; null when it is not there. A weak reference in C
 * would be taken for null by the linkers of programs that are not
 * position-independent, unless it stands in the global offset table.
 */
static inline weir_mark_put_function *weir_mark_recorder(void)
{
	weir_mark_put_function *put = 0;

#if defined(__ELF__) && defined(__x86_64__) && !defined(__ILP32__)
	__asm__(".weak weir_mark_put\n\t"
		"movq weir_mark_put@GOTPCREL(%%rip), %0" : "=r"(put));
#elif defined(__ELF__) && defined(__aarch64__) && !defined(__ILP32__)
	__asm__(".weak weir_mark_put\n\t"
		"adrp %0, :got:weir_mark_put\n\t"
		"ldr %0, [%0, #:got_lo12:weir_mark_put]" : "=r"(put));
#elif defined(__ELF__) && defined(__s390x__)
	__asm__(".weak weir_mark_put\n\t"
		"lgrl %0, weir_mark_put@GOTENT" : "=d"(put));
#endif
	return put;
}

static inline void weir_mark_tell(int what, const char *name, long long number)
{
	weir_mark_put_function *put = weir_mark_recorder();

	if (put)
		put(what, name, number);
}

/* A region of the calling thread; regions may lie in each other. */
static inline void weir_mark_begin(const char *name)
{
	weir_mark_tell(WEIR_MARK_BEGIN, name, 0);
}

static inline void weir_mark_end(const char *name)
{
	weir_mark_tell(WEIR_MARK_END, name, 0);
}

/* From now on the program is in this phase: up to the next one. */
static inline void weir_mark_phase(const char *name)
{
	weir_mark_tell(WEIR_MARK_PHASE, name, 0);
}

/* From now on the program computes this time step. */
static inline void weir_mark_step(long long number)
{
	weir_mark_tell(WEIR_MARK_STEP, 0, number);
}

/*
 * Switch recording off and on, for this process and those that it forks. Calls
 * that are not recorded are counted. A process that has said so does not
 * follow the signal of `weir run --switch` any more; with `weir run --paused`
 * recording begins at the first weir_mark_resume. Marks themselves are
 * recorded in any case.
 */
static inline void weir_mark_pause(void)
{
	weir_mark_tell(WEIR_MARK_PAUSE, 0, 0);
}

static inline void weir_mark_resume(void)
{
	weir_mark_tell(WEIR_MARK_RESUME, 0, 0);
}

/*
 * WEIR_MARK_SCOPE("name"); is a region up to the end of the block it stands
 * in, however that is left: return, break, goto, an exception of C++; not
 * longjmp. Only where the compiler has the attribute `cleanup`.
 */
#if defined(__GNUC__)
static inline const char *weir_mark_enter(const char *name)
{
	weir_mark_begin(name);
	return name;
}

static inline void weir_mark_leave(const char **name)
{
	weir_mark_end(*name);
}

#define WEIR_MARK_JOIN_(a, b) a##b
#define WEIR_MARK_JOIN(a, b)  WEIR_MARK_JOIN_(a, b)
#define WEIR_MARK_SCOPE(name)                                             \
	const char *WEIR_MARK_JOIN(weir_mark_scope_, __LINE__)            \
		__attribute__((cleanup(weir_mark_leave), unused)) =       \
			weir_mark_enter(name)
#endif

#endif
