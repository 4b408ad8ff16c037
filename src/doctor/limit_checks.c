/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the limits on what a process may use. */
#include "doctor/check.h"
#include "doctor/patient.h"
#include "trace/layout/live_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* As large as a live file may grow; no process begins below this. */
#define FILE_BYTES                                                            \
	(WEIR_LIVE_HEAD_BYTES +                                               \
	 (uint64_t)WEIR_LIVE_UNITS * WEIR_LIVE_UNIT_BYTES)
#define MEMORY_BYTES  (UINT64_C(32) << 20) /* beside the buffer */
#define PROCESSES     3 /* weir run, its collector, the command */

/* What who needs, as measured: weir run and the program; the collector. */
static const struct {
	unsigned descriptors; /* open at a time */
	uint64_t addresses;   /* bytes, beside the buffer */
} needs[] = {
	{5, UINT64_C(12) << 20},
	{7, UINT64_C(76) << 20},
};

/* A limit that cannot be asked for is taken for none. */
static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit))
		return UINT64_MAX;
	return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

/* Writing beyond it kills by SIGXFSZ; the library refuses to begin instead. */
static enum weir_check_answer look_at_file_size(const struct weir_patient *p,
						int arg, char *where)
{
	uint64_t limit = limit_of(RLIMIT_FSIZE);

	if (limit >= FILE_BYTES)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "RLIMIT_FSIZE is %llu bytes, %llu are "
				"needed (ulimit -f)", (unsigned long long)limit,
				(unsigned long long)FILE_BYTES);
}

/* How large the trace will be is not known: any limit is worth a note. */
static enum weir_check_answer look_at_trace_size(const struct weir_patient *p,
						 int arg, char *where)
{
	uint64_t limit = limit_of(RLIMIT_FSIZE);

	if (limit < FILE_BYTES)
		return WEIR_CHECK_UNASKED;
	if (limit == UINT64_MAX)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "RLIMIT_FSIZE is %llu bytes",
				(unsigned long long)limit);
}

/* arg: whose needs. Numbers below the limit that nothing is open under. */
static enum weir_check_answer look_at_descriptors(const struct weir_patient *p,
						  int arg, char *where)
{
	uint64_t limit = limit_of(RLIMIT_NOFILE);
	unsigned spare = 0, needed = needs[arg].descriptors;

	for (int fd = 0; (uint64_t)fd < limit && spare < needed; fd++)
		spare += fcntl(fd, F_GETFD) < 0 && errno == EBADF;
	if (spare == needed)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "RLIMIT_NOFILE is %llu, of which %u are "
				"free; %u are needed (ulimit -n)",
				(unsigned long long)limit, spare, needed);
}

/* arg: whose needs. */
static enum weir_check_answer look_at_addresses(const struct weir_patient *p,
						int arg, char *where)
{
	uint64_t limit = limit_of(RLIMIT_AS);
	uint64_t needed = needs[arg].addresses + p->buffer;

	if (limit >= needed)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "RLIMIT_AS is %llu bytes, %llu are "
				"needed (ulimit -v)", (unsigned long long)limit,
				(unsigned long long)needed);
}

/* As many processes as needed, each the child of the one before; 0 or 1. */
static int start_processes(int more)
{
	pid_t pid = more ? fork() : 0;
	int status = 1;

	if (!more)
		return 0;
	if (!pid)
		_exit(start_processes(more - 1));
	if (pid < 0)
		return 1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !WIFEXITED(status) || WEXITSTATUS(status);
}

/*
 * Tried, not computed: the kernel counts all processes of the user, and root
 * has no limit.
 */
static enum weir_check_answer look_at_processes(const struct weir_patient *p,
						int arg, char *where)
{
	fflush(NULL);
	if (!start_processes(PROCESSES - 1))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "RLIMIT_NPROC is %llu for user %u, and "
				"%d processes more could not be started "
				"(ulimit -u)",
				(unsigned long long)limit_of(RLIMIT_NPROC),
				(unsigned)getuid(), PROCESSES - 1);
}

/* A file that is missing or says "max" sets no limit. */
static uint64_t read_limit(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long limit = UINT64_MAX;

	if (file && fscanf(file, "%llu", &limit) != 1)
		limit = UINT64_MAX; /* "max" */
	if (file)
		fclose(file);
	return limit;
}

/* The least limit of a group and those it is in; its file in `path`. */
static uint64_t least_limit(const char *root, char *group, const char *name,
			    char path[PATH_MAX])
{
	uint64_t least = UINT64_MAX, limit;
	char tried[PATH_MAX];
	char *slash = group;

	while (slash) {
		snprintf(tried, sizeof(tried), "%s%s/%s", root, group, name);
		limit = read_limit(tried);
		if (limit < least) {
			least = limit;
			memcpy(path, tried, sizeof(tried));
		}
		slash = strrchr(group, '/');
		if (slash)
			*slash = '\0';
	}
	return least;
}

/* NUMBER:CONTROLLERS:GROUP; without controllers it is of version 2. */
static uint64_t read_group(char *line, char path[PATH_MAX])
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!group)
		return UINT64_MAX;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	if (!strcmp(controllers, ":"))
		return least_limit("/sys/fs/cgroup", group, "memory.max", path);
	if (strcmp(controllers, ":memory"))
		return UINT64_MAX;
	return least_limit("/sys/fs/cgroup/memory", group,
			   "memory.limit_in_bytes", path);
}

/* The limit of any group above counts, and who is over it is killed. */
static enum weir_check_answer look_at_group(const struct weir_patient *p,
					    int arg, char *where)
{
	uint64_t needed = p->buffer + MEMORY_BYTES, limit = UINT64_MAX;
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[PATH_MAX], path[PATH_MAX];

	if (!file)
		return WEIR_CHECK_UNASKED;
	while (limit >= needed && fgets(line, sizeof(line), file))
		limit = read_group(line, path);
	fclose(file);
	if (limit >= needed)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%.600s is %llu bytes, %llu are needed",
				path, (unsigned long long)limit,
				(unsigned long long)needed);
}

const struct weir_check weir_limit_checks[] = {
	{ "limit-file-size", WEIR_CHECK_PREVENTS, look_at_file_size, 0,
	  "the limit of file sizes is smaller than the memory files of a "
	  "process",
	  "raise it: ulimit -f unlimited", "files may be large enough" },
	{ "limit-descriptors", WEIR_CHECK_PREVENTS, look_at_descriptors, 0,
	  "too few files may be open", "raise it: ulimit -n 1024",
	  "enough files may be open to record" },
	{ "limit-addresses", WEIR_CHECK_PREVENTS, look_at_addresses, 0,
	  "recording needs more memory than a process may have",
	  "raise it: ulimit -v unlimited; or use a smaller --buffer",
	  "processes may have enough memory to be recorded" },
	{ "limit-processes", WEIR_CHECK_PREVENTS, look_at_processes, 0,
	  "too few processes may be started",
	  "raise it: ulimit -u, or end some",
	  "enough processes may be started" },
	{ "limit-collector-files", WEIR_CHECK_CUTS, look_at_descriptors, 1,
	  "too few files may be open for the collector, which would end early",
	  "raise it: ulimit -n 1024", "enough files may be open to collect" },
	{ "limit-collector-memory", WEIR_CHECK_CUTS, look_at_addresses, 1,
	  "the collector needs more memory than it may have, and would end "
	  "early",
	  "raise it: ulimit -v unlimited",
	  "the collector may have its memory" },
	{ "cgroup-memory", WEIR_CHECK_CUTS, look_at_group, 0,
	  "recording needs more memory than the control group may have; the "
	  "kernel would kill its processes",
	  "ask for more memory, or use a smaller --buffer",
	  "the control group may have enough memory" },
	{ "limit-trace-size", WEIR_CHECK_NOTE, look_at_trace_size, 0,
	  "a trace that outgrows the limit of file sizes would be cut",
	  "raise it: ulimit -f unlimited", "a trace may be of any size" },
	{ 0 },
};
