/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel when a process of this machine started. */
#include "trace/facts/procstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct told {
	char state;
	unsigned long long start;
};

/* Fields 3 and 22 of /proc/PID/stat, behind the name's closing bracket. */
static bool read_stat(uint32_t pid, struct told *ret_told)
{
	char path[32], text[1024], *at;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	at = strrchr(text, ')');
	return at && sscanf(at + 1,
			    " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
			    " %*s %*s %*s %*s %*s %*s %*s %llu",
			    &ret_told->state, &ret_told->start) == 2;
}

uint64_t weir_procstat_start(uint32_t pid)
{
	struct told told;

	return read_stat(pid, &told) ? told.start : 0;
}

bool weir_procstat_runs(uint32_t pid, uint64_t start)
{
	struct told told;

	return read_stat(pid, &told) && told.start == start &&
	       told.state != 'Z' && told.state != 'X';
}
