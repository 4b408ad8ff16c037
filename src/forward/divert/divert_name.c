/* SPDX-License-Identifier: BSD-3-Clause */
/* Diverts calls on names, and tells stat what the kernel does not know. */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/divert/divert.h"
#include "forward/files/adopt.h"
#include "forward/files/ownfds.h"
#include "forward/files/procnames.h"
#include "forward/files/servedfiles.h"
#include "forward/link/link.h"
#include "gate/fdtable.h"
#include "gate/gate.h"
#include "spec/forward_stubs.h"
#include "spec/real.h"

#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#define BLOCK 512

static int store_name(int dir, const char *path, bool follow)
{
	struct weir_servedfile served;

	if (weir_servedfiles_find_name(dir, path, follow, &served) &&
	    served.flags & WEIR_FILE_WRITTEN)
		return weir_servedfiles_commit(&served);
	return 0;
}

/* A descriptor, as in /proc/self/fd/NUMBER; -1: it is none. */
static int number_behind(const char *path)
{
	const char *last = strrchr(path, '/');

	return last && *path == '/' ? weir_procnames_fd(last + 1) : -1;
}

int weir_divert_named_before(struct weir_divert *hold, int dir,
			     const char *path)
{
	return store_name(dir, path, true);
}

long weir_divert_named_after(struct weir_divert *hold, long ret)
{
	return ret;
}

/*
 * A file without a name (O_TMPFILE) was nobody's business. When it gets one,
 * others find it: from then on it is known, and the kernel's.
 */
int weir_divert_linked_before(struct weir_divert *hold, int dir,
			      const char *path, int flags)
{
	bool is_open = flags & (AT_EMPTY_PATH | AT_SYMLINK_FOLLOW);

	hold->path = is_open ? path : NULL;
	hold->fds[0] = dir;
	return store_name(dir, path, true);
}

long weir_divert_linked_after(struct weir_divert *hold, long ret)
{
	int fd = hold->fds[0];

	if (ret || !hold->path)
		return ret;
	if (*hold->path)
		fd = number_behind(hold->path);
	if (fd >= 0 && weir_fdtable_peek(fd) < 0 && weir_ownfds_are_ours())
		weir_adopt_for_kernel(fd);
	return ret;
}

static void remember_name(struct weir_divert *hold, int dir, const char *path)
{
	struct weir_servedfile served;

	weir_servedfiles_find_name(dir, path, false, &served);
	hold->file = served.file;
	hold->turn = served.turn;
}

static void tell_unlinked(const struct weir_divert *hold, long ret)
{
	struct weir_servedfile served = {.file = hold->file,
					 .turn = hold->turn};

	if (!ret && served.turn)
		weir_servedfiles_unlinked(&served);
}

/* What is done besides; true: all is done. */
static bool is_unlinked(struct weir_divert *hold, int dir, const char *path)
{
	if (weir_gate_unlikely(weir_link_is_deferring)) {
		if (weir_deferral_unlink(dir, path))
			return true;
		weir_deferral_before_name(dir, path);
	}
	remember_name(hold, dir, path);
	return false;
}

int weir_divert_unlink(const char *path)
{
	return weir_divert_unlinkat(AT_FDCWD, path, 0);
}

int weir_divert_unlinkat(int dir, const char *path, int flags)
{
	struct weir_divert hold;
	int ret;

	if (flags & AT_REMOVEDIR && weir_link_is_deferring)
		weir_deferral_before_list(dir, path);
	else if (is_unlinked(&hold, dir, path))
		return 0;
	if (flags & AT_REMOVEDIR)
		remember_name(&hold, dir, path);
	ret = weir_real.unlinkat(dir, path, flags);
	tell_unlinked(&hold, ret);
	return ret;
}

int weir_divert_remove(const char *path)
{
	struct weir_divert hold;
	int ret;

	if (is_unlinked(&hold, AT_FDCWD, path))
		return 0;
	if (weir_link_is_deferring)
		weir_deferral_before_list(AT_FDCWD, path);
	ret = weir_real.remove(path);
	tell_unlinked(&hold, ret);
	return ret;
}

/*
 * What gets a name that was another's is complete: who writes a file under
 * another name and then renames it relies on that.
 */
int weir_divert_rename_before(struct weir_divert *hold, int from_dir,
			      const char *from, int to_dir, const char *to)
{
	remember_name(hold, to_dir, to);
	return store_name(from_dir, from, false);
}

long weir_divert_rename_after(struct weir_divert *hold, long ret)
{
	tell_unlinked(hold, ret);
	return ret;
}

int weir_divert_exchange_before(struct weir_divert *hold, int from_dir,
				const char *from, int to_dir, const char *to)
{
	int ret = weir_divert_rename_before(hold, from_dir, from, to_dir, to);

	return ret ? ret : store_name(to_dir, to, false);
}

long weir_divert_exchange_after(struct weir_divert *hold, long ret)
{
	return weir_divert_rename_after(hold, ret);
}

/* -ESTALE: the service does not have it. */
static int ask_extent(const struct stat *about, int dir, const char *path,
		      struct weir_op_extent_out *ret_out)
{
	struct weir_servedfile served;
	struct weir_op_extent_in in;

	if (!weir_servedfiles_find(about, dir, path, &served) ||
	    !(served.flags & WEIR_FILE_WRITTEN) ||
	    served.flags & WEIR_FILE_BYPASS)
		return -ESTALE;
	in = (struct weir_op_extent_in){.file = served.file,
					.turn = served.turn};
	return weir_stub_extent(&in, ret_out);
}

/* Some take a file without blocks for one without data. */
static uint64_t blocks_of(uint64_t blocks, uint64_t size, uint64_t now)
{
	if (now > size)
		blocks += (now - size + BLOCK - 1) / BLOCK;
	return blocks;
}

/*
 * The kernel was asked first. If what was not stored then is now, nobody but
 * the kernel knows, and what it said is old.
 */
static long settled(void)
{
	return weir_link.board ? (long)atomic_load(&weir_link.board->settled)
			       : -1;
}

/* Of the same file once more; by its name or by what that leads to. */
static bool ask_again(const struct weir_divert *hold, const struct stat *about,
		      struct stat *ret_now)
{
	static const int ways[] = {AT_SYMLINK_NOFOLLOW, 0};
	bool has_name = hold->path && *hold->path;
	const char *path = has_name ? hold->path : "";
	int more = has_name ? 0 : AT_EMPTY_PATH;

	for (int i = 0; i < 2; i++)
		if (!weir_sys4(SYS_newfstatat, hold->fds[0], path, ret_now,
			       ways[i] | more) &&
		    ret_now->st_dev == about->st_dev &&
		    ret_now->st_ino == about->st_ino)
			return true;
	return false;
}

/* When it was written last; when nothing is in memory, the kernel knows. */
static void correct_time(const struct weir_divert *hold, struct stat *about,
			 const struct weir_op_extent_out *out)
{
	struct timespec *time = &about->st_mtim;
	struct stat now;

	if (!out->seconds && ask_again(hold, about, &now)) {
		*time = now.st_mtim;
		about->st_ctim = now.st_ctim;
	}
	if (out->seconds < time->tv_sec ||
	    (out->seconds == time->tv_sec &&
	     (long)out->nanoseconds <= time->tv_nsec))
		return;
	time->tv_sec = out->seconds;
	time->tv_nsec = (long)out->nanoseconds;
	about->st_ctim = *time;
}

static bool has_set_id(mode_t mode)
{
	return mode & S_ISUID || (mode & S_ISGID && mode & S_IXGRP);
}

/* Writing takes these from a file, unless root writes: when it is stored. */
static void correct_mode(const struct weir_divert *hold, struct stat *about)
{
	struct stat now;

	if (has_set_id(about->st_mode) &&
	    !store_name(hold->fds[0], hold->path, true) &&
	    ask_again(hold, about, &now))
		about->st_mode = now.st_mode;
}

/* Files that are created later have changed it already. */
static void correct_directory(const struct weir_divert *hold,
			      struct stat *about)
{
	struct stat now;

	if (weir_deferral_fill(hold->fds[0], hold->path, about) &&
	    ask_again(hold, about, &now))
		*about = now;
}

/* 0; -ESTALE: the kernel was right; or nobody knows any more. */
static int correct_stat(const struct weir_divert *hold, struct stat *about)
{
	struct weir_op_extent_out out;
	struct stat now;
	int ret;

	if (weir_gate_unlikely(weir_link_is_deferring) &&
	    S_ISDIR(about->st_mode)) {
		correct_directory(hold, about);
		return 0;
	}
	ret = ask_extent(about, hold->fds[0], hold->path, &out);
	if (!ret) {
		about->st_blocks =
			(blkcnt_t)blocks_of((uint64_t)about->st_blocks,
					    (uint64_t)about->st_size, out.size);
		about->st_size = (off_t)out.size;
		correct_time(hold, about, &out);
		correct_mode(hold, about);
		return 0;
	}
	if (ret != -ESTALE || settled() == hold->word ||
	    !ask_again(hold, about, &now))
		return ret;
	*about = now;
	return 0;
}

static long libc_result_of_stat(int ret)
{
	if (!ret || ret == -ESTALE)
		return 0;
	weir_gate_set_errno(-ret);
	return -1;
}

int weir_divert_stat_before(struct weir_divert *hold, void *stat, int dir,
			    const char *path)
{
	hold->is_deferred = weir_gate_unlikely(weir_link_is_deferring) &&
			    !(path && *path) &&
			    weir_deferral_look(dir, &hold->deferred);
	hold->word = settled();
	hold->room = stat;
	hold->fds[0] = dir;
	hold->path = path;
	return 0;
}

/*
 * True: memory stood for the file, and its size and times are right; what the
 * service knows of the file may be a part of it, while it is created.
 */
static bool correct_deferred(const struct weir_deferral_facts *facts,
			     struct stat *about)
{
	if (facts->ino && about->st_dev == facts->dev &&
	    about->st_ino == facts->ino)
		return false;
	if (!about->st_nlink)
		about->st_nlink = facts->links;
	if (facts->ino) {
		about->st_dev = facts->dev;
		about->st_ino = facts->ino;
	}
	return true;
}

long weir_divert_stat_after(struct weir_divert *hold, long ret)
{
	struct stat *about = hold->room;

	if (!ret && hold->is_deferred &&
	    correct_deferred(&hold->deferred, about))
		return 0;
	return ret ? ret : libc_result_of_stat(correct_stat(hold, hold->room));
}

int weir_divert_statx_before(struct weir_divert *hold, void *statx, int dir,
			     const char *path)
{
	return weir_divert_stat_before(hold, statx, dir, path);
}

/* When memory was made, and where it is mounted, is not told. */
static bool correct_deferred_x(const struct weir_deferral_facts *facts,
			       struct stat *about, struct statx *told)
{
	if (!correct_deferred(facts, about))
		return false;
	told->stx_nlink = (uint32_t)about->st_nlink;
	told->stx_ino = about->st_ino;
	told->stx_dev_major = major(about->st_dev);
	told->stx_dev_minor = minor(about->st_dev);
	told->stx_mask &= STATX_BASIC_STATS;
	return true;
}

long weir_divert_statx_after(struct weir_divert *hold, long ret)
{
	struct statx *told = hold->room;
	struct stat about;

	if (ret)
		return ret;
	about = (struct stat){
		.st_dev = makedev(told->stx_dev_major, told->stx_dev_minor),
		.st_ino = told->stx_ino,
		.st_nlink = told->stx_nlink,
		.st_mode = told->stx_mode,
		.st_size = (off_t)told->stx_size,
		.st_blocks = (blkcnt_t)told->stx_blocks,
		.st_mtim = {told->stx_mtime.tv_sec, told->stx_mtime.tv_nsec},
		.st_ctim = {told->stx_ctime.tv_sec, told->stx_ctime.tv_nsec},
	};
	if (hold->is_deferred &&
	    correct_deferred_x(&hold->deferred, &about, told))
		return 0;
	ret = correct_stat(hold, &about);
	if (ret)
		return libc_result_of_stat((int)ret);
	told->stx_mode = (uint16_t)about.st_mode;
	told->stx_size = (uint64_t)about.st_size;
	told->stx_blocks = (uint64_t)about.st_blocks;
	told->stx_mtime.tv_sec = about.st_mtim.tv_sec;
	told->stx_mtime.tv_nsec = (uint32_t)about.st_mtim.tv_nsec;
	told->stx_ctime.tv_sec = about.st_ctim.tv_sec;
	told->stx_ctime.tv_nsec = (uint32_t)about.st_ctim.tv_nsec;
	return ret;
}
