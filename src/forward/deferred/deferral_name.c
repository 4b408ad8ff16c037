/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, unlinks and materialises deferred files by name. */
#include "forward/deferred/deferral.h"

#include "base/sys.h"
#include "base/append.h"
#include "forward/deferred/deferral_ask.h"
#include "forward/files/adopt.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/ownfds.h"
#include "forward/files/procnames.h"
#include "forward/link/attach.h"
#include "forward/link/link.h"
#include "forward/transfer/touch.h"
#include "gate/confined.h"
#include "gate/gate.h"
#include "spec/forward_stubs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE	4096u
#define DEVICES 16

/* How a deferred file may be opened: anything else needs the file itself. */
#define PLAIN                                                                  \
	(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_NONBLOCK |      \
	 O_NOCTTY | O_NOFOLLOW | O_CLOEXEC | 0100000 /* O_LARGEFILE */)

static uint64_t devices[DEVICES];
static int device_count;

void weir_deferral_begin(void)
{
	const char *name = weir_link_deferred();
	struct stat about;

	for (; *name && device_count < DEVICES; name += strlen(name) + 1)
		if (!weir_sys4(SYS_newfstatat, AT_FDCWD, name, &about, 0))
			devices[device_count++] = about.st_dev;
	weir_link_is_deferring = device_count > 0;
}

static bool is_on_device(uint64_t device)
{
	for (int i = 0; i < device_count; i++)
		if (devices[i] == device)
			return true;
	return false;
}

/* Where a name is. Signal handlers have small stacks. */
struct place {
	int dir;
	const char *name;      /* the last part of the path */
	uint64_t dev, ino;     /* the directory */
	char path[PATH_MAX];   /* as it was given */
	char parent[PATH_MAX]; /* the directory's part of it */
	char whole[PATH_MAX];  /* from the root */
};

static struct place *make_place(void)
{
	long at = weir_sys6(SYS_mmap, 0, sizeof(struct place),
			    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	return weir_sys_failed(at) ? NULL : (struct place *)at;
}

static void end_place(struct place *place)
{
	if (place)
		weir_sys2(SYS_munmap, place, sizeof(*place));
}

/* Nobody has looked at the text yet. */
static bool copy_text(const char *from, char to[PATH_MAX])
{
	size_t done = 0;

	while (from && done < PATH_MAX) {
		size_t room = PAGE - ((uintptr_t)(from + done) & (PAGE - 1));
		size_t length;

		if (!weir_touch_can_read(from + done, room))
			return false;
		length = strnlen(from + done, room);
		if (done + length >= PATH_MAX)
			return false;
		memcpy(to + done, from + done, length);
		done += length;
		to[done] = 0;
		if (length < room)
			return true;
	}
	return false;
}

static int open_parent(const struct place *place)
{
	return (int)weir_sys4(SYS_openat, place->dir, place->parent,
			      O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

/* Files of this directory may be created later. Its name is left in `room`. */
static size_t defers_in(int parent, char room[PATH_MAX])
{
	size_t length = weir_procnames_path(parent, room, PATH_MAX);

	return length && weir_link_defers(room) ? length : 0;
}

/* Who has not attached yet does so only for such a directory. */
static bool is_deferring_directory(struct place *place)
{
	int parent;
	bool is;

	if (weir_link.board)
		return true;
	parent = open_parent(place);
	if (parent < 0)
		return false;
	is = defers_in(parent, place->whole);
	weir_sys1(SYS_close, parent);
	return is;
}

/* Its directory, and what it is called there. 0, or why that is not one. */
static int split(struct place *place)
{
	const char *slash = strrchr(place->path, '/');
	struct stat about;
	size_t length = slash ? (size_t)(slash - place->path) : 0;
	long ret;

	place->name = slash ? slash + 1 : place->path;
	if (!*place->name)
		return -ENOENT;
	if (!slash)
		place->parent[length++] = '.';
	else if (!length)
		place->parent[length++] = '/';
	else
		memcpy(place->parent, place->path, length);
	place->parent[length] = 0;
	ret = weir_sys4(SYS_newfstatat, place->dir, place->parent, &about, 0);
	if (ret)
		return (int)ret;
	if (!S_ISDIR(about.st_mode) || !is_on_device(about.st_dev))
		return -EXDEV;
	place->dev = about.st_dev;
	place->ino = about.st_ino;
	return is_deferring_directory(place) ? 0 : -EXDEV;
}

/* NULL: it is none. */
static struct place *copy_place(int dir, const char *path)
{
	struct place *place = make_place();

	if (place && copy_text(path, place->path)) {
		place->dir = dir;
		return place;
	}
	end_place(place);
	return NULL;
}

/* NULL: there can be none of this name. */
static struct place *find_existing_place(int dir, const char *path)
{
	struct place *place = copy_place(dir, path);

	if (place && !split(place))
		return place;
	end_place(place);
	return NULL;
}

/*
 * The first part of a path that is not there; what comes behind it is cut off.
 * Whether it is no directory, or none at all, the kernel shall tell.
 */
static bool find_missing(struct place *place)
{
	char *slash;
	int ret = split(place);

	while (ret == -ENOENT) {
		slash = strrchr(place->path, '/');
		if (!slash || slash == place->path)
			return false;
		*slash = 0;
		ret = split(place);
	}
	return !ret;
}

/* Neither of any program nor, without a name, of this one. */
static bool are_none(void)
{
	return weir_link.board &&
	       !atomic_load(&weir_link.board->deferred_count) &&
	       !atomic_load(&weir_deferral_was_used);
}

/* Nor is a directory to be told of those that were removed. */
static bool are_no_changes(void)
{
	return are_none() && !atomic_load(&weir_link.board->deferred_changed);
}

static bool can_know(void)
{
	return weir_link.board || (!weir_confined && !weir_attach());
}

/* Some, of any program; only who has attached knows. */
static bool are_some(void)
{
	return can_know() && atomic_load(&weir_link.board->deferred_count);
}

static bool may_be_one(const struct place *place)
{
	return are_some() &&
	       atomic_load(&weir_link.board->deferred_names[weir_board_name(
		       place->dev, place->ino, place->name)]);
}

static void materialise_place(const struct place *place)
{
	int parent = open_parent(place);

	if (parent < 0)
		return;
	weir_deferral_ask_materialise(WEIR_DEFERRAL_NAME, parent, place->path);
	weir_sys1(SYS_close, parent);
}

void weir_deferral_materialise_all(void)
{
	if (are_some())
		weir_deferral_ask_materialise(WEIR_DEFERRAL_ALL, -1, "");
}

void weir_deferral_end(void)
{
	weir_deferral_ask_materialise(WEIR_DEFERRAL_END, -1, "");
}

/* A link that leads nowhere may lead to one. */
static bool is_lost_link(int dir, const char *path)
{
	struct stat about;

	return !weir_sys4(SYS_newfstatat, dir, path, &about,
			  AT_SYMLINK_NOFOLLOW) &&
	       S_ISLNK(about.st_mode) &&
	       weir_sys4(SYS_newfstatat, dir, path, &about, 0) == -ENOENT;
}

static void materialise_if_deferred(int dir, const char *path)
{
	struct place *place = copy_place(dir, path);

	if (place && find_missing(place)) {
		if (may_be_one(place))
			materialise_place(place);
		else if (is_lost_link(dir, place->path))
			weir_deferral_materialise_all();
	}
	end_place(place);
}

/* By such names the kernel tells what stands at a number. */
static bool is_of_descriptors(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/fd", 7);
}

/* What is there may be one that is being created: nobody else may use it. */
static bool may_be_begun(const struct stat *about)
{
	return S_ISREG(about->st_mode) && (about->st_mode & 07777) == 0600 &&
	       (!weir_link.board ||
		atomic_load(&weir_link.board->deferred_begun));
}

/*
 * What is there is none of them, unless it is not whole yet. The kernel reads
 * the name first.
 */
void weir_deferral_before_name(int dir, const char *path)
{
	struct stat about;
	long ret;

	if (are_none())
		return;
	ret = weir_sys4(SYS_newfstatat, dir, path ? path : "", &about,
			AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
	if (!ret && (!path || !*path))
		weir_deferral_materialise(dir);
	else if (!ret && is_of_descriptors(path))
		weir_deferral_materialise_own();
	else if (!ret && S_ISLNK(about.st_mode) && is_lost_link(dir, path))
		weir_deferral_materialise_all();
	else if (ret == -ENOENT || (!ret && may_be_begun(&about)))
		materialise_if_deferred(dir, path);
}

static bool has_some(const struct stat *about)
{
	return can_know() &&
	       atomic_load(&weir_link.board->deferred_parents[weir_board_name(
		       about->st_dev, about->st_ino, "")]);
}

bool weir_deferral_fill(int dir, const char *path, const struct stat *about)
{
	char room[PATH_MAX];
	long parent;
	bool has;

	if (are_no_changes() || !S_ISDIR(about->st_mode) ||
	    !is_on_device(about->st_dev) ||
	    (weir_link.board && !has_some(about)))
		return false;
	parent = weir_sys4(SYS_openat, dir, path && *path ? path : ".",
			   O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (parent < 0)
		return false;
	has = (weir_link.board || defers_in((int)parent, room)) &&
	      has_some(about);
	if (has)
		weir_deferral_ask_materialise(WEIR_DEFERRAL_IN, (int)parent,
					      "");
	weir_sys1(SYS_close, parent);
	return has;
}

/* All of a directory, which is about to be listed or removed. */
static void fill_directory(int dir, const char *path, int flags)
{
	struct stat about;

	if (!are_no_changes() &&
	    !weir_sys4(SYS_newfstatat, dir, path, &about, flags))
		weir_deferral_fill(dir, path, &about);
}

void weir_deferral_before_list(int dir, const char *path)
{
	weir_deferral_before_name(dir, path);
	if (path)
		fill_directory(dir, path, 0);
}

void weir_deferral_before_list_fd(int fd)
{
	weir_deferral_materialise_named(fd);
	fill_directory(fd, "", AT_EMPTY_PATH);
}

/* As libc has it nowhere, without changing it. */
static uint32_t mask_of(void)
{
	char text[1024], *at;
	uint32_t mask = 0;
	long got,
		fd = weir_sys4(SYS_openat, AT_FDCWD, "/proc/thread-self/status",
			       O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return UINT32_MAX;
	got = weir_sys3(SYS_read, fd, text, sizeof(text) - 1);
	weir_sys1(SYS_close, fd);
	text[got > 0 ? got : 0] = 0;
	for (at = text; at && strncmp(at, "Umask:\t", 7) != 0;)
		at = (at = strchr(at, '\n')) ? at + 1 : NULL;
	if (!at)
		return UINT32_MAX;
	for (at += 7; *at >= '0' && *at <= '7'; at++)
		mask = mask * 8 + (uint32_t)(*at - '0');
	return mask;
}

/* The name that people know, if files there may be created later. */
static bool spell_whole(struct place *place, int parent)
{
	size_t length = defers_in(parent, place->whole);

	if (!length || length + strlen(place->name) + 2 > sizeof(place->whole))
		return false;
	if (length > 1)
		place->whole[length++] = '/';
	memcpy(place->whole + length, place->name, strlen(place->name) + 1);
	return true;
}

static void close_memory(uint32_t open, int fd)
{
	struct weir_op_close_in in = {.open = open};

	weir_stub_close(&in, NULL);
	if (fd >= 0)
		weir_sys1(SYS_close, fd);
}

/* The lowest number that is free now. -errno: as if nothing had been. */
static int number_memory(int memory, int flags, uint32_t open)
{
	int how = flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, old;
	long fd = weir_sys3(SYS_fcntl, memory, how, 0);

	weir_sys1(SYS_close, memory);
	if (!weir_fdtable_holds((int)fd)) {
		close_memory(open, (int)fd);
		return -EMFILE;
	}
	atomic_fetch_or(&weir_openfiles_at(open)->flags,
			WEIR_OPENFILES_KERNELS);
	old = weir_fdtable_swap((int)fd, (int)open);
	weir_deferral_mark((int)fd, (int)open);
	if (old >= 0)
		weir_lazyopen_drop(old);
	return (int)fd;
}

static int create_deferred(struct place *place, int parent, int flags,
			   unsigned mode)
{
	struct weir_op_create_deferred_in in = {
		.flags = (uint32_t)flags,
		.user = (uint32_t)weir_sys0(SYS_geteuid),
		.group = (uint32_t)weir_sys0(SYS_getegid),
	};
	struct weir_op_create_deferred_out out;
	uint32_t mask = flags & O_CREAT ? mask_of() : 0;
	int ret = -ESTALE, memory = -1;

	in.mode = mode & ~mask & 07777;
	if (mask != UINT32_MAX)
		ret = weir_deferral_ask_create(&in, parent, place->whole, &out,
					       &memory);
	weir_sys1(SYS_close, parent);
	if (ret)
		return ret;
	if (memory < 0 || out.open >= WEIR_SESSION_OPENS)
		return -EPROTO;
	return number_memory(memory, flags, out.open);
}

static bool may_be_deferred(int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;

	return !(flags & ~PLAIN) && (writes || !(flags & O_TRUNC)) &&
	       (flags & O_ACCMODE) != O_ACCMODE && !weir_confined &&
	       weir_ownfds_are_ours() && !weir_adopt_takes_nothing() &&
	       !weir_adopt_is_limited();
}

/* A number, or -errno: as without us, but for EEXIST. */
static int open_place(struct place *place, int flags, unsigned mode)
{
	bool is_one = may_be_one(place);
	int parent, fd = -ESTALE;

	if (!weir_link.board || (!is_one && !(flags & O_CREAT)))
		return -ESTALE;
	if (may_be_deferred(flags)) {
		parent = open_parent(place);
		if (parent >= 0 && spell_whole(place, parent))
			fd = create_deferred(place, parent, flags, mode);
		else if (parent >= 0)
			weir_sys1(SYS_close, parent);
	}
	if (fd < 0 && fd != -EEXIST && is_one)
		materialise_place(place);
	return fd;
}

bool weir_deferral_open(int dir, const char *path, int flags, unsigned mode,
			int *ret_fd)
{
	struct place *place;
	int fd = -ESTALE;

	if (!(flags & O_CREAT) && are_none())
		return false;
	place = find_existing_place(dir, path);
	if (place)
		fd = open_place(place, flags, mode);
	end_place(place);
	if (fd >= 0) {
		*ret_fd = fd;
		return true;
	}
	if (fd == -EEXIST && flags & O_EXCL) {
		weir_gate_set_errno(EEXIST);
		*ret_fd = -1;
		return true;
	}
	weir_deferral_before_name(dir, path);
	return false;
}

bool weir_deferral_unlink(int dir, const char *path)
{
	struct place *place = find_existing_place(dir, path);
	int parent = -1, ret = -ESTALE;

	if (place && may_be_one(place))
		parent = open_parent(place);
	if (parent >= 0) {
		ret = weir_deferral_ask_unlink(parent, place->path);
		weir_sys1(SYS_close, parent);
	}
	end_place(place);
	return !ret;
}
