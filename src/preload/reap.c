/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the calls that wait for children: the collector learns how they end. */
#include "preload/reap.h"

#include "base/sys.h"
#include "capture/memory/control.h"
#include "gate/gate.h"
#include "gate/next.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define WEIR_EXPORT __attribute__((visibility("default")))

static pid_t (*next_wait)(int *status);
static pid_t (*next_waitpid)(pid_t pid, int *status, int options);
static pid_t (*next_wait3)(int *status, int options, struct rusage *usage);
static pid_t (*next_wait4)(pid_t pid, int *status, int options,
			   struct rusage *usage);
static int (*next_waitid)(idtype_t type, id_t id, siginfo_t *info, int options);

void weir_reap_resolve(void)
{
	static const struct weir_next_slot slots[] = {
		{ "wait", NULL, (void **)&next_wait },
		{ "waitpid", NULL, (void **)&next_waitpid },
		{ "wait3", NULL, (void **)&next_wait3 },
		{ "wait4", NULL, (void **)&next_wait4 },
		{ "waitid", NULL, (void **)&next_waitid },
	};

	weir_next_fill(slots, sizeof(slots) / sizeof(slots[0]));
}

/* Somebody's constructor may wait before ours has run. */
static bool is_resolved(void)
{
	if (!next_waitid)
		weir_reap_resolve();
	return next_waitid;
}

static pid_t tell(pid_t pid, int status)
{
	if (pid > 0 && (WIFEXITED(status) || WIFSIGNALED(status)))
		weir_control_tell_end((uint32_t)pid, status);
	return pid;
}

static long answer(long ret)
{
	if (!weir_sys_failed(ret))
		return ret;
	weir_gate_set_errno((int)-ret);
	return -1;
}

/* As libc's own, where none is found behind us. */
static pid_t wait_directly(pid_t pid, int *status, int options,
			   struct rusage *usage)
{
	return (pid_t)answer(weir_sys4(SYS_wait4, pid, status, options, usage));
}

WEIR_EXPORT pid_t wait(int *ret_status)
{
	int own, *status = ret_status ? ret_status : &own;
	pid_t pid = is_resolved() ? next_wait(status)
				  : wait_directly(-1, status, 0, NULL);

	return pid > 0 ? tell(pid, *status) : pid;
}

WEIR_EXPORT pid_t waitpid(pid_t which, int *ret_status, int options)
{
	int own, *status = ret_status ? ret_status : &own;
	pid_t pid = is_resolved() ? next_waitpid(which, status, options)
				  : wait_directly(which, status, options, NULL);

	return pid > 0 ? tell(pid, *status) : pid;
}

WEIR_EXPORT pid_t wait3(int *ret_status, int options, struct rusage *usage)
{
	int own, *status = ret_status ? ret_status : &own;
	pid_t pid = is_resolved() ? next_wait3(status, options, usage)
				  : wait_directly(-1, status, options, usage);

	return pid > 0 ? tell(pid, *status) : pid;
}

WEIR_EXPORT pid_t wait4(pid_t which, int *ret_status, int options,
			struct rusage *usage)
{
	int own, *status = ret_status ? ret_status : &own;
	pid_t pid = is_resolved()
			    ? next_wait4(which, status, options, usage)
			    : wait_directly(which, status, options, usage);

	return pid > 0 ? tell(pid, *status) : pid;
}

/* What wait() would have told of the same end; others are no end. */
static void tell_info(const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		tell(info->si_pid, W_EXITCODE(info->si_status & 0xff, 0));
	else if (info->si_code == CLD_KILLED)
		tell(info->si_pid, W_EXITCODE(0, info->si_status));
	else if (info->si_code == CLD_DUMPED)
		tell(info->si_pid, W_EXITCODE(0, info->si_status | WCOREFLAG));
}

/* Where nobody is to be told, the kernel leaves the number 0. */
WEIR_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *ret_info, int options)
{
	siginfo_t own = { 0 }, *info = ret_info ? ret_info : &own;
	int ret = is_resolved()
			  ? next_waitid(type, id, info, options)
			  : (int)answer(weir_sys6(SYS_waitid, type, id, info,
						  options, NULL, 0));

	if (!ret && info->si_pid > 0)
		tell_info(info);
	return ret;
}

__attribute__((alias("wait"))) WEIR_EXPORT pid_t __wait(int *ret_status);
__attribute__((alias("waitpid"))) WEIR_EXPORT pid_t __waitpid(pid_t which,
							      int *ret_status,
							      int options);
