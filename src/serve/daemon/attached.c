/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches programs that attached: a descriptor for each says when it has ended.
 */
#include "serve/daemon/attached.h"

#include "serve/state/state.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static struct {
	pid_t pid; /* 0: free */
	int fd;
} all[WEIR_STATE_SESSIONS];

static int find_program(pid_t pid)
{
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (all[i].pid == pid)
			return (int)i;
	return -1;
}

int weir_attached_add(pid_t pid, int *ret_fd)
{
	int place, fd;

	*ret_fd = -1;
	if (pid <= 0 || find_program(pid) >= 0)
		return 0;
	place = find_program(0);
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return errno == ESRCH ? -ESRCH : 0;
	if (place < 0) {
		close(fd);
		return 0;
	}
	all[place].pid = pid;
	all[place].fd = fd;
	*ret_fd = fd;
	return 0;
}

void weir_attached_remove(pid_t pid)
{
	int place = find_program(pid);

	if (place < 0)
		return;
	close(all[place].fd);
	all[place].pid = 0;
}
