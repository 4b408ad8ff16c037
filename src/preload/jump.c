/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A jump out of a signal handler may leave our own code for ever. It is
 * enough to know that there was one.
 */
#include "preload/jump.h"

#include "capture/call/threadlife.h"
#include "forward/link/self.h"
#include "gate/next.h"

#define WEIR_EXPORT __attribute__((visibility("default")))

typedef void jump(void *to, int value);

enum {
	PLAIN,
	UNDERSCORE,
	SIGNAL,
	CHECKED,
	COUNT,
};

static jump *next[COUNT];

void weir_jump_resolve(void)
{
	static const struct weir_next_slot slots[] = {
		{ "longjmp", NULL, (void **)&next[PLAIN] },
		{ "_longjmp", NULL, (void **)&next[UNDERSCORE] },
		{ "siglongjmp", NULL, (void **)&next[SIGNAL] },
		{ "__longjmp_chk", NULL, (void **)&next[CHECKED] },
	};

	weir_next_fill(slots, COUNT);
}

static __attribute__((noreturn)) void pass_on(int which, void *to, int value)
{
	if (!next[which])
		weir_jump_resolve();
	weir_threadlife_jumped();
	weir_self_note_jump();
	next[which](to, value);
	__builtin_unreachable();
}

WEIR_EXPORT void longjmp(void *to, int value)
{
	pass_on(PLAIN, to, value);
}

WEIR_EXPORT void _longjmp(void *to, int value)
{
	pass_on(UNDERSCORE, to, value);
}

WEIR_EXPORT void siglongjmp(void *to, int value)
{
	pass_on(SIGNAL, to, value);
}

WEIR_EXPORT void __longjmp_chk(void *to, int value)
{
	pass_on(CHECKED, to, value);
}
