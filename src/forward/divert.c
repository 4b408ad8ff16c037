/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on forwarded files, passed on to the kernel. */
#include "forward/divert.h"

#include "spec/real.h"

void weir_divert_begin(void)
{
}

void weir_divert_end(void)
{
}

int weir_divert_openat(int dir, const char *path, int flags, unsigned mode)
{
	return weir_real.openat(dir, path, flags, mode);
}

int weir_divert_close(int fd)
{
	return weir_real.close(fd);
}

long weir_divert_read(int fd, void *buf, unsigned long len)
{
	return weir_real.read(fd, buf, len);
}

long weir_divert_write(int fd, const void *buf, unsigned long len)
{
	return weir_real.write(fd, buf, len);
}

long weir_divert_pread(int fd, void *buf, unsigned long len, long off)
{
	return weir_real.pread(fd, buf, len, off);
}

long weir_divert_pwrite(int fd, const void *buf, unsigned long len, long off)
{
	return weir_real.pwrite(fd, buf, len, off);
}

long weir_divert_readv(int fd, const void *vec, int n)
{
	return weir_real.readv(fd, vec, n);
}

long weir_divert_writev(int fd, const void *vec, int n)
{
	return weir_real.writev(fd, vec, n);
}

long weir_divert_preadv(int fd, const void *vec, int n, long off)
{
	return weir_real.preadv(fd, vec, n, off);
}

long weir_divert_pwritev(int fd, const void *vec, int n, long off)
{
	return weir_real.pwritev(fd, vec, n, off);
}

long weir_divert_preadv2(int fd, const void *vec, int n, long off, int flags)
{
	return weir_real.preadv2(fd, vec, n, off, flags);
}

long weir_divert_pwritev2(int fd, const void *vec, int n, long off, int flags)
{
	return weir_real.pwritev2(fd, vec, n, off, flags);
}

long weir_divert_lseek(int fd, long off, int whence)
{
	return weir_real.lseek(fd, off, whence);
}

int weir_divert_fsync(int fd, bool data_only)
{
	return data_only ? weir_real.fdatasync(fd) : weir_real.fsync(fd);
}

int weir_divert_ftruncate(int fd, long len)
{
	return weir_real.ftruncate(fd, len);
}

int weir_divert_truncate(const char *path, long len)
{
	return weir_real.truncate(path, len);
}

void weir_divert_opened_before(struct weir_divert *hold, int flags)
{
}

void weir_divert_opened_after(struct weir_divert *hold, long fd)
{
}

void weir_divert_found_before(struct weir_divert *hold)
{
}

void weir_divert_found_after(struct weir_divert *hold, long fd)
{
}

void weir_divert_sweep_before(struct weir_divert *hold, unsigned first,
			      unsigned last, int flags)
{
}

void weir_divert_sweep_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_dup_before(struct weir_divert *hold, int fd, int to)
{
}

void weir_divert_dup_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_control_before(struct weir_divert *hold, int fd, int cmd,
				long arg)
{
}

void weir_divert_control_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_settle_before(struct weir_divert *hold, int fd, int other)
{
}

void weir_divert_settle_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_device_before(struct weir_divert *hold, int fd,
			       unsigned long request, long arg)
{
}

void weir_divert_device_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_stored_before(struct weir_divert *hold, int fd)
{
}

void weir_divert_stored_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_stored_all_before(struct weir_divert *hold)
{
}

void weir_divert_stored_all_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_named_before(struct weir_divert *hold, int dir,
			      const char *path)
{
}

void weir_divert_named_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_rename_before(struct weir_divert *hold, int from_dir,
			       const char *from, int to_dir, const char *to)
{
}

void weir_divert_rename_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_unlink_before(struct weir_divert *hold, int dir,
			       const char *path)
{
}

void weir_divert_unlink_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_stat_before(struct weir_divert *hold, void *stat)
{
}

void weir_divert_stat_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_statx_before(struct weir_divert *hold, void *statx)
{
}

void weir_divert_statx_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_map_before(struct weir_divert *hold, int flags, int fd)
{
}

void weir_divert_map_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_fopen_before(struct weir_divert *hold, const char *path,
			      const char *mode)
{
}

void weir_divert_fopen_after(struct weir_divert *hold, long stream)
{
}

void weir_divert_fdopen_before(struct weir_divert *hold, int fd,
			       const char *mode)
{
}

void weir_divert_fdopen_after(struct weir_divert *hold, long stream)
{
}

void weir_divert_freopen_before(struct weir_divert *hold, const char *path,
				const char *mode, void *stream)
{
}

void weir_divert_freopen_after(struct weir_divert *hold, long stream)
{
}

void weir_divert_fclose_before(struct weir_divert *hold, void *stream)
{
}

void weir_divert_fclose_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_aio_before(struct weir_divert *hold, const void *block)
{
}

void weir_divert_aio_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_aio_list_before(struct weir_divert *hold, const void *list,
				 int count)
{
}

void weir_divert_aio_list_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_iocb_list_before(struct weir_divert *hold, const void *list,
				  long count)
{
}

void weir_divert_iocb_list_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_uring_before(struct weir_divert *hold)
{
}

void weir_divert_uring_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_send_before(struct weir_divert *hold, const void *messages,
			     int count)
{
}

void weir_divert_send_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_spawn_before(struct weir_divert *hold, const void *actions)
{
}

void weir_divert_spawn_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_exec_before(struct weir_divert *hold)
{
}

void weir_divert_exec_after(struct weir_divert *hold, long ret)
{
}
