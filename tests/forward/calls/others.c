/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of one user, made a moment ago, of which another user does what it may
 * and what not: a process that becomes another user, in one of three ways. It
 * finds the tree of files in its working directory, and one as descriptor 9.
 */
#include "calls.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <utime.h>

#define OTHER	  65534
#define INHERITED 9

static const mode_t modes[] = {0600, 0644, 0666, 04777, 02777, 0755};

#define MODES (sizeof(modes) / sizeof(*modes))

static void look(const char *path)
{
	struct stat about;

	if (!SAY(stat(path, &about)))
		say_about(path, &about);
	SAY(access(path, R_OK));
	SAY(eaccess(path, W_OK));
	SAY_FD(open(path, O_RDONLY));
}

static void put(const char *path)
{
	int fd = open(path, O_WRONLY);
	struct stat about;

	SAY(fd < 0 ? -1 : write(fd, "other", 5));
	if (fd >= 0 && !SAY(fstat(fd, &about)))
		say_about(path, &about);
	close(fd);
}

static void cut(const char *path)
{
	SAY(truncate(path, 3));
	SAY_FD(open(path, O_RDWR | O_TRUNC));
}

static void make(const char *path)
{
	SAY_FD(open(path, O_RDWR | O_CREAT, 0600));
	SAY_FD(open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
}

static void change_mode(const char *path)
{
	SAY(chmod(path, 04755));
	SAY(chmod(path, 02644));
}

static void change_owner(const char *path)
{
	SAY(chown(path, OTHER, -1));
	SAY(chown(path, -1, OTHER));
}

static void set_times(const char *path)
{
	struct utimbuf old = {1, 1};

	SAY(utime(path, NULL));
	SAY(utime(path, &old));
}

static void set_attribute(const char *path)
{
	SAY(setxattr(path, "user.weir", "value", 5, 0));
}

static void give_name(const char *path)
{
	char to[64];

	snprintf(to, sizeof(to), "%s.linked", path);
	SAY(link(path, to));
}

static void change_name(const char *path)
{
	char to[64];

	snprintf(to, sizeof(to), "%s.moved", path);
	SAY(rename(path, to));
}

static void take_name(const char *path)
{
	SAY(unlink(path));
}

/* It prints nothing that another run would not. */
static void run(const char *path)
{
	char command[96];

	snprintf(command, sizeof(command), "./%s 2>/dev/null", path);
	SAY(system(command));
}

static void list(const char *path)
{
	char *slash, name[64];

	snprintf(name, sizeof(name), "%s", path);
	slash = strchr(name, '/');
	*slash = 0;
	say_entries(name);
}

static const struct {
	const char *name;
	void (*play)(const char *path);
} acts[] = {
	{"look", look},	       {"put", put},
	{"cut", cut},	       {"make", make},
	{"mode", change_mode}, {"owner", change_owner},
	{"times", set_times},  {"mark", set_attribute},
	{"link", give_name},   {"rename", change_name},
	{"unlink", take_name}, {"run", run},
	{"list", list},
};

#define ACTS (sizeof(acts) / sizeof(*acts))

static const mode_t directories[] = {0777, 01777, 0755, 0711};

#define DIRECTORIES (sizeof(directories) / sizeof(*directories))

/* Each place in turn; `act` is a number of `acts`. */
static void each_place(void (*visit)(const char *path, size_t act, mode_t mode))
{
	char path[64];

	for (size_t d = 0; d < DIRECTORIES; d++)
		for (size_t a = 0; a < ACTS; a++)
			for (size_t m = 0; m < MODES; m++) {
				snprintf(path, sizeof(path), "%s.%o/f%o",
					 acts[a].name, directories[d],
					 modes[m]);
				visit(path, a, modes[m]);
			}
}

static void make_tree(const char *path, size_t act, mode_t mode)
{
	int fd = open(path, O_RDWR | O_CREAT, mode);

	if (fd < 0 || write(fd, "exit 7\n", 7) != 7)
		exit(1);
	close(fd);
}

static void make_directories(void)
{
	char name[64];

	for (size_t d = 0; d < DIRECTORIES; d++)
		for (size_t a = 0; a < ACTS; a++) {
			snprintf(name, sizeof(name), "%s.%o", acts[a].name,
				 directories[d]);
			if (mkdir(name, directories[d]) ||
			    chmod(name, directories[d]))
				exit(1);
		}
}

static void act_there(const char *path, size_t act, mode_t mode)
{
	printf("== %s %s\n", acts[act].name, path);
	fflush(stdout);
	acts[act].play(path);
}

/* After all: what was left there, for who made it. */
static void say_left(const char *path, size_t act, mode_t mode)
{
	struct stat about;

	printf("== left %s\n", path);
	if (!SAY(lstat(path, &about)))
		say_about(path, &about);
}

int play_as_other(void)
{
	struct stat about;

	puts("== inherited other");
	SAY(write(INHERITED, "other", 5));
	if (!SAY(fstat(INHERITED, &about)))
		say_about("inherited", &about);
	each_place(act_there);
	return 0;
}

static void become_other(void)
{
	if (setgroups(0, NULL) || setresgid(OTHER, OTHER, OTHER) ||
	    setresuid(OTHER, OTHER, OTHER))
		exit(1);
	exit(play_as_other());
}

static void act_as_other(void)
{
	if (setgroups(0, NULL) || setegid(OTHER) || seteuid(OTHER))
		exit(1);
	play_as_other();
	if (seteuid(0) || setegid(0))
		exit(1);
	exit(0);
}

static void run_as_other(char **argv)
{
	execlp("setpriv", "setpriv", "--reuid=65534", "--regid=65534",
	       "--clear-groups", argv[0], "--as-other", (char *)NULL);
	exit(1);
}

int play_others(const char *how, char **argv)
{
	int fd;
	pid_t pid;

	umask(0);
	make_directories();
	each_place(make_tree);
	fd = open("inherited", O_RDWR | O_CREAT, 06777);
	if (dup2(fd, INHERITED) < 0 || write(INHERITED, "before", 6) != 6)
		return 1;
	umask(022);
	fflush(stdout);
	pid = fork();
	if (!pid && !strcmp(how, "fork"))
		become_other();
	else if (!pid && !strcmp(how, "seteuid"))
		act_as_other();
	else if (!pid)
		run_as_other(argv);
	await(pid);
	each_place(say_left);
	say_name("inherited");
	return 0;
}
