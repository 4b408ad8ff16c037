/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the calls that no row of a table can describe. */
#include "preload/by_hand.h"

#include "base/sys.h"
#include "capture/call/threadlife.h"
#include "capture/digests/digests.h"
#include "capture/record/objects.h"
#include "capture/record/pass.h"
#include "capture/roles/role.h"
#include "capture/session.h"
#include "forward/divert/divert.h"
#include "gate/next.h"
#include "spec/calls.h"
#include "spec/real.h"

#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#define WEIR_EXPORT __attribute__((visibility("default")))

/* As in <signal.h>, whose declarations would collide with ours. */
struct signal_stack {
	void *low;
	int flags;
	size_t bytes;
};

/*
 * Where the signal stack is tells apart calls that a longjmp left from
 * calls that a handler interrupted.
 */
WEIR_EXPORT int sigaltstack(const void *new_stack, void *old_stack)
{
	const struct signal_stack *stack = new_stack;
	struct weir_thread *t = weir_thread_self;
	long err = weir_sys2(SYS_sigaltstack, new_stack, old_stack);

	if (err) {
		weir_gate_set_errno((int)-err);
		return -1;
	}
	/* Called by sanitizers too, before anything else may be. */
	if (stack && weir_thread_recording)
		t = weir_threadlife_begin(
			(uintptr_t)__builtin_frame_address(0));
	if (stack && t && t->state == WEIR_THREAD_READY) {
		t->alt_low = (uintptr_t)stack->low;
		t->alt_high = t->alt_low + stack->bytes;
	}
	return 0;
}

/* Found behind us at first use: the program's own library has it. */
WEIR_EXPORT int dlclose(void *library)
{
	static int (*next)(void *library);
	static const struct weir_next_slot slot = { "dlclose", NULL,
						    (void **)&next };
	int ret = -1;

	if (!next)
		weir_next_fill(&slot, 1);
	if (next)
		ret = next(library);
	weir_real_forget();
	weir_objects_forget();
	return ret;
}

/*
 * The arguments of execl and its kind, as many as there are, as a list. The
 * caller's stack holds them already; ours holds them once more, as libc's.
 */
static size_t count_words(const char *first, va_list list)
{
	size_t count = 1;

	for (const char *word = first; word; word = va_arg(list, const char *))
		count++;
	return count;
}

#define WORDS(first, list) \
	__builtin_alloca(count_words(first, list) * sizeof(char *))

static void take_words(char **argv, const char *first, va_list list)
{
	*argv = (char *)first;
	while (*argv)
		*++argv = va_arg(list, char *);
}

WEIR_EXPORT int execl(const char *path, const char *first, ...)
{
	va_list list;
	char **argv;

	va_start(list, first);
	argv = WORDS(first, list);
	va_end(list);
	va_start(list, first);
	take_words(argv, first, list);
	va_end(list);
	return execv(path, argv);
}

WEIR_EXPORT int execlp(const char *file, const char *first, ...)
{
	va_list list;
	char **argv;

	va_start(list, first);
	argv = WORDS(first, list);
	va_end(list);
	va_start(list, first);
	take_words(argv, first, list);
	va_end(list);
	return execvp(file, argv);
}

WEIR_EXPORT int execle(const char *path, const char *first, ...)
{
	va_list list;
	char **argv, **envp;

	va_start(list, first);
	argv = WORDS(first, list);
	envp = va_arg(list, char **);
	va_end(list);
	va_start(list, first);
	take_words(argv, first, list);
	va_end(list);
	return execve(path, argv, envp);
}

/* No destructor runs then: what was written is told now. */
static __attribute__((noreturn)) void end_at_once(int status)
{
	if (weir_thread_recording && !weir_thread_self->vforks &&
	    weir_thread_self->state != WEIR_THREAD_BUSY)
		weir_digests_end();
	weir_session_hint_exit();
	weir_divert_end();
	for (;;)
		weir_sys1(SYS_exit_group, status);
}

WEIR_EXPORT __attribute__((noreturn)) void _exit(int status)
{
	end_at_once(status);
}

WEIR_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
	end_at_once(status);
}

/*
 * The child of vfork runs in our memory until it execs: the calls it makes
 * are recorded here, marked, and must not touch our idea of descriptors.
 * The parent cannot run meanwhile, so one pass a thread is enough.
 */
static __thread struct weir_pass pass
	__attribute__((tls_model("initial-exec")));
static __thread unsigned nesting
	__attribute__((tls_model("initial-exec")));

void weir_by_hand_vfork_enter(void)
{
	struct weir_args args = { .call = WEIR_CALL_VFORK,
				  .dirfd = WEIR_GATE_AT_FDCWD,
				  .other = -1 };

	weir_divert_vfork(1);
	if (nesting++)
		return; /* a vfork child that vforks: too deep to follow */
	if (!weir_observe_enter(&pass)) {
		pass.thread = NULL;
		return;
	}
	/* It encloses all calls until the parent goes on, wherever they are. */
	pass.address = UINTPTR_MAX;
	weir_role_spawn_before(&pass, &args);
	pass.thread->vforks = 1;
}

long weir_by_hand_vfork_leave(long pid)
{
	struct weir_args args = { .call = WEIR_CALL_VFORK,
				  .ret = pid < 0 ? -1 : pid,
				  .failed = pid < 0,
				  .err = pid < 0 ? (int)-pid : 0 };

	weir_divert_vfork(-1);
	if (!--nesting && pass.thread) {
		pass.thread->vforks = 0;
		if (weir_observe_leave(&pass))
			weir_role_spawn_after(&pass, &args);
	}
	if (pid >= 0)
		return pid;
	weir_gate_set_errno((int)-pid);
	return -1;
}
