/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes that write while somebody kills them and their service, and a ledger of
 * what they were told (ledger.h).
 *
 * usage: witness work PLACE LEDGER SEED LANES [spoil]
 *        witness check PLACE LEDGER
 *
 * `work` starts a lane again that was killed, until the ledger says stop; then
 * it looks at all files itself. `check` does so afterwards. `spoil` makes some
 * writes wrong: it must be found.
 */
#include "lane.h"
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *ledger_path;

/* Every third one is a program of its own; the others share what we opened. */
static pid_t start_lane(uint32_t number, int shared)
{
	char text[16];
	pid_t pid;

	pid = fork();
	if (pid) {
		atomic_store(&ledger->face.lane[number].pid, (int32_t)pid);
		return pid;
	}
	if (number % 3)
		_exit(lane_main(number, shared));
	snprintf(text, sizeof(text), "%u", number);
	execl("/proc/self/exe", "witness", "lane", ledger_place, ledger_path,
	      text, (char *)NULL);
	_exit(127);
}

static int lane_of(pid_t pid)
{
	for (uint32_t i = 0; i < LEDGER_LANES; i++)
		if (atomic_load(&ledger->face.lane[i].pid) == (int32_t)pid)
			return (int)i;
	return -1;
}

static void lane_ended(pid_t pid, int status, int shared)
{
	int lane = lane_of(pid);
	bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;

	if (lane < 0)
		return;
	if (status && !was_killed)
		ledger_fail("lane %d ended with status %#x", lane, status);
	if (was_killed)
		atomic_fetch_add(&ledger->face.lane[lane].deaths, 1);
	if (was_killed && !atomic_load(&ledger->face.stop))
		start_lane((uint32_t)lane, shared);
	else
		atomic_store(&ledger->face.lane[lane].pid, 0);
}

static int tell(void)
{
	uint64_t operations = 0;

	for (uint32_t i = 0; i < LEDGER_LANES; i++)
		operations += atomic_load(&ledger->face.lane[i].operations);
	printf("seed %lu: %lu operations%s%s\n", (unsigned long)ledger->seed,
	       (unsigned long)operations,
	       atomic_load(&ledger->face.failed) ? ": " : "", ledger->face.why);
	return atomic_load(&ledger->face.failed) ? 1 : 0;
}

static int work(int argc, char **argv)
{
	int status, shared;
	pid_t pid;

	if (ledger_make(ledger_path))
		return 2;
	ledger->seed = strtoul(argv[4], NULL, 0);
	ledger->spoil = argc > 6;
	shared = ledger_open("shared", -1, O_WRONLY);
	atomic_store(&ledger->face.lanes, (uint32_t)atoi(argv[5]));
	for (uint32_t i = 0; i < atomic_load(&ledger->face.lanes); i++) {
		ledger->lanes[i].random = ledger->seed * 1000003 + i;
		if (start_lane(i, shared) < 0)
			ledger_fail("fork: %m");
	}
	while ((pid = wait(&status)) > 0)
		lane_ended(pid, status, shared);
	if (close(shared))
		ledger_error("close of the shared log");
	if (!atomic_load(&ledger->face.may_fail))
		ledger_check_all();
	return tell();
}

int main(int argc, char **argv)
{
	if (argc < 4 || strlen(argv[2]) >= sizeof(ledger_place))
		return 2;
	strcpy(ledger_place, argv[2]);
	ledger_path = argv[3];
	if (!strcmp(argv[1], "work") && argc >= 6)
		return work(argc, argv);
	if (ledger_join(ledger_path))
		return 2;
	if (!strcmp(argv[1], "lane") && argc == 5)
		return lane_main((uint32_t)atoi(argv[4]), -1);
	ledger_check_all();
	return tell();
}
