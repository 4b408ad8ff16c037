/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases in random order, by several processes in turn, on few names in one
 * directory: each finds what the others left. What is chosen follows from the
 * seed alone. One of the processes may become another user on the way.
 */
#include "calls.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PROCESSES 4
#define FILES	  5
#define OTHER	  65534
#define CHANGES	  400 /* one step of so many */

/* Those that change the process for good, or end it, or list too much. */
static const char *const left_out[] = {
	"chroot", "setrlimit", "prlimit", "closefrom", "close_range",
	"close",  "system",    "sync",	  "syncfs",    "prctl",
	"fcntl",  "dup2",      "dup3",
};

struct player {
	struct relay turn, done;
	unsigned state;
	pid_t pid;
};

static unsigned draw(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static bool is_left_out(const struct call *call)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (!strcmp(call->name, left_out[i]))
			return true;
	return false;
}

static const struct call *choose(unsigned *state)
{
	const struct call *call;

	do
		call = pick_call(draw(state));
	while (is_left_out(call));
	return call;
}

static void change_user(void)
{
	if (!getuid() &&
	    (setgroups(0, NULL) || setegid(OTHER) || seteuid(OTHER)))
		exit(1);
	puts("another user");
	fflush(stdout);
}

/* In a child, as a case may end or leave things behind. */
static void play_step(struct player *player, int dir)
{
	char name[16];
	struct cell c = {.path = name, .dir = dir};
	const struct call *call = choose(&player->state);
	unsigned flags = O_RDWR | O_CREAT;
	pid_t pid;

	snprintf(name, sizeof(name), "file%u", draw(&player->state) % FILES);
	flags |= draw(&player->state) % 4 ? 0 : O_APPEND;
	printf("== %s %s by %s\n", call->name, name, geteuid() ? "o" : "r");
	fflush(stdout);
	pid = fork();
	if (pid) {
		await(pid);
		return;
	}
	c.fd = open(name, (int)flags, 0666);
	if (SAY(c.fd < 0) == 0) {
		SAY(write(c.fd, call->name, strlen(call->name)));
		call->play(&c);
		say_file(name, c.fd);
	}
	exit(0);
}

static void play_on(struct player *player, int dir)
{
	for (;;) {
		relay_take(&player->turn);
		if (!(draw(&player->state) % CHANGES))
			change_user();
		play_step(player, dir);
		relay_pass(&player->done);
	}
}

static void begin(struct player *player, unsigned seed, int dir)
{
	relay_make(&player->turn);
	relay_make(&player->done);
	player->state = seed;
	fflush(stdout);
	player->pid = fork();
	if (!player->pid)
		play_on(player, dir);
}

int play_at_random(unsigned seed, unsigned steps)
{
	struct player players[PROCESSES];
	unsigned state = seed;
	int dir = open(".", O_RDONLY | O_DIRECTORY);

	if (dir < 0)
		return 1;
	close(make_second("begin", "of a session"));
	for (unsigned i = 0; i < PROCESSES; i++)
		begin(&players[i], draw(&state), dir);
	for (unsigned i = 0; i < steps; i++) {
		struct player *player = &players[draw(&state) % PROCESSES];

		relay_pass(&player->turn);
		relay_take(&player->done);
	}
	for (unsigned i = 0; i < PROCESSES; i++)
		if (kill(players[i].pid, SIGKILL) ||
		    waitpid(players[i].pid, NULL, 0) < 0)
			return 1;
	say_entries(".");
	return 0;
}
