/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deny NUMBER [COMMAND...]: runs it behind a filter that refuses one system
 * call; without a command, forks behind it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int refuse(unsigned number)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {4, steps};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv)
{
	if (argc < 2 || refuse((unsigned)atoi(argv[1])))
		return 1;
	if (argc > 2) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		return 1;
	}
	if (!fork())
		_exit(open("data.txt", O_RDONLY) < 0);
	wait(NULL);
	return 0;
}
