/* SPDX-License-Identifier: BSD-3-Clause */
/* Records a command only to see whether recording works. */
#include "doctor/trial.h"

#include "launch/run/runresult.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEPTH 16

int weir_trial_init(struct weir_trial *trial, const char *place)
{
	static const char pattern[] = "/weir-doctor-XXXXXX";

	memset(trial, 0, sizeof(*trial));
	if (strlen(place) + sizeof(pattern) + 16 > sizeof(trial->dir))
		return -ENAMETOOLONG;
	strcat(strcpy(trial->dir, place), pattern);
	if (!mkdtemp(trial->dir))
		return -errno;
	strcat(strcpy(trial->trace, trial->dir), "/trace");
	strcat(strcpy(trial->file, trial->dir), "/probe");
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void weir_trial_fini(struct weir_trial *trial)
{
	if (trial->dir[0])
		nftw(trial->dir, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
	trial->dir[0] = '\0';
}

/* The trial's process: what is on standard output is the report alone. */
static void run_trial(const struct weir_run_order *order, int said)
{
	dup2(said < 0 ? STDERR_FILENO : said, STDOUT_FILENO);
	if (said >= 0)
		dup2(said, STDERR_FILENO);
	fflush(NULL);
	_exit(weir_run_command(order));
}

static void keep_first_line(struct weir_trial *trial, int said)
{
	ssize_t got = pread(said, trial->said, sizeof(trial->said) - 1, 0);

	trial->said[got < 0 ? 0 : got] = '\0';
	trial->said[strcspn(trial->said, "\n")] = '\0';
}

/* Who interrupts the trial from the terminal still gets what it showed. */
static int wait_for(pid_t pid, int *ret_status)
{
	void (*on_int)(int) = signal(SIGINT, SIG_IGN);
	void (*on_quit)(int) = signal(SIGQUIT, SIG_IGN);
	int err = 0;

	while (waitpid(pid, ret_status, 0) < 0 && !err)
		err = errno == EINTR ? 0 : -errno;
	signal(SIGINT, on_int);
	signal(SIGQUIT, on_quit);
	return err;
}

int weir_trial_run(struct weir_trial *trial,
		   const struct weir_run_order *order, bool is_loud)
{
	struct weir_run_order own = *order;
	struct weir_runresult result = {0};
	int said = is_loud ? -1 : memfd_create("weir-doctor", MFD_CLOEXEC);
	int status, err = 0;
	pid_t pid;

	if (!is_loud && said < 0)
		return -errno;
	own.output = trial->trace;
	own.result = &result;
	fflush(NULL);
	pid = fork();
	if (!pid)
		run_trial(&own, said);
	if (pid < 0)
		err = -errno;
	if (!err)
		err = wait_for(pid, &status);
	if (!err)
		trial->status = WIFEXITED(status) ? WEXITSTATUS(status)
						  : 128 + WTERMSIG(status);
	if (said >= 0) {
		keep_first_line(trial, said);
		close(said);
	}
	return err;
}
