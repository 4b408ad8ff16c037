/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files of which not all may be stored, and what stat tells. */
#include "base/sys.h"
#include "forward/divert.h"
#include "forward/held.h"
#include "forward/known.h"
#include "spec/forward_stubs.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <time.h>

#define BLOCK 512

static void store(int dir, const char *path, bool follow)
{
	struct weir_known known;

	if (weir_known_name(dir, path, follow, &known) &&
	    known.flags & WEIR_FILE_WRITTEN)
		weir_known_commit(&known);
}

void weir_divert_named_before(struct weir_divert *hold, int dir,
			      const char *path)
{
	store(dir, path, true);
}

void weir_divert_named_after(struct weir_divert *hold, long ret)
{
}

static void remember_name(struct weir_divert *hold, int dir, const char *path)
{
	struct weir_known known;

	weir_known_name(dir, path, false, &known);
	hold->file = known.file;
	hold->turn = known.turn;
}

static void tell_unlinked(const struct weir_divert *hold, long ret)
{
	struct weir_known known = {.file = hold->file, .turn = hold->turn};

	if (!ret && known.turn)
		weir_known_unlinked(&known);
}

void weir_divert_unlink_before(struct weir_divert *hold, int dir,
			       const char *path)
{
	remember_name(hold, dir, path);
}

void weir_divert_unlink_after(struct weir_divert *hold, long ret)
{
	tell_unlinked(hold, ret);
}

/*
 * What gets a name that was another's is complete: who writes a file under
 * another name and then renames it relies on that.
 */
void weir_divert_rename_before(struct weir_divert *hold, int from_dir,
			       const char *from, int to_dir, const char *to)
{
	store(from_dir, from, false);
	remember_name(hold, to_dir, to);
}

void weir_divert_rename_after(struct weir_divert *hold, long ret)
{
	tell_unlinked(hold, ret);
}

static bool ask_extent(const struct stat *about, int dir, const char *path,
		       struct weir_op_extent_out *ret_out)
{
	struct weir_known known;
	struct weir_op_extent_in in;

	if (!weir_known_file(about, dir, path, &known) ||
	    !(known.flags & WEIR_FILE_WRITTEN) ||
	    known.flags & WEIR_FILE_BYPASS)
		return false;
	in = (struct weir_op_extent_in){.file = known.file, .turn = known.turn};
	return !weir_stub_extent(&in, ret_out);
}

static bool is_later(const struct weir_op_extent_out *out, int64_t seconds,
		     uint64_t nanoseconds)
{
	return out->seconds > seconds ||
	       (out->seconds == seconds && out->nanoseconds > nanoseconds);
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
	return weir_link.board ? (long)atomic_load(&weir_link.board->settled) :
				 -1;
}

/* Of the same file once more; by its name or by what that leads to. */
static bool ask_again(const struct weir_divert *hold, uint64_t dev,
		      uint64_t ino, struct stat *ret_about)
{
	static const int ways[] = {AT_SYMLINK_NOFOLLOW, 0};
	bool has_name = hold->path && *hold->path;
	const char *path = has_name ? hold->path : "";
	int more = has_name ? 0 : AT_EMPTY_PATH;

	if (settled() == hold->word)
		return false;
	for (int i = 0; i < 2; i++)
		if (!weir_sys4(SYS_newfstatat, hold->fds[0], path, ret_about,
			       ways[i] | more) &&
		    ret_about->st_dev == dev && ret_about->st_ino == ino)
			return true;
	return false;
}

void weir_divert_stat_before(struct weir_divert *hold, void *stat, int dir,
			     const char *path)
{
	hold->word = settled();
	hold->room = stat;
	hold->fds[0] = dir;
	hold->path = path;
}

void weir_divert_stat_after(struct weir_divert *hold, long ret)
{
	struct stat *about = hold->room, again;
	struct weir_op_extent_out out;

	if (ret)
		return;
	if (!ask_extent(about, hold->fds[0], hold->path, &out)) {
		if (ask_again(hold, about->st_dev, about->st_ino, &again))
			*about = again;
		return;
	}
	about->st_blocks = (blkcnt_t)blocks_of(
		(uint64_t)about->st_blocks, (uint64_t)about->st_size, out.size);
	about->st_size = (off_t)out.size;
	if (!is_later(&out, about->st_mtim.tv_sec,
		      (uint64_t)about->st_mtim.tv_nsec))
		return;
	about->st_mtim.tv_sec = out.seconds;
	about->st_mtim.tv_nsec = (long)out.nanoseconds;
	about->st_ctim = about->st_mtim;
}

void weir_divert_statx_before(struct weir_divert *hold, void *statx, int dir,
			      const char *path)
{
	weir_divert_stat_before(hold, statx, dir, path);
}

static void take_new(struct statx *told, const struct stat *about)
{
	told->stx_size = (uint64_t)about->st_size;
	told->stx_blocks = (uint64_t)about->st_blocks;
	told->stx_mtime.tv_sec = about->st_mtim.tv_sec;
	told->stx_mtime.tv_nsec = (uint32_t)about->st_mtim.tv_nsec;
	told->stx_ctime.tv_sec = about->st_ctim.tv_sec;
	told->stx_ctime.tv_nsec = (uint32_t)about->st_ctim.tv_nsec;
}

void weir_divert_statx_after(struct weir_divert *hold, long ret)
{
	struct statx *told = hold->room;
	struct weir_op_extent_out out;
	struct stat about;

	if (ret)
		return;
	about = (struct stat){
		.st_dev = makedev(told->stx_dev_major, told->stx_dev_minor),
		.st_ino = told->stx_ino,
		.st_mode = told->stx_mode,
	};
	if (!ask_extent(&about, hold->fds[0], hold->path, &out)) {
		if (ask_again(hold, about.st_dev, about.st_ino, &about))
			take_new(told, &about);
		return;
	}
	told->stx_blocks =
		blocks_of(told->stx_blocks, told->stx_size, out.size);
	told->stx_size = out.size;
	if (!is_later(&out, told->stx_mtime.tv_sec, told->stx_mtime.tv_nsec))
		return;
	told->stx_mtime.tv_sec = out.seconds;
	told->stx_mtime.tv_nsec = out.nanoseconds;
	told->stx_ctime = told->stx_mtime;
}
