/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves descriptors of deferred files and materialises them. */
#include "forward/deferred/deferral.h"

#include "base/sys.h"
#include "forward/deferred/deferral_ask.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/ownfds.h"
#include "forward/link/link.h"
#include "forward/log/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTABLE (O_APPEND | O_NONBLOCK)

_Atomic bool weir_deferral_was_used;

void weir_deferral_mark(int fd, int open)
{
	if (!weir_fdtable_holds(fd) || open < 0 || weir_lazyopen_is(open) ||
	    !atomic_load(&weir_openfiles_at((uint32_t)open)->deferred))
		return;
	atomic_store(&weir_deferral_was_used, true);
	atomic_store(&weir_fdtable[fd].is_deferred, true);
}

/* What the board says of it; 0: it is not in memory any more. */
static uint32_t word_of(struct weir_session_open *at)
{
	uint64_t key = atomic_load(&at->deferred);
	uint32_t place = (uint32_t)key - 1, word;

	if (at->turn || place >= WEIR_BOARD_DEFERRED)
		return 0;
	word = atomic_load(&weir_link.board->deferred[place]);
	if ((word & ~WEIR_BOARD_NAMELESS) != (uint32_t)(key >> 32))
		return 0;
	return word;
}

/* The first who is given the file moves the offset there, for all. */
static void move_offset_to(struct weir_session_open *at, int fd, int file,
			   const struct weir_op_fetch_out *out)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFL);
	long offset = weir_sys3(SYS_lseek, fd, 0, SEEK_CUR);

	if (flags >= 0)
		weir_sys3(SYS_fcntl, file, F_SETFL, flags & SETTABLE);
	if (offset >= 0)
		weir_sys3(SYS_lseek, file, offset, SEEK_SET);
	atomic_store(&at->offset, offset < 0 ? 0 : (uint64_t)offset);
	at->file = out->file;
	__atomic_store_n(&at->turn, out->turn, __ATOMIC_RELEASE);
	atomic_fetch_and(&at->flags, ~WEIR_OPENFILES_KERNELS);
}

/* Something else may stand there, that nobody has told us of. */
static bool is_memory(int fd)
{
	return weir_sys2(SYS_fcntl, fd, F_GET_SEALS) >= 0;
}

static void put_file_under(int fd, int file)
{
	long kept = weir_sys2(SYS_fcntl, fd, F_GETFD);

	weir_sys3(SYS_dup3, file, fd,
		  kept > 0 && kept & FD_CLOEXEC ? O_CLOEXEC : 0);
	atomic_store(&weir_fdtable[fd].is_deferred, false);
}

/* With the lock of the open file. */
static int fetch_file(int fd, uint32_t open, bool grows)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_fetch_out out = {0};
	int file = -1, ret;

	if (!weir_deferral_is(fd))
		return 0;
	if (!is_memory(fd)) {
		atomic_store(&weir_fdtable[fd].is_deferred, false);
		return 0;
	}
	ret = weir_deferral_ask_fetch(open, grows, &out, &file);
	if (ret || out.stays)
		return ret;
	if (file < 0 || out.file >= WEIR_BOARD_FILES || !out.turn)
		return -EPROTO;
	if (!at->turn)
		move_offset_to(at, fd, file, &out);
	put_file_under(fd, file);
	weir_sys1(SYS_close, file);
	return 0;
}

static int materialise_fd(int fd, bool grows)
{
	int ret, open = weir_lazyopen_get(fd);
	bool taken;

	if (open < 0 || !weir_ownfds_are_ours())
		return 0;
	taken = weir_opens_lock(weir_openfiles_at((uint32_t)open));
	ret = fetch_file(fd, (uint32_t)open, grows);
	if (taken)
		weir_opens_unlock(weir_openfiles_at((uint32_t)open));
	return ret;
}

int weir_deferral_materialise(int fd)
{
	return weir_deferral_is(fd) ? materialise_fd(fd, true) : 0;
}

int weir_deferral_materialise_named(int fd)
{
	return weir_deferral_is(fd) ? materialise_fd(fd, false) : 0;
}

void weir_deferral_before_fd(int fd)
{
	weir_deferral_materialise(fd);
}

void weir_deferral_materialise_own(void)
{
	int fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		weir_deferral_materialise(fd);
}

static bool is_numbered(struct weir_session_open *at,
			struct weir_deferral_facts *facts)
{
	uint32_t place = (uint32_t)atomic_load(&at->deferred) - 1;
	const struct weir_board_number *number;

	if (place >= WEIR_BOARD_DEFERRED)
		return false;
	number = &weir_link.board->deferred_numbers[place];
	facts->ino = atomic_load(&number->ino);
	facts->dev = atomic_load(&number->dev);
	return facts->ino;
}

/* One that stays in memory has the numbers that it has there. */
static bool find_numbers(int fd, uint32_t open,
			 struct weir_deferral_facts *facts)
{
	struct weir_session_open *at = weir_openfiles_at(open);

	if (is_numbered(at, facts) ||
	    (!weir_deferral_ask_number(open) && is_numbered(at, facts)))
		return true;
	weir_deferral_materialise(fd);
	facts->dev = facts->ino = 0;
	return weir_deferral_is(fd);
}

bool weir_deferral_look(int fd, struct weir_deferral_facts *ret_facts)
{
	int open = weir_deferral_is(fd) ? weir_lazyopen_get(fd) : -1;
	uint32_t word =
		open < 0 ? 0 : word_of(weir_openfiles_at((uint32_t)open));

	ret_facts->links = !(word & WEIR_BOARD_NAMELESS);
	if (word)
		return find_numbers(fd, (uint32_t)open, ret_facts);
	weir_deferral_materialise_named(fd);
	return false;
}

/* An open file that is in memory, and locked. */
struct in_memory {
	struct weir_session_open *at;
	bool taken;
};

static void unlock_memory(const struct in_memory *in)
{
	if (in->taken)
		weir_opens_unlock(in->at);
}

/* 1: it is; 0: it is none, or not any more; or -errno. */
static int lock_memory(int fd, struct in_memory *ret_in)
{
	int open, ret = 0;

	while (!ret && weir_deferral_is(fd)) {
		open = weir_lazyopen_get(fd);
		if (open < 0)
			return 0;
		ret_in->at = weir_openfiles_at((uint32_t)open);
		ret_in->taken = weir_opens_lock(ret_in->at);
		if (word_of(ret_in->at))
			return 1;
		unlock_memory(ret_in);
		ret = materialise_fd(fd, false);
	}
	return ret;
}

/* Nothing is written there any more: the file is about to be there. */
static bool was_sealed(int fd, const struct in_memory *in, int64_t *done)
{
	int ret = 0;

	if (*done != -EPERM)
		return false;
	if (word_of(in->at)) /* it could not be, and may be now */
		ret = materialise_fd(fd, false);
	if (ret)
		*done = ret;
	return !ret;
}

static uint64_t end_of_write(const struct weir_transfer *way, uint32_t flags)
{
	struct stat about;
	uint64_t from = way->offset;

	if (flags & O_APPEND && !weir_sys2(SYS_fstat, way->fd, &about))
		from = (uint64_t)about.st_size;
	else if (way->offset == WEIR_TRANSFER_HERE)
		from = (uint64_t)weir_sys3(SYS_lseek, way->fd, 0, SEEK_CUR);
	return from + way->total;
}

static bool is_long(uint64_t end)
{
	return end > atomic_load(&weir_link.board->deferred_most);
}

static int64_t move_in_memory(const struct weir_transfer *way, bool writes)
{
	if (way->offset == WEIR_TRANSFER_HERE)
		return weir_sys3(writes ? SYS_writev : SYS_readv, way->fd,
				 way->parts, way->count);
	return weir_sys6(writes ? SYS_pwritev : SYS_preadv, way->fd, way->parts,
			 way->count, way->offset, 0, 0);
}

/* Before it becomes too long it is materialised, if it can be. */
static int make_way(const struct weir_transfer *way, struct in_memory *in)
{
	int ret;

	if (!is_long(end_of_write(way, atomic_load(&in->at->flags))))
		return 1;
	unlock_memory(in);
	ret = materialise_fd(way->fd, true);
	return ret ? ret : lock_memory(way->fd, in);
}

bool weir_deferral_move(const struct weir_transfer *way, bool writes,
			int64_t *ret_done)
{
	struct in_memory in;
	int ret = lock_memory(way->fd, &in);

	if (ret == 1 && writes)
		ret = make_way(way, &in);
	*ret_done = ret;
	if (ret != 1)
		return ret;
	*ret_done = move_in_memory(way, writes);
	unlock_memory(&in);
	if (writes && was_sealed(way->fd, &in, ret_done))
		return weir_deferral_move(way, writes, ret_done);
	return true;
}

/* As far as that, and where its holes are, file systems differ. */
static bool is_simple(int64_t off, int whence)
{
	return whence <= SEEK_END && off <= (int64_t)WEIR_TRANSFER_FAR &&
	       off >= -(int64_t)WEIR_TRANSFER_FAR;
}

bool weir_deferral_seek(int fd, int64_t off, int whence, int64_t *ret_place)
{
	struct in_memory in;
	int ret = is_simple(off, whence) ? 0 : materialise_fd(fd, true);

	if (!ret)
		ret = lock_memory(fd, &in);

	*ret_place = ret;
	if (ret != 1)
		return ret;
	*ret_place = weir_sys3(SYS_lseek, fd, off, whence);
	unlock_memory(&in);
	return true;
}

bool weir_deferral_cut(int fd, int64_t length, int64_t *ret_done)
{
	struct in_memory in;
	int ret = length > 0 && is_long((uint64_t)length)
			  ? materialise_fd(fd, true)
			  : 0;

	if (!ret)
		ret = lock_memory(fd, &in);
	*ret_done = ret;
	if (ret != 1)
		return ret;
	*ret_done = weir_sys2(SYS_ftruncate, fd, length);
	unlock_memory(&in);
	if (was_sealed(fd, &in, ret_done))
		return weir_deferral_cut(fd, length, ret_done);
	return true;
}
