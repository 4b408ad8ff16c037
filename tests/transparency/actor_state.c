/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a program can know about itself, written into a file. */
#include "actor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void tell_descriptors(FILE *out)
{
	struct stat st;

	for (int fd = 0; fd < 1024; fd++) {
		if (fd == fileno(out) || fstat(fd, &st))
			continue;
		fprintf(out, "fd %d: type %o flags %x descriptor flags %x\n",
			fd, st.st_mode & S_IFMT, fcntl(fd, F_GETFL),
			fcntl(fd, F_GETFD));
	}
}

/* What the kernel lists must be what was found by trying. */
static void tell_entries(FILE *out, const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	while (dir && readdir(dir))
		count++;
	fprintf(out, "%s: %d entries\n", path, count);
	if (dir)
		closedir(dir);
}

static void tell_children(FILE *out)
{
	int got = waitpid(-1, NULL, WNOHANG);

	fprintf(out, "waitpid: %d, %s\n", got, got < 0 ? strerror(errno) : "");
}

static void tell_signals(FILE *out)
{
	struct sigaction now;
	sigset_t blocked, pending;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	sigpending(&pending);
	for (int i = 1; i < 65; i++) {
		if (sigaction(i, NULL, &now))
			continue;
		fprintf(out, "signal %d: %s%s%s flags %x\n", i,
			now.sa_handler == SIG_DFL   ? "default"
			: now.sa_handler == SIG_IGN ? "ignored"
						    : "caught",
			sigismember(&blocked, i) ? " blocked" : "",
			sigismember(&pending, i) ? " pending" : "",
			(unsigned)now.sa_flags);
	}
}

static void tell_limits(FILE *out)
{
	struct rlimit both;

	for (int i = 0; i < RLIM_NLIMITS; i++) {
		if (!getrlimit((__rlimit_resource_t)i, &both))
			fprintf(out, "limit %d: %llx %llx\n", i,
				(unsigned long long)both.rlim_cur,
				(unsigned long long)both.rlim_max);
	}
}

/* A number that is another in each run says only that it is ours. */
static int unless_own(int number)
{
	return number == getpid() ? 0 : number;
}

static void tell_place(FILE *out)
{
	mode_t mask = umask(0);
	char cwd[4096];
	cpu_set_t set;

	umask(mask);
	sched_getaffinity(0, sizeof(set), &set);
	fprintf(out, "umask %o nice %d cwd %s\n", mask,
		getpriority(PRIO_PROCESS, 0), getcwd(cwd, sizeof(cwd)));
	fprintf(out, "uid %d %d gid %d %d policy %d processors %d\n",
		getuid(), geteuid(), getgid(), getegid(),
		sched_getscheduler(0), CPU_COUNT(&set));
	fprintf(out, "group %d session %d terminal's %d %d\n",
		unless_own(getpgrp()), unless_own(getsid(0)),
		(int)tcgetpgrp(0), open("/dev/tty", O_RDWR) >= 0);
	fprintf(out, "dumpable %d subreaper-like %d secure %lu slack %d\n",
		prctl(PR_GET_DUMPABLE), prctl(PR_GET_KEEPCAPS),
		getauxval(AT_SECURE), prctl(PR_GET_TIMERSLACK));
}

/* The lines of a file that begin with one of the words. */
static void tell_lines(FILE *out, const char *path, const char *const *words)
{
	FILE *in = fopen(path, "r");
	char line[4096];

	while (in && fgets(line, sizeof(line), in)) {
		for (size_t i = 0; words[i]; i++) {
			if (!strncmp(line, words[i], strlen(words[i])))
				fputs(line, out);
		}
	}
	if (in)
		fclose(in);
}

static int tell_state(int argc, char **argv)
{
	static const char *const words[] = {
		"Name:",  "Umask:",  "State:",	 "Groups:",
		"VmLck:", "VmPin:",  "Threads:", "SigBlk:",	"SigIgn:",
		"SigCgt:", "SigPnd:", "CapInh:", "CapPrm:",	"CapEff:",
		"CapBnd:", "CapAmb:", "NoNewPrivs:", "Seccomp",	"THP_enabled:",
		NULL,
	};
	static const char *const all[] = {"", NULL};
	FILE *out = fopen(argc > 1 ? argv[1] : "state", "we");

	if (!out)
		return 1;
	tell_descriptors(out);
	tell_entries(out, "/proc/self/fd");
	tell_entries(out, "/proc/self/task");
	tell_children(out);
	tell_signals(out);
	tell_limits(out);
	tell_place(out);
	tell_lines(out, "/proc/self/status", words);
	tell_lines(out, "/proc/self/coredump_filter", all);
	tell_lines(out, "/proc/self/oom_score_adj", all);
	tell_lines(out, "/proc/self/cgroup", all);
	for (char **one = environ; *one; one++)
		fprintf(out, "environment: %s\n", *one);
	fclose(out);
	printf("told\n");
	fprintf(stderr, "told too\n");
	return 0;
}

/* A moderate limit leaves room for what a program asks for. */
static int take_memory(int argc, char **argv)
{
	size_t mega = argc > 1 ? strtoul(argv[1], NULL, 0) : 64;
	char *block = malloc(mega << 20);

	if (!block) {
		printf("no %zu MB: %s\n", mega, strerror(errno));
		return 1;
	}
	memset(block, 1, mega << 20);
	printf("%zu MB, the last byte is %d\n", mega, block[(mega << 20) - 1]);
	free(block);
	return 0;
}

const struct actor actor_state[] = {
	{"state", tell_state},
	{"memory", take_memory},
	{NULL, NULL},
};
