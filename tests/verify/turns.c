/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads, processes and names of one file, and calls that change it
 * otherwise than by writing: nothing of it is an error.
 *
 * usage: turns CASE FILE
 */
#include "turns.h"

#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define TIMES 400

static _Atomic bool has_begun;

/* --- threads ------------------------------------------------------------ */

struct writer {
	pthread_t thread;
	int fd, letter;
	off_t at;
	size_t size;
	bool has_position;
};

static void *write_often(void *one)
{
	struct writer *w = one;

	for (int i = 0; i < TIMES; i++)
		if (w->has_position)
			put_next(w->fd, w->letter, w->size);
		else
			put(w->fd, w->letter + i % 2, w->at, w->size);
	return NULL;
}

static void both(struct writer *one, struct writer *other)
{
	pthread_create(&one->thread, NULL, write_often, one);
	pthread_create(&other->thread, NULL, write_often, other);
	pthread_join(one->thread, NULL);
	pthread_join(other->thread, NULL);
}

/* The same bytes, by one descriptor. */
static void threads(const char *path)
{
	int fd = make(path, O_TRUNC);

	both(&(struct writer){.fd = fd, .letter = 'a', .size = SIZE},
	     &(struct writer){.fd = fd, .letter = 'c', .size = SIZE});
	close(fd);
}

/* Parts of the other's pieces, each by a descriptor of its own. */
static void thread_parts(const char *path)
{
	int one = make(path, O_TRUNC), other = make(path, 0);

	both(&(struct writer){.fd = one, .letter = 'a', .size = SIZE},
	     &(struct writer){.fd = other,
			      .letter = 'c',
			      .at = BLOCK + 7,
			      .size = BLOCK});
	close(one);
	close(other);
}

enum { LONG = 32 << 20 };

static void *write_long(void *one)
{
	struct writer *w = one;
	char *bytes = malloc(LONG);

	memset(bytes, w->letter, LONG);
	atomic_store(&has_begun, true);
	must(pwrite(w->fd, bytes, LONG, 0) == LONG, "pwrite");
	free(bytes);
	return NULL;
}

/* The second comes while the first writes, and is done sooner. */
static void thread_overtakes(const char *path)
{
	struct writer w = {.fd = make(path, O_TRUNC), .letter = 'l'};

	pthread_create(&w.thread, NULL, write_long, &w);
	while (!atomic_load(&has_begun))
		sched_yield();
	usleep(2000);
	put(w.fd, 'a', 0, BLOCK);
	pthread_join(w.thread, NULL);
	close(w.fd);
}

static void threads_apart(const char *path)
{
	int fd = make(path, O_TRUNC);

	both(&(struct writer){.fd = fd, .letter = 'a', .size = BLOCK},
	     &(struct writer){
		     .fd = fd, .letter = 'c', .at = BLOCK, .size = BLOCK});
	close(fd);
}

static void thread_position(const char *path)
{
	int fd = make(path, O_TRUNC);

	both(&(struct writer){.fd = fd,
			      .letter = 'a',
			      .size = 100,
			      .has_position = true},
	     &(struct writer){.fd = fd,
			      .letter = 'c',
			      .size = 130,
			      .has_position = true});
	close(fd);
}

static void thread_append(const char *path)
{
	int one = make(path, O_TRUNC | O_APPEND), other = make(path, O_APPEND);

	both(&(struct writer){.fd = one,
			      .letter = 'a',
			      .size = 100,
			      .has_position = true},
	     &(struct writer){.fd = other,
			      .letter = 'c',
			      .size = 130,
			      .has_position = true});
	close(one);
	close(other);
}

/* --- processes ---------------------------------------------------------- */

static pid_t start(void (*play)(const char *path), const char *path)
{
	pid_t pid = fork();

	if (!pid) {
		play(path);
		exit(0);
	}
	return pid;
}

static void await(pid_t pid)
{
	int status = 1;

	must(waitpid(pid, &status, 0) == pid && !status, "waitpid");
}

static void append_some(const char *path)
{
	int fd = make(path, O_APPEND);

	for (int i = 0; i < TIMES; i++)
		put_next(fd, 'a' + i % 3, (size_t)(90 + getpid() % 20));
	close(fd);
}

static void processes_append(const char *path)
{
	pid_t one = start(append_some, path), other = start(append_some, path);

	await(one);
	await(other);
}

static void append_once(const char *path)
{
	int fd = make(path, O_APPEND);

	put_next(fd, 'k', 1000);
	close(fd);
}

static void append_in_turn(const char *path)
{
	for (int i = 0; i < 5; i++)
		await(start(append_once, path));
}

static void front(const char *path)
{
	int fd = make(path, 0);

	put(fd, 'a', 0, 3 * BLOCK);
	close(fd);
}

static void back(const char *path)
{
	int fd = make(path, 0);

	put(fd, 'b', BLOCK, 3 * BLOCK);
	close(fd);
}

static void in_turn(const char *path)
{
	await(start(front, path));
	await(start(back, path));
}

static void at_once(const char *path)
{
	pid_t one = start(front, path), other = start(back, path);

	await(one);
	await(other);
}

static int handed_down;

static void write_handed_down(const char *path)
{
	(void)path;
	put_next(handed_down, 'c', 500);
}

static void inherited(const char *path)
{
	handed_down = make(path, O_TRUNC);
	put_next(handed_down, 'p', 700);
	await(start(write_handed_down, path));
	put_next(handed_down, 'q', 300);
	await(start(write_handed_down, path));
	close(handed_down);
}

/* Another empties it while we go on at our place. */
static void empty_it(const char *path)
{
	close(make(path, O_TRUNC));
}

static void emptied_by_other(const char *path)
{
	int fd = make(path, O_TRUNC);

	put_next(fd, 'a', 2000);
	await(start(empty_it, path));
	put_next(fd, 'b', 1000);
	close(fd);
}

static void shorten_it(const char *path)
{
	must(!truncate(path, 1500), "truncate");
}

static void shortened_by_other(const char *path)
{
	int fd = make(path, O_TRUNC);

	put(fd, 'a', 0, 2000);
	await(start(shorten_it, path));
	put(fd, 'b', 1800, 1000);
	close(fd);
}

/* --- names --------------------------------------------------------------- */

static void recreated(const char *path)
{
	int fd = make(path, O_TRUNC);

	put(fd, 'a', 0, SIZE);
	must(!unlink(path), "unlink");
	put(fd, 'b', 100, SIZE); /* to the one that has no name */
	close(fd);
	fd = make(path, O_EXCL);
	put(fd, 'c', 0, BLOCK);
	close(fd);
}

static void two_names(const char *path)
{
	int fd = make(path, O_TRUNC);

	put(fd, 'a', 0, SIZE);
	close(fd);
	must(!link(path, beside(path)), "link");
	fd = make(beside(path), 0);
	put(fd, 'b', 1000, BLOCK);
	close(fd);
	fd = make(path, 0);
	put(fd, 'c', 1500, BLOCK);
	close(fd);
	must(!unlink(path), "unlink");
}

static void folder_of(const char *path, char folder[4096])
{
	snprintf(folder, 4096, "%s", path);
	*strrchr(folder, '/') = 0;
}

static void named_later(const char *path)
{
	char folder[4096], self[64];
	int fd;

	folder_of(path, folder);
	fd = open(folder, O_TMPFILE | O_RDWR, 0644);
	must(fd >= 0, "O_TMPFILE");
	put(fd, 'a', 0, SIZE);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	must(!linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW),
	     "linkat");
	put(fd, 'b', SIZE, 100);
	close(fd);
}

/* Written to while it has a name, and while it has another. */
static void renamed_open(const char *path)
{
	int fd = make(beside(path), O_TRUNC);

	put_next(fd, 'a', BLOCK);
	must(!rename(beside(path), path), "rename");
	put_next(fd, 'b', BLOCK);
	close(fd);
	fd = make(path, 0);
	put(fd, 'c', 10, BLOCK);
	close(fd);
}

static void replace_it(const char *path)
{
	int fd = make(beside(path), O_TRUNC);

	put(fd, 'r', 0, BLOCK);
	close(fd);
	must(!rename(beside(path), path), "rename");
}

/* What we write goes to a file that has no name any more. */
static void replaced_by_other(const char *path)
{
	int fd = make(path, O_TRUNC);

	put_next(fd, 'a', BLOCK);
	await(start(replace_it, path));
	put_next(fd, 'b', BLOCK);
	close(fd);
}

static void through_link(const char *path)
{
	int fd;

	must(!symlink(path, beside(path)), "symlink");
	fd = make(beside(path), O_TRUNC);
	put(fd, 'a', 0, BLOCK);
	close(fd);
	fd = make(path, 0);
	put(fd, 'b', 100, BLOCK);
	close(fd);
	must(!unlink(beside(path)), "unlink");
}

/* The directory is entered, and has another name later. */
static void below(const char *path)
{
	int fd, folder;

	must(!mkdir(path, 0755), "mkdir");
	folder = open(path, O_RDONLY | O_DIRECTORY);
	must(folder >= 0 && !fchdir(folder), "fchdir");
	fd = openat(folder, "one", O_RDWR | O_CREAT, 0644);
	must(fd >= 0, "openat");
	must(!rename(path, beside(path)), "rename");
	put(fd, 'a', 0, BLOCK);
	close(fd);
	fd = make("one", 0);
	put(fd, 'b', BLOCK, BLOCK);
	close(fd);
	fd = make("two", 0);
	put(fd, 'c', 0, BLOCK);
	close(fd);
	must(!renameat(folder, "two", AT_FDCWD, "three"), "renameat");
	close(folder);
}

/* A whole directory of temporary files, as languages make and remove them. */
static void temporary(const char *path)
{
	char folder[4096], name[4200];
	int fd;

	snprintf(folder, sizeof(folder), "%s.XXXXXX", path);
	must(mkdtemp(folder) != NULL, "mkdtemp");
	snprintf(name, sizeof(name), "%s/XXXXXX", folder);
	fd = mkstemp(name);
	must(fd >= 0, "mkstemp");
	put_next(fd, 'a', 100);
	must(!unlink(name), "unlink");
	put_next(fd, 'b', 100);
	close(fd);
	must(!rmdir(folder), "rmdir");
	front(path);
}

/* As subprocess.run(cwd=...) does; we are where we were. */
static void child_elsewhere(const char *path)
{
	char folder[4096];
	pid_t child;
	int fd;

	folder_of(path, folder);
	must(!chdir(folder) && !mkdir("place", 0755), "mkdir");
	child = vfork();
	if (!child)
		_exit(chdir("place") != 0);
	await(child);
	fd = make("one", O_TRUNC);
	put(fd, 'a', 0, BLOCK);
	close(fd);
	must(!link("one", "two") && !unlink("one"), "link");
	must(!rename("two", path), "rename");
	must(!rmdir("place"), "rmdir");
}

/* What is opened by the child of vfork is no file of ours. */
static void emptied_by_vfork(const char *path)
{
	int fd = make(path, O_TRUNC);
	pid_t child;

	put(fd, 'a', 0, 2 * BLOCK);
	child = vfork();
	if (!child)
		_exit(open(path, O_WRONLY | O_TRUNC) < 0);
	await(child);
	put(fd, 'b', BLOCK, BLOCK);
	close(fd);
}

static void written_by_vfork(const char *path)
{
	int fd = make(path, O_TRUNC);
	pid_t child;

	put(fd, 'a', 0, BLOCK);
	child = vfork();
	if (!child) {
		put(fd, 'b', BLOCK, BLOCK);
		_exit(close(fd));
	}
	await(child);
	put(fd, 'c', 2 * BLOCK, BLOCK);
	close(fd);
}

/* As TemporaryFile() of Python for the output of a child. */
static void copied_nameless(const char *path)
{
	int fd = make(beside(path), O_EXCL), copy;

	must(!unlink(beside(path)), "unlink");
	must(dup2(fd, 77) == 77, "dup2");
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 80);
	must(copy >= 80, "fcntl");
	put_next(77, 'a', BLOCK);
	put_next(copy, 'b', BLOCK);
	close(77);
	close(copy);
	close(fd);
	front(path);
}

static const char *const echo[] = {"echo", "here", NULL};

/* Ours is closed on exec, and yet the child moves its position. */
static void handed_by_vfork(const char *path)
{
	int fd = make(path, O_TRUNC | O_CLOEXEC);
	pid_t child;

	put_next(fd, 'a', BLOCK);
	child = vfork();
	if (!child) {
		if (dup2(fd, 1) == 1)
			execv("/bin/echo", (char **)echo);
		_exit(1);
	}
	await(child);
	put_next(fd, 'b', BLOCK);
	close(fd);
}

static void handed_by_spawn(const char *path)
{
	int fd = make(path, O_TRUNC | O_CLOEXEC);
	posix_spawn_file_actions_t actions;
	pid_t child;

	put_next(fd, 'a', BLOCK);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, 1);
	must(!posix_spawn(&child, "/bin/echo", &actions, NULL, (char **)echo,
			  environ),
	     "posix_spawn");
	await(child);
	put_next(fd, 'b', BLOCK);
	close(fd);
}

static const struct turn turns[] = {
	{ "threads", threads },
	{ "thread_parts", thread_parts },
	{ "thread_overtakes", thread_overtakes },
	{ "threads_apart", threads_apart },
	{ "thread_position", thread_position },
	{ "thread_append", thread_append },
	{ "processes_append", processes_append },
	{ "append_in_turn", append_in_turn },
	{ "in_turn", in_turn },
	{ "at_once", at_once },
	{ "inherited", inherited },
	{ "emptied_by_other", emptied_by_other },
	{ "shortened_by_other", shortened_by_other },
	{ "recreated", recreated },
	{ "two_names", two_names },
	{ "named_later", named_later },
	{ "renamed_open", renamed_open },
	{ "replaced_by_other", replaced_by_other },
	{ "through_link", through_link },
	{ "below", below },
	{ "temporary", temporary },
	{ "child_elsewhere", child_elsewhere },
	{ "emptied_by_vfork", emptied_by_vfork },
	{ "written_by_vfork", written_by_vfork },
	{ "copied_nameless", copied_nameless },
	{ "handed_by_vfork", handed_by_vfork },
	{ "handed_by_spawn", handed_by_spawn },
	{ NULL, NULL },
};

static int play(const struct turn *list, const char *name, const char *path)
{
	for (; list->name; list++)
		if (!strcmp(list->name, name)) {
			list->play(path);
			return 1;
		}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && (play(turns, argv[1], argv[2]) ||
			  play(turns_calls, argv[1], argv[2])))
		return 0;
	fprintf(stderr, "usage: turns CASE FILE\n");
	return 2;
}
