/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel when a process of this machine started. */
#include "trace/facts/procstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXITING 4 /* a flag of the kernel */

struct told {
	char state;
	unsigned flags;
	unsigned long long start;
	int status;
};

/* Fields 3, 9, 22 and 52 of /proc/PID/stat, behind the closing bracket. */
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
			    " %c %*s %*s %*s %*s %*s %u %*s %*s %*s %*s %*s"
			    " %*s %*s %*s %*s %*s %*s %*s %llu %*s %*s %*s"
			    " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
			    " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
			    " %*s %*s %*s %*s %d",
			    &ret_told->state, &ret_told->flags,
			    &ret_told->start, &ret_told->status) == 4;
}

uint64_t weir_procstat_start(uint32_t pid)
{
	struct told told;

	return read_stat(pid, &told) ? told.start : 0;
}

enum weir_procstat_stage weir_procstat_look(uint32_t pid, uint64_t start,
					    int *ret_status)
{
	struct told told;

	if (!read_stat(pid, &told) || told.start != start || told.state == 'X')
		return WEIR_PROCSTAT_NONE;
	if (told.state == 'Z')
		*ret_status = told.status;
	return told.state == 'Z'      ? WEIR_PROCSTAT_ENDED
	       : told.flags & EXITING ? WEIR_PROCSTAT_ENDING
				      : WEIR_PROCSTAT_RUNS;
}

bool weir_procstat_runs(uint32_t pid, uint64_t start)
{
	struct told told;

	return read_stat(pid, &told) && told.start == start &&
	       told.state != 'Z' && told.state != 'X';
}
