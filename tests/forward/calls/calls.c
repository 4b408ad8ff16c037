/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: calls --list | [--only NAME] | --others HOW | --random SEED STEPS
 *
 * In an empty directory: each case with a file in each state, each in a process
 * and a directory of its own. What is said of a cell stands below its name.
 */
#include "calls.h"

#include "raw.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CREATES (O_RDWR | O_CREAT | O_EXCL)

static const struct call *const all[] = {
	open_calls, data_calls, copy_calls, name_calls, look_calls,
	mode_calls, mark_calls, list_calls, map_calls,	process_calls};

#define TABLES (sizeof(all) / sizeof(*all))

void say_about(const char *what, const struct stat *about)
{
	printf("%s: %o, %lu names, of %u:%u, %ld bytes\n", what, about->st_mode,
	       S_ISDIR(about->st_mode) ? 0 : (unsigned long)about->st_nlink,
	       about->st_uid, about->st_gid,
	       S_ISDIR(about->st_mode) ? 0 : (long)about->st_size);
	fflush(stdout);
}

void say_fd(const char *what, int fd)
{
	struct stat about;

	if (fd < 0) {
		say(what, -1);
		return;
	}
	if (fstat(fd, &about))
		say(what, -1);
	else
		say_about(what, &about);
	close(fd);
}

void say_name(const char *path)
{
	struct stat about;
	int fd;

	if (SAY(lstat(path, &about)))
		return;
	say_about(path, &about);
	if (!S_ISREG(about.st_mode))
		return;
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		say(path, -1);
		return;
	}
	say_file(path, fd);
	close(fd);
}

int make_second(const char *path, const char *text)
{
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		say(path, -1);
		exit(1);
	}
	return fd;
}

void say_entries(const char *path)
{
	struct dirent **list;
	int count = scandir(path, &list, NULL, alphasort);

	say("entries", count);
	for (int i = 0; i < count; i++) {
		printf("entry %s\n", list[i]->d_name);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
	fflush(stdout);
}

/* States. Each has a file of ten bytes at the end, open at its place 4. */
static int prepare_deferred(struct cell *c)
{
	c->fd = open(c->path, CREATES, 0644);
	return write(c->fd, "0123456789", 10);
}

static int prepare_closed(struct cell *c)
{
	prepare_deferred(c);
	close(c->fd);
	c->fd = open(c->path, O_RDWR);
	return c->fd;
}

static int prepare_dirty(struct cell *c)
{
	prepare_deferred(c);
	if (fsync(c->fd))
		return -1;
	return pwrite(c->fd, "ABCDE", 5, 2);
}

static int prepare_unlinked(struct cell *c)
{
	prepare_deferred(c);
	return unlink(c->path);
}

static int prepare_renamed(struct cell *c)
{
	prepare_deferred(c);
	if (rename(c->path, "renamed"))
		return -1;
	c->path = "renamed";
	return pwrite(c->fd, "xyz", 3, 5);
}

/* Its mode lets the program that made it do what others may not. */
static int prepare_set_id(struct cell *c)
{
	umask(0);
	c->fd = open(c->path, CREATES, 06777);
	umask(022);
	return write(c->fd, "0123456789", 10);
}

static const struct {
	const char *name;
	int (*prepare)(struct cell *c);
} states[] = {
	{"deferred", prepare_deferred}, {"closed", prepare_closed},
	{"dirty", prepare_dirty},     {"unlinked", prepare_unlinked},
	{"renamed", prepare_renamed}, {"set-id", prepare_set_id},
};

#define STATES ((int)(sizeof(states) / sizeof(*states)))

/* Nobody between us and the kernel: what it knows of the name and the file. */
static void say_kernels(const char *state, const struct cell *c)
{
	struct stat about = {0};
	long ret = raw_call(SYS_newfstatat, AT_FDCWD, c->path, &about, 0);

	fprintf(stderr, "%s: %s, %ld bytes\n", state,
		ret ? "no name" : "a name", (long)about.st_size);
}

/* In a child: the working directory is the cell's own. */
static void play_cell(const struct call *call, int state)
{
	struct cell c = {.path = "file"};
	struct stat about;

	if (states[state].prepare(&c) < 0 || c.fd < 0 ||
	    lseek(c.fd, 4, SEEK_SET) != 4) {
		puts("cannot begin");
		exit(1);
	}
	c.dir = open(".", O_RDONLY | O_DIRECTORY);
	say_kernels(states[state].name, &c);
	call->play(&c);
	if (!fstat(c.fd, &about)) {
		say_about("at the end", &about);
		say("at", lseek(c.fd, 0, SEEK_CUR));
		say_file("at the end", c.fd);
		SAY(close(c.fd));
	}
	say_entries(".");
}

static void play_call(const struct call *call)
{
	char name[64];

	for (int i = 0; i < STATES; i++) {
		pid_t pid;

		printf("== %s %s\n", call->name, states[i].name);
		fflush(stdout);
		snprintf(name, sizeof(name), "%s.%s", call->name,
			 states[i].name);
		pid = fork();
		if (pid) {
			await(pid);
			continue;
		}
		if (mkdir(name, 0755) || chdir(name))
			exit(1);
		play_cell(call, i);
		exit(0);
	}
}

const struct call *pick_call(unsigned number)
{
	unsigned count = 0;

	for (size_t i = 0; i < TABLES; i++)
		for (const struct call *at = all[i]; at->name; at++)
			count++;
	number %= count;
	for (size_t i = 0; i < TABLES; i++)
		for (const struct call *at = all[i]; at->name; at++)
			if (!number--)
				return at;
	return NULL;
}

const struct call *find_call(const char *name)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct call *at = all[i]; at->name; at++)
			if (!strcmp(at->name, name))
				return at;
	return NULL;
}

/* Nothing is created later when a program has another root. */
static bool is_last(const struct call *call)
{
	return !strcmp(call->name, "chroot");
}

static void each_call(void (*visit)(const struct call *call))
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct call *at = all[i]; at->name; at++)
			if (!is_last(at))
				visit(at);
	visit(find_call("chroot"));
}

static void print_name(const struct call *call)
{
	puts(call->name);
}

/* All cells are of one session, which begins before. */
static void play_all(void)
{
	close(make_second("begin", "of a session"));
	each_call(play_call);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	umask(022);
	if (!*word)
		play_all();
	else if (!strcmp(word, "--list"))
		each_call(print_name);
	else if (!strcmp(word, "--only") && argc == 3 && find_call(argv[2]))
		play_call(find_call(argv[2]));
	else if (!strcmp(word, "--others") && argc == 3)
		return play_others(argv[2], argv);
	else if (!strcmp(word, "--as-other"))
		return play_as_other();
	else if (!strcmp(word, "--random") && argc == 4)
		return play_at_random((unsigned)atoi(argv[2]),
				      (unsigned)atoi(argv[3]));
	else
		return 2;
	return 0;
}
