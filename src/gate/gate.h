/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercepts the calls of the application, the room gate. It knows the next
 * functions, what each descriptor stands for and where its offset is. It
 * never allocates, locks or logs.
 *
 * Three stations may stand at a call, in this order: it is adjusted (a plan),
 * diverted (a file is forwarded) and observed (recorded). Its row in the tables
 * of calls says which: `adjust`, `divert` or `around`, and the role. Every call
 * on a descriptor has a station for forwarding, or stands in spec/unforwarded
 * with the reason why the kernel's answer is right.
 */
#ifndef WEIR_GATE_GATE_H
#define WEIR_GATE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#define WEIR_GATE_ENOSYS   38
#define WEIR_GATE_EFAULT   14
#define WEIR_GATE_AT_FDCWD (-100)

/*
 * The hot path is one function a call: only then the compiler sees that most
 * of struct weir_args is never needed.
 */
#define WEIR_GATE_HOT static inline __attribute__((always_inline))

#define weir_gate_likely(x)   __builtin_expect(!!(x), 1)
#define weir_gate_unlikely(x) __builtin_expect(!!(x), 0)

/* For our other objects. Protected: our own calls are bound to it at once. */
#ifdef WEIR_LAYER
#define WEIR_GATE_DOOR __attribute__((visibility("default")))
#else
#define WEIR_GATE_DOOR __attribute__((visibility("protected")))
#endif

/* The wrappers include no libc header, so errno is reached by hand. */
extern int *__errno_location(void) __attribute__((const));

static inline int weir_gate_errno(void)
{
	return *__errno_location();
}

static inline void weir_gate_set_errno(int err)
{
	*__errno_location() = err;
}

/*
 * Some calls tell failure only by setting errno. A value that no call sets
 * stands there while they run, and is taken away again if it stayed.
 */
#define WEIR_GATE_HUSHED 0x7ee1

static inline int weir_gate_hush(void)
{
	int err = weir_gate_errno();

	weir_gate_set_errno(WEIR_GATE_HUSHED);
	return err;
}

static inline bool weir_gate_said(void)
{
	return weir_gate_errno() && weir_gate_errno() != WEIR_GATE_HUSHED;
}

static inline void weir_gate_unhush(int err)
{
	if (weir_gate_errno() == WEIR_GATE_HUSHED)
		weir_gate_set_errno(err);
}

struct weir_stream;

/* As fopencookie's last argument is passed. */
typedef struct {
	void *functions[4];
} weirgatecookie;

/* What is told below a call, by its role, as soon as it has a handle. */
struct weir_pass;
struct weir_beside {
	void (*tell)(struct weir_beside *beside, const struct weir_pass *pass);
};

/* What a wrapper knows of its call; roles read and complete it. */
struct weir_args {
	uint16_t call;
	bool has_fd;
	bool has_off;
	bool failed;
	int fd;
	int other; /* the second descriptor of calls that have two */
	int dirfd;
	int dirfd2; /* of the second path */
	uint32_t base; /* not 0: where dirfd was as the call began */
	int flags;
	int err;
	int64_t off;
	uint64_t size;
	int64_t ret;
	const char *path;
	const void *iov;
	uint64_t iovcnt;
	const int *pair;
	const void *object; /* a DIR, a control block: what the call is on */
	const void *timeout;
	uint64_t len2; /* how long the mapping is to be */
	struct weir_stream *stream;
	const char *mode; /* of a stream that is opened */
	uint64_t unit; /* bytes of one of its items */
	uint64_t moved; /* by a call on a stream */
	bool unsure; /* that may not be all */
	const void *data; /* what is to be written */
	const void *memory; /* of a transfer, where it is in one place */
	int letter; /* or one letter or word of it */
	int prot; /* of what is mapped */
	struct weir_beside *beside; /* of a call that opens; NULL: nothing */
};

#endif
