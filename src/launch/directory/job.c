/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins several `weir run` that are the ranks of one job. */
#include "launch/directory/job.h"

#include "base/rank.h"
#include "base/whole.h"
#include "launch/directory/tracedir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANCESTORS 8

/*
 * Hydra gives its job no name; but who starts the ranks on a node was told by
 * this option where to find mpiexec.
 */
static const char proxy_name[] = "hydra_pmi_proxy";
static const char proxy_option[] = "--control-port";

static size_t read_of_process(int pid, const char *name, char *to, size_t room)
{
	char path[64];
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	got = weir_whole_load(path, to, room);
	return got > 0 ? (size_t)got : 0;
}

/* PID (NAME) STATE PARENT ...; the name may have anything in it. */
static int parent_of(int pid)
{
	char text[512];
	const char *end;

	read_of_process(pid, "stat", text, sizeof(text));
	end = strrchr(text, ')');
	return end && strlen(end) > 4 ? atoi(end + 4) : 0;
}

/* Its words, each ended by a NUL. */
static bool read_port(int pid, char name[192])
{
	char words[4096];
	size_t length = read_of_process(pid, "cmdline", words, sizeof(words));
	const char *at = words, *slash = strrchr(words, '/');
	bool is_next = false;

	if (strcmp(slash ? slash + 1 : words, proxy_name))
		return false;
	for (; at < words + length; at += strlen(at) + 1) {
		if (is_next) {
			snprintf(name, 192, "hydra-%s", at);
			return true;
		}
		is_next = !strcmp(at, proxy_option);
	}
	return false;
}

static void find_proxy(char name[192])
{
	int pid = getppid();

	for (int i = 0; i < ANCESTORS && pid > 1; i++) {
		if (read_port(pid, name))
			return;
		pid = parent_of(pid);
	}
}

void weir_job_find(struct weir_job *ret_job)
{
	struct weir_rank rank;

	*ret_job = (struct weir_job){0};
	if (!weir_rank_find(environ, &rank))
		return;
	snprintf(ret_job->rank, sizeof(ret_job->rank), "%s", rank.rank);
	if (*rank.job)
		snprintf(ret_job->name, sizeof(ret_job->name), "%s-%s",
			 rank.launcher, rank.job);
	else
		find_proxy(ret_job->name);
	for (char *at = ret_job->name; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			*at = '_';
	}
}

static bool is_of_our_job(const struct weir_job *job, const char *path)
{
	char name[sizeof(job->name)];
	ssize_t length = readlink(path, name, sizeof(name) - 1);

	return length >= 0 && (size_t)length == strlen(job->name) &&
	       !memcmp(name, job->name, (size_t)length);
}

/* A link is made whole or not at all: whoever sees it can read the name. */
static int mark(const struct weir_job *job, const char *dir)
{
	char path[PATH_MAX];
	int empty;

	if (snprintf(path, sizeof(path), "%s/.job", dir) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (is_of_our_job(job, path))
		return 0;
	empty = weir_tracedir_is_empty(dir);
	if (empty < 0)
		return empty;
	if (empty && !symlink(job->name, path))
		return 0;
	return is_of_our_job(job, path) ? 0 : -EEXIST;
}

/* A rank that runs several commands has a directory for each. */
static int mark_rank(const struct weir_job *job, const char *dir)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/.rank-%s", dir, job->rank) >=
	    PATH_MAX)
		return -ENAMETOOLONG;
	return symlink(job->name, path) ? -errno : 0;
}

int weir_job_claim(const struct weir_job *job, const char *dir)
{
	int err;

	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	err = mark(job, dir);
	return err ? err : mark_rank(job, dir);
}

bool weir_job_is_silent(const struct weir_job *job)
{
	return *job->name && strcmp(job->rank, "0");
}
