/* SPDX-License-Identifier: BSD-3-Clause */
/* Diverts calls that move the offset, cut a file, or store it. */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/divert/divert.h"
#include "forward/files/fdpark.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/ownfds.h"
#include "forward/files/servedfiles.h"
#include "forward/link/link.h"
#include "forward/log/transfer.h"
#include "gate/gate.h"
#include "spec/forward_stubs.h"
#include "spec/real.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static long libc_result_of_seek(int64_t ret)
{
	if (ret >= 0)
		return (long)ret;
	weir_gate_set_errno((int)-ret);
	return -1;
}

static int64_t end_of_open(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_extent_in in = {.file = at->file, .turn = at->turn};
	struct weir_op_extent_out out;
	struct stat about;
	long ret = -ESTALE;

	if (weir_link_flags(at->file) & WEIR_FILE_WRITTEN)
		ret = weir_stub_extent(&in, &out);
	if (!ret)
		return (int64_t)out.size;
	if (ret != -ESTALE) /* as of a file that the service has not any more */
		return ret;
	ret = weir_sys2(SYS_fstat, fd, &about);
	return ret ? ret : about.st_size;
}

/*
 * Where data and holes are, the kernel knows when it has all of it. Synced: a
 * GlusterFS that has been given bytes by another descriptor may not look at
 * those that it has not sent yet.
 */
static int64_t look_for(uint32_t open, int fd, int64_t off, int whence)
{
	uint32_t file = weir_openfiles_at(open)->file;
	bool is_written = weir_link_flags(file) & WEIR_FILE_WRITTEN;
	int ret = weir_openfiles_commit(
		open, is_written ? WEIR_OPENFILES_SYNC : WEIR_OPENFILES_STORE);

	return ret ? ret : weir_sys3(SYS_lseek, fd, off, whence);
}

/* Under the lock. */
static int64_t place_after_seek(uint32_t open, int fd, int64_t off, int whence)
{
	int64_t base = 0;

	if (whence == SEEK_CUR)
		base = (int64_t)atomic_load(&weir_openfiles_at(open)->offset);
	else if (whence == SEEK_END)
		base = end_of_open(open, fd);
	else if (whence != SEEK_SET)
		return look_for(open, fd, off, whence);
	if (base < 0)
		return base;
	if (__builtin_add_overflow(base, off, &off) || off < 0)
		return -EINVAL;
	/* As far as that a file system may not go. */
	if ((uint64_t)off > WEIR_TRANSFER_FAR)
		return weir_sys3(SYS_lseek, fd, off, SEEK_SET);
	return off;
}

long weir_divert_lseek(int fd, long off, int whence)
{
	int open;
	int64_t place;
	bool taken;

	if (weir_gate_unlikely(weir_deferral_is(fd)) &&
	    weir_deferral_seek(fd, off, whence, &place))
		return libc_result_of_seek(place);
	open = weir_lazyopen_look(fd);
	if (open < 0 || weir_openfiles_is_kernels((uint32_t)open, fd))
		return weir_real.lseek(fd, off, whence);
	taken = weir_opens_lock(weir_openfiles_at((uint32_t)open));
	if (weir_openfiles_flags((uint32_t)open) & WEIR_OPENFILES_KERNELS)
		place = weir_sys3(SYS_lseek, fd, off, whence);
	else
		place = place_after_seek((uint32_t)open, fd, off, whence);
	if (place >= 0)
		atomic_store(&weir_openfiles_at((uint32_t)open)->offset,
			     (uint64_t)place);
	if (taken)
		weir_opens_unlock(weir_openfiles_at((uint32_t)open));
	return libc_result_of_seek(place);
}

int weir_divert_fsync(int fd, bool data_only)
{
	int open, ret = weir_deferral_materialise_named(fd);

	if (ret)
		return (int)libc_result_of_seek(ret);
	open = weir_lazyopen_look(fd);
	if (open < 0 || weir_openfiles_is_kernels((uint32_t)open, fd))
		return data_only ? weir_real.fdatasync(fd)
				 : weir_real.fsync(fd);
	return (int)libc_result_of_seek(weir_openfiles_commit(
		(uint32_t)open, WEIR_OPENFILES_SYNC | WEIR_OPENFILES_TELL));
}

/* Of a length that the kernel may refuse, it decides. */
static bool may_cut(uint32_t open, int64_t len)
{
	return len >= 0 && (uint64_t)len <= WEIR_TRANSFER_FAR &&
	       (weir_openfiles_flags(open) & O_ACCMODE) != O_RDONLY;
}

int weir_divert_ftruncate(int fd, long len)
{
	int open;
	struct weir_op_truncate_in in = {.length = (uint64_t)len};
	int64_t done;

	if (weir_gate_unlikely(weir_deferral_is(fd)) &&
	    weir_deferral_cut(fd, len, &done))
		return (int)libc_result_of_seek(done);
	open = weir_lazyopen_get(fd);
	in.open = (uint32_t)open;
	if (open < 0 || weir_openfiles_is_kernels((uint32_t)open, fd))
		return weir_real.ftruncate(fd, len);
	if (may_cut((uint32_t)open, len))
		return (int)libc_result_of_seek(weir_stub_truncate(&in, NULL));
	weir_openfiles_commit((uint32_t)open, WEIR_OPENFILES_STORE);
	return weir_real.ftruncate(fd, len);
}

/*
 * By name: opened for it, as an open file is what the service cuts. Where that
 * cannot be, or would cost the process its locks, the kernel does it.
 */
int weir_divert_truncate(const char *path, long len)
{
	struct weir_servedfile served;
	int fd = -1, ret, err;

	if (len < 0 ||
	    !weir_servedfiles_find_name(AT_FDCWD, path, true, &served) ||
	    served.flags & WEIR_FILE_BYPASS)
		return weir_real.truncate(path, len);
	if (weir_ownfds_are_ours() && !weir_fdpark_is_wanted)
		fd = weir_divert_openat(AT_FDCWD, path, O_WRONLY | O_CLOEXEC,
					0);
	if (fd < 0) {
		weir_servedfiles_bypass(&served);
		return weir_real.truncate(path, len);
	}
	ret = weir_divert_ftruncate(fd, len);
	err = weir_gate_errno();
	weir_divert_close(fd);
	weir_gate_set_errno(err);
	return ret;
}
