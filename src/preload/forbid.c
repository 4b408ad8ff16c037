/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps calls by which a program may forbid itself, and us, system calls. */
#include "preload/forbid.h"

#include "base/sys.h"
#include "capture/roles/confine.h"
#include "forward/divert/divert.h"
#include "gate/confined.h"
#include "gate/gate.h"
#include "gate/next.h"

#include <stdarg.h>
#include <stddef.h>

#define WEIR_EXPORT __attribute__((visibility("default")))

#define SET_SECCOMP	   22 /* PR_SET_SECCOMP */
#define SET_SECCOMP_STRICT 1
#define SET_COUNTER	   26 /* PR_SET_TSC */
#define SET_COUNTER_FAULTS 2
#define SECCOMP_SET_STRICT 0
#define SECCOMP_SET_FILTER 1

/* As libc's own, until it is known who comes after us. */
static long call_directly(long number, ...)
{
	va_list list;
	long arg[6], ret;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(list, long);
	va_end(list);
	ret = weir_sys6(number, arg[0], arg[1], arg[2], arg[3], arg[4],
			arg[5]);
	if (!weir_sys_failed(ret))
		return ret;
	weir_gate_set_errno((int)-ret);
	return -1;
}

long (*weir_forbid_syscall)(long number, ...) = call_directly;
static int (*next_prctl)(int option, ...);

void weir_forbid_resolve(void)
{
	static const struct weir_next_slot slots[] = {
		{ "syscall", NULL, (void **)&weir_forbid_syscall },
		{ "prctl", NULL, (void **)&next_prctl },
	};

	weir_next_fill(slots, sizeof(slots) / sizeof(slots[0]));
}

static void prepare_to_forbid(void)
{
	weir_divert_confine();
	weir_confine_prepare();
}

static void mute(void)
{
	weir_divert_confine();
	weir_confine_mute();
}

/* Without a program it is only a question whether the kernel knows it. */
void weir_forbid_seccomp(long number, long operation, long flags,
			  const void *program)
{
	int err = weir_gate_errno();

	if (operation == SECCOMP_SET_STRICT)
		mute();
	else if (operation == SECCOMP_SET_FILTER && program)
		prepare_to_forbid();
	weir_gate_set_errno(err);
}

static void prepare_for(int option, long value)
{
	if ((option == SET_SECCOMP && value == SET_SECCOMP_STRICT) ||
	    (option == SET_COUNTER && value == SET_COUNTER_FAULTS))
		mute();
	else if (option == SET_SECCOMP)
		prepare_to_forbid();
}

WEIR_EXPORT int prctl(int option, ...)
{
	bool before = weir_confined;
	va_list list;
	long arg[4];
	int ret;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(list, long);
	va_end(list);
	prepare_for(option, arg[0]);
	ret = next_prctl ?
		      next_prctl(option, arg[0], arg[1], arg[2], arg[3]) :
		      (int)call_directly(SYS_prctl, (long)option, arg[0],
					 arg[1], arg[2], arg[3], 0L);
	if (ret)
		weir_confined = before;
	return ret;
}
