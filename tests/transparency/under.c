/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a command under conditions: under WORD[=VALUE]... -- COMMAND...
 * What each word does is told by the table at the end.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int limit(int which, const char *value)
{
	struct rlimit both;

	both.rlim_cur = both.rlim_max = strtoull(value, NULL, 0);
	return setrlimit((__rlimit_resource_t)which, &both);
}

static int limit_files(const char *value)
{
	return limit(RLIMIT_NOFILE, value);
}

static int limit_size(const char *value)
{
	return limit(RLIMIT_FSIZE, value);
}

static int limit_memory(const char *value)
{
	return limit(RLIMIT_AS, value);
}

static int limit_core(const char *value)
{
	return limit(RLIMIT_CORE, value);
}

static int close_one(const char *value)
{
	return close(atoi(value));
}

static int mask_modes(const char *value)
{
	umask((mode_t)strtoul(value, NULL, 8));
	return 0;
}

static int ignore_signal(const char *value)
{
	return signal(atoi(value), SIG_IGN) == SIG_ERR;
}

static int block_signal(const char *value)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, atoi(value));
	return sigprocmask(SIG_BLOCK, &set, NULL);
}

static int be_nice(const char *value)
{
	return setpriority(PRIO_PROCESS, 0, atoi(value));
}

/* In front of what the environment has already. */
static int preload(const char *value)
{
	const char *others = getenv("LD_PRELOAD");
	char list[8192];

	snprintf(list, sizeof(list), "%s%s%s", value, others ? ":" : "",
		 others ? others : "");
	return setenv("LD_PRELOAD", list, 1);
}

/* Descriptors that the command did not ask for. */
static int leave_open(const char *value)
{
	int fd = open("/dev/null", O_RDWR);

	return fd < 0 || dup2(fd, atoi(value)) < 0 ||
	       (fd != atoi(value) && close(fd));
}

static const struct {
	const char *word;
	int (*apply)(const char *value);
} conditions[] = {
	{"nofile", limit_files},   {"fsize", limit_size},
	{"as", limit_memory},	   {"core", limit_core},
	{"close", close_one},	   {"umask", mask_modes},
	{"ignore", ignore_signal}, {"block", block_signal},
	{"nice", be_nice},	   {"preload", preload},
	{"open", leave_open},
};

static int apply(char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return -1;
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		if (!strcmp(word, conditions[i].word))
			return conditions[i].apply(value);
	}
	return -1;
}

int main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--"); i++) {
		if (apply(argv[i]))
			return 125;
	}
	if (i + 1 >= argc)
		return 125;
	execvp(argv[i + 1], argv + i + 1);
	return 126;
}
