/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that forbid themselves most system calls: one that is not on the
 * list kills them. What comes after must need nothing of its own.
 */
#include "actor.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 40

/* What these acts themselves call when the filter stands; ends with -1. */
static const int plain[] = {
	SYS_read, SYS_write, SYS_close, SYS_exit_group, SYS_exit, -1,
};
static const int threads[] = {
	SYS_read, SYS_write, SYS_close, SYS_exit_group, SYS_exit, SYS_openat,
	SYS_clone, SYS_clone3, SYS_futex, SYS_mmap, SYS_mprotect, SYS_munmap,
	SYS_madvise, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_brk,
	SYS_getrandom, SYS_set_robust_list, SYS_rseq, -1,
};
static const int forks[] = {
	SYS_read, SYS_write, SYS_close, SYS_exit_group, SYS_exit, SYS_openat,
	SYS_clone, SYS_wait4, SYS_set_robust_list, -1,
};

static int install(const int *allowed, int by_prctl)
{
	struct sock_filter code[2 * MOST + 4];
	struct sock_fprog program = {.filter = code};
	unsigned n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (; *allowed >= 0; allowed++) {
		code[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)*allowed, 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
							 SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						 SECCOMP_RET_KILL_PROCESS);
	program.len = (unsigned short)n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (by_prctl)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* Descriptors never used before, positions never asked for. */
static int filter_self(int argc, char **argv)
{
	int fd = open("filtered", O_RDWR | O_CREAT, 0600);
	char byte;

	if (fd < 0 || install(plain, argc > 1))
		return 1;
	for (int i = 0; i < 10; i++) {
		if (actor_put(fd, "under the filter\n") || read(0, &byte, 1))
			return 1;
	}
	close(fd);
	actor_put(1, "nobody else called anything\n");
	_exit(0);
}

/* The kernel's oldest filter: read, write and the end, nothing else. */
static int be_strict(int argc, char **argv)
{
	int fd = open("strict", O_RDWR | O_CREAT, 0600);

	if (fd < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 1;
	actor_put(fd, "strictly\n");
	actor_put(1, "read and write alone\n");
	return (int)syscall(SYS_exit, 0);
}

static void *write_one(void *number)
{
	return actor_file("in-thread", (int)(long)number, "x\n") ? "no" : NULL;
}

static int filter_threads(int argc, char **argv)
{
	pthread_t thread;
	void *trouble = "no";

	if (install(threads, argc > 1))
		return 1;
	for (long i = 0; i < 8; i++) {
		if (pthread_create(&thread, NULL, write_one, (void *)i) ||
		    pthread_join(thread, &trouble) || trouble)
			return 1;
	}
	actor_put(1, "eight threads under the filter\n");
	_exit(0);
}

static int filter_forks(int argc, char **argv)
{
	int status = 1;

	if (install(forks, argc > 1))
		return 1;
	for (int i = 0; i < 8; i++) {
		int pid = (int)syscall(SYS_clone, 17, 0, 0, 0, 0);

		if (!pid)
			_exit(actor_file("in-child", i, "x\n") ? 1 : 0);
		if (syscall(SYS_wait4, pid, &status, 0, 0) != pid || status)
			return 1;
	}
	actor_put(1, "eight children under the filter\n");
	_exit(0);
}

/* No clock but the kernel's; reading the processor's would be a fault. */
static int forbid_counter(int argc, char **argv)
{
	if (actor_file("before", 1, "a clock\n") ||
	    prctl(PR_SET_TSC, PR_TSC_SIGSEGV))
		return 1;
	actor_tell("file", actor_file("without", 1, "a clock\n"));
	actor_tell("allowed again", prctl(PR_SET_TSC, PR_TSC_ENABLE));
	actor_tell("file", actor_file("with", 1, "a clock\n"));
	return 0;
}

const struct actor actor_filters[] = {
	{"forbid-counter", forbid_counter},
	{"filter-self", filter_self},
	{"filter-threads", filter_threads},
	{"filter-forks", filter_forks},
	{"strict", be_strict},
	{NULL, NULL},
};
