/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that give rights away while they run. */
#include "actor.h"

#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY 65534

/* In this process and in a child of it. */
static void use_both(const char *name)
{
	int pid;

	actor_tell("file", actor_file(name, 1, "after\n"));
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(actor_file(name, 2, "after, a child\n") ? 1 : 0);
	actor_reap(name, pid);
}

static int drop_user(int argc, char **argv)
{
	if (mkdir("open-to-all", 0700) || chmod("open-to-all", 0777))
		return 1;
	actor_tell("before", actor_file("before", 1, "as before\n"));
	actor_tell("groups", setgroups(0, NULL));
	actor_tell("gid", setresgid(NOBODY, NOBODY, NOBODY));
	actor_tell("uid", setresuid(NOBODY, NOBODY, NOBODY));
	actor_tell("forbidden", open("/etc/shadow", O_RDONLY));
	use_both("open-to-all/dropped");
	return 0;
}

static int enter_jail(int argc, char **argv)
{
	if (mkdir("jail", 0755))
		return 1;
	actor_tell("chroot", chroot("jail"));
	actor_tell("chdir", chdir("/"));
	actor_tell("outside", open("/etc/passwd", O_RDONLY));
	use_both("jailed");
	return 0;
}

static int limit_self(int argc, char **argv)
{
	struct rlimit few = {6, 6}, small = {4096, 4096};
	int last = 0;

	setrlimit(RLIMIT_FSIZE, &small);
	setrlimit(RLIMIT_NOFILE, &few);
	use_both("limited");
	for (int i = 0; i < 16; i++)
		last = open("/dev/null", O_RDONLY);
	actor_tell("the last", last);
	return 0;
}

static int hide_self(int argc, char **argv)
{
	actor_tell("dumpable", prctl(PR_SET_DUMPABLE, 0));
	actor_tell("no new rights", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	use_both("hidden");
	return 0;
}

const struct actor actor_rights[] = {
	{"drop-user", drop_user},
	{"jail", enter_jail},
	{"limit-self", limit_self},
	{"hide-self", hide_self},
	{NULL, NULL},
};
