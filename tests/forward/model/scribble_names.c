/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to names and descriptors, and forks that inherit them. */
#include "scribble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_WORKS 25 /* operations */

struct scribble_handle *scribble_empty(struct worker *worker)
{
	for (int i = 0; i < SCRIBBLE_HANDLES; i++)
		if (worker->handles[i].fd < 0)
			return &worker->handles[i];
	return NULL;
}

/* Of a random name; the book's lock is held by the caller. */
static uint32_t pick_name(struct worker *worker, char *path, size_t size)
{
	uint32_t name = (uint32_t)scribble_any(worker, BOOK_NAMES);

	scribble_path(path, size, name);
	return name;
}

static int pick_flags(struct worker *worker)
{
	static const int modes[] = {O_RDWR,   O_RDWR,	O_RDWR,
				    O_WRONLY, O_RDONLY, O_RDWR};
	int flags = modes[scribble_any(worker, 6)] | O_CLOEXEC;

	if (scribble_any(worker, 8) == 0)
		flags |= O_APPEND;
	if (scribble_any(worker, 10) == 0 && (flags & O_ACCMODE) != O_RDONLY)
		flags |= O_TRUNC;
	if (scribble_any(worker, 10))
		flags |= O_CREAT;
	if (scribble_any(worker, 40) == 0)
		flags |= O_CREAT | O_EXCL;
	if (scribble_any(worker, 60) == 0)
		flags |= O_DSYNC;
	return flags;
}

static int expected_error(int flags, bool is_there)
{
	if (!is_there)
		return flags & O_CREAT ? 0 : ENOENT;
	return (flags & O_CREAT) && (flags & O_EXCL) ? EEXIST : 0;
}

/* It is open now: what the book says of it. */
static void enter_open(struct scribble_handle *handle, uint32_t name, int fd,
		       int flags)
{
	int inode = book->names[name], open;

	if (inode < 0)
		inode = book->names[name] = book_take_inode();
	if (flags & O_TRUNC) {
		book_cut((uint32_t)inode, 0);
		pthread_mutex_unlock(&book->inodes[inode].lock);
	}
	open = book_take_open((uint32_t)inode, flags);
	if (open < 0) {
		book_fail(inode, "the book has too few open files");
		return;
	}
	handle->fd = fd;
	handle->open = (uint32_t)open;
}

/* Also the locks: a file that is emptied must not be written meanwhile. */
static int call_open(struct worker *worker, const char *path, int inode,
		     int flags)
{
	int fd, right;

	if ((flags & O_TRUNC) && inode >= 0)
		pthread_mutex_lock(&book->inodes[inode].lock);
	fd = open(path, flags, 0600);
	right = expected_error(flags, inode >= 0);
	if ((fd < 0 ? errno : 0) != right)
		scribble_expect(worker, inode, fd, -right);
	if (fd < 0 && (flags & O_TRUNC) && inode >= 0)
		pthread_mutex_unlock(&book->inodes[inode].lock);
	return fd;
}

static bool has_free_inode(void)
{
	for (int i = 0; i < BOOK_INODES; i++)
		if (!book->inodes[i].users)
			return true;
	return false;
}

void scribble_open_any(struct worker *worker)
{
	struct scribble_handle *handle = scribble_empty(worker);
	char path[PATH_MAX];
	uint32_t name;
	int flags = pick_flags(worker), fd;

	if (!handle)
		return;
	pthread_mutex_lock(&book->lock);
	name = pick_name(worker, path, sizeof(path));
	if (book->names[name] < 0)
		flags &= ~O_TRUNC;
	if (has_free_inode()) {
		fd = call_open(worker, path, book->names[name], flags);
		if (fd >= 0)
			enter_open(handle, name, fd, flags);
	}
	pthread_mutex_unlock(&book->lock);
}

void scribble_close(struct worker *worker, struct scribble_handle *handle)
{
	scribble_expect(worker, (int)book->opens[handle->open].inode,
			close(handle->fd), 0);
	handle->fd = -1;
	pthread_mutex_lock(&book->lock);
	book_drop_open(handle->open);
	pthread_mutex_unlock(&book->lock);
}

/* Half of them as it should be, the others by the end of the process. */
void scribble_leave(struct worker *worker)
{
	for (int i = 0; i < SCRIBBLE_HANDLES; i++)
		if (worker->handles[i].fd >= 0 && scribble_any(worker, 2))
			scribble_close(worker, &worker->handles[i]);
	if (worker->child > 0)
		waitpid(worker->child, NULL, 0);
}

static void act_close(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);

	if (handle)
		scribble_close(worker, handle);
}

static int call_dup(struct worker *worker, int fd)
{
	return scribble_any(worker, 2) ? dup(fd)
				       : fcntl(fd, F_DUPFD_CLOEXEC, 20);
}

static void act_dup(struct worker *worker)
{
	struct scribble_handle *from = scribble_pick(worker);
	struct scribble_handle *to = scribble_empty(worker);

	if (!from || !to)
		return;
	pthread_mutex_lock(&book->lock);
	*to = (struct scribble_handle){call_dup(worker, from->fd), from->open};
	if (to->fd < 0)
		book_fail(-1, "dup: %m");
	else
		book->opens[to->open].users++;
	pthread_mutex_unlock(&book->lock);
}

/* Over another one, which is closed by it. */
static void act_dup2(struct worker *worker)
{
	struct scribble_handle *from = scribble_pick(worker);
	struct scribble_handle *to = scribble_pick(worker);
	int got;

	if (!from || !to || from == to)
		return;
	got = scribble_any(worker, 2) ? dup2(from->fd, to->fd)
				      : dup3(from->fd, to->fd, O_CLOEXEC);
	scribble_expect(worker, -1, got, to->fd);
	pthread_mutex_lock(&book->lock);
	book->opens[from->open].users++;
	book_drop_open(to->open);
	to->open = from->open;
	pthread_mutex_unlock(&book->lock);
}

/* By one of the calls that know a name. */
static int call_stat(struct worker *worker, const char *path,
		     struct stat *facts)
{
	struct statx more;
	int status;

	switch (scribble_any(worker, 4)) {
	case 0:
		return stat(path, facts);
	case 1:
		return lstat(path, facts);
	case 2:
		return fstatat(AT_FDCWD, path, facts, 0);
	default:
		status = statx(AT_FDCWD, path, 0, STATX_SIZE, &more);
		facts->st_size = (off_t)more.stx_size;
		return status;
	}
}

static void act_stat(struct worker *worker)
{
	char path[PATH_MAX];
	struct stat facts = {0};
	int inode, status;

	pthread_mutex_lock(&book->lock);
	inode = book->names[pick_name(worker, path, sizeof(path))];
	if (inode >= 0)
		pthread_mutex_lock(&book->inodes[inode].lock);
	status = call_stat(worker, path, &facts);
	scribble_expect(worker, inode, status, inode < 0 ? -1 : 0);
	if (inode >= 0) {
		scribble_expect(worker, inode, facts.st_size,
				(int64_t)book->inodes[inode].size);
		pthread_mutex_unlock(&book->inodes[inode].lock);
	}
	pthread_mutex_unlock(&book->lock);
}

static void act_truncate(struct worker *worker)
{
	char path[PATH_MAX];
	uint64_t to = scribble_offset(worker, 1);
	int inode, status;

	pthread_mutex_lock(&book->lock);
	inode = book->names[pick_name(worker, path, sizeof(path))];
	if (inode >= 0)
		pthread_mutex_lock(&book->inodes[inode].lock);
	status = truncate(path, (off_t)to);
	scribble_expect(worker, inode, status, inode < 0 ? -1 : 0);
	if (inode >= 0) {
		book_cut((uint32_t)inode, to);
		book_note((uint32_t)inode,
			  (struct book_note){.worker = worker->number,
					     .kind = worker->kind,
					     .number = worker->operation,
					     .offset = (int64_t)to});
		pthread_mutex_unlock(&book->inodes[inode].lock);
	}
	pthread_mutex_unlock(&book->lock);
}

static void act_unlink(struct worker *worker)
{
	char path[PATH_MAX];
	uint32_t name;
	int inode;

	pthread_mutex_lock(&book->lock);
	name = pick_name(worker, path, sizeof(path));
	inode = book->names[name];
	scribble_expect(worker, inode, unlink(path), inode < 0 ? -1 : 0);
	book->names[name] = -1;
	if (inode >= 0)
		book_drop_inode((uint32_t)inode);
	pthread_mutex_unlock(&book->lock);
}

/* Two names of the same file stay both, as rename(2) says. */
static void act_rename(struct worker *worker)
{
	char from_path[PATH_MAX], to_path[PATH_MAX];
	uint32_t from, to;
	int moved, hidden;

	pthread_mutex_lock(&book->lock);
	from = pick_name(worker, from_path, sizeof(from_path));
	to = pick_name(worker, to_path, sizeof(to_path));
	moved = book->names[from];
	hidden = book->names[to];
	scribble_expect(worker, moved, rename(from_path, to_path),
			moved < 0 ? -1 : 0);
	if (moved >= 0 && moved != hidden) {
		book->names[to] = moved;
		book->names[from] = -1;
		if (hidden >= 0)
			book_drop_inode((uint32_t)hidden);
	}
	pthread_mutex_unlock(&book->lock);
}

static void act_link(struct worker *worker)
{
	char from_path[PATH_MAX], to_path[PATH_MAX];
	uint32_t from, to;
	int inode;

	pthread_mutex_lock(&book->lock);
	from = pick_name(worker, from_path, sizeof(from_path));
	to = pick_name(worker, to_path, sizeof(to_path));
	inode = book->names[from];
	scribble_expect(worker, inode, link(from_path, to_path),
			inode < 0 || book->names[to] >= 0 ? -1 : 0);
	if (inode >= 0 && book->names[to] < 0) {
		book->names[to] = inode;
		book->inodes[inode].users++;
	}
	pthread_mutex_unlock(&book->lock);
}

static void child_main(struct worker *worker)
{
	worker->is_child = true;
	worker->child = 0;
	worker->random ^= (uint64_t)getpid() << 32;
	scribble_work(worker, 1 + scribble_any(worker, CHILD_WORKS));
	for (int i = 0; i < SCRIBBLE_HANDLES; i++)
		if (worker->handles[i].fd >= 0)
			scribble_close(worker, &worker->handles[i]);
	_exit(0);
}

static void count_users(struct worker *worker)
{
	pthread_mutex_lock(&book->lock);
	for (int i = 0; i < SCRIBBLE_HANDLES; i++)
		if (worker->handles[i].fd >= 0)
			book->opens[worker->handles[i].open].users++;
	pthread_mutex_unlock(&book->lock);
}

/* The child works on the same open files while its parent goes on. */
static void act_fork(struct worker *worker)
{
	int status = 0;

	if (worker->is_child)
		return;
	if (worker->child > 0 &&
	    (waitpid(worker->child, &status, 0) < 0 || status))
		book_fail(-1, "a child ended with status %#x", status);
	count_users(worker);
	worker->child = fork();
	if (!worker->child)
		child_main(worker);
	if (worker->child < 0)
		book_fail(-1, "fork: %m");
}

const struct scribble_kind scribble_name_kinds[] = {
	{"open", 22, 22, scribble_open_any},
	{"close", 16, 16, act_close},
	{"dup", 6, 6, act_dup},
	{"dup2", 3, 3, act_dup2},
	{"stat", 16, 16, act_stat},
	{"truncate", 3, 3, act_truncate},
	{"unlink", 3, 3, act_unlink},
	{"rename", 4, 4, act_rename},
	{"link", 2, 2, act_link},
	{"fork", 1, 1, act_fork},
	{0},
};
