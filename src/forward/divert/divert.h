/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diverts calls on forwarded files: the functions that the words `divert` and
 * `around` of the tables name. The wrappers call these while there is a
 * service (weir_link_is_on), whether the call is recorded or not.
 *
 * A function weir_divert_NAME takes the place of the next function and tells
 * failure as libc does. A pair NAME_before and NAME_after stands around it:
 * `before` returns 0, or -errno, with which the call fails and is not made;
 * `after` is given what it returned, and returns that.
 * The wrappers include no header of libc, nor does this one.
 */
#ifndef WEIR_DIVERT_DIVERT_H
#define WEIR_DIVERT_DIVERT_H

#include "forward/deferred/deferral.h"
#include "forward/divert/cookiestream.h"
#include "forward/link/switches.h"
#include "gate/fdtable.h"

#include <stdbool.h>
#include <stdint.h>

/* What a call's `before` keeps for its `after`. */
struct weir_divert {
	int opens[2];	     /* open files that are held; -1: none */
	int fds[2];	     /* their descriptors */
	uint32_t file, turn; /* a place on the board; turn 0: none */
	int number;	     /* a command, a descriptor, flags */
	long word;
	void *room; /* where the kernel puts its answer */
	const char *path;
	bool is_deferred;
	struct weir_deferral_facts deferred; /* of such a descriptor */
};

/* From the constructor: what WEIR_FORWARD says. */
void weir_divert_begin(const char *where);

/* It ends by exit(): what libc is about to write of streams is written. */
void weir_divert_flush(void);

/* The process ends: its descriptors are closed. */
void weir_divert_end(void);

/* System calls are about to be forbidden, ours too: all is the kernel's. */
void weir_divert_confine(void);

/* +1: a child of vfork runs in our memory; -1: no longer. */
void weir_divert_vfork(int change);

/* For streams that libc reads and writes by us (cookiestream.h). */
extern const weirgatecookie weir_divert_cookie;

int weir_divert_openat(int dir, const char *path, int flags, unsigned mode);
int weir_divert_close(int fd);
long weir_divert_read(int fd, void *buf, unsigned long len);
long weir_divert_write(int fd, const void *buf, unsigned long len);
long weir_divert_pread(int fd, void *buf, unsigned long len, long off);
long weir_divert_pwrite(int fd, const void *buf, unsigned long len, long off);
long weir_divert_readv(int fd, const void *vec, int n);
long weir_divert_writev(int fd, const void *vec, int n);
long weir_divert_preadv(int fd, const void *vec, int n, long off);
long weir_divert_pwritev(int fd, const void *vec, int n, long off);
long weir_divert_preadv2(int fd, const void *vec, int n, long off, int flags);
long weir_divert_pwritev2(int fd, const void *vec, int n, long off, int flags);
long weir_divert_lseek(int fd, long off, int whence);
int weir_divert_fsync(int fd, bool data_only);
int weir_divert_ftruncate(int fd, long len);
int weir_divert_truncate(const char *path, long len);
void *weir_divert_fopen(const char *path, const char *mode);
void *weir_divert_fdopen(int fd, const char *mode);
unsigned long weir_divert_fread(void *buf, unsigned long size, unsigned long n,
				void *stream);
int weir_divert_fseek(void *stream, long off, int whence);

/* Opened otherwise: `flags` as open would have got them; or not known. */
int weir_divert_opened_before(struct weir_divert *hold, int flags);
long weir_divert_opened_after(struct weir_divert *hold, long fd);
int weir_divert_how_before(struct weir_divert *hold, int dir, const char *path,
			   const void *how);
long weir_divert_how_after(struct weir_divert *hold, long fd);
int weir_divert_handle_before(struct weir_divert *hold, int flags);
long weir_divert_handle_after(struct weir_divert *hold, long fd);
int weir_divert_found_before(struct weir_divert *hold);
long weir_divert_found_after(struct weir_divert *hold, long fd);

int weir_divert_sweep_before(struct weir_divert *hold, unsigned first,
			     unsigned last, int flags);
long weir_divert_sweep_after(struct weir_divert *hold, long ret);
int weir_divert_dup_before(struct weir_divert *hold, int fd, int to);
long weir_divert_dup_after(struct weir_divert *hold, long ret);
int weir_divert_control_before(struct weir_divert *hold, int fd, int cmd,
			       long arg);
long weir_divert_control_after(struct weir_divert *hold, long ret);

/* How long files may become, the kernel watches. */
int weir_divert_limit_before(struct weir_divert *hold);
long weir_divert_limit_after(struct weir_divert *hold, long ret);

/* The service cannot follow the process any more. */
int weir_divert_outside_before(struct weir_divert *hold);
long weir_divert_outside_after(struct weir_divert *hold, long ret);

/* Locks go to the kernel, and must not be lost by us. */
int weir_divert_lock_before(struct weir_divert *hold, int fd);
long weir_divert_lock_after(struct weir_divert *hold, long ret);

/* The kernel knows everything, offsets too, while the call lasts. */
int weir_divert_settle_before(struct weir_divert *hold, int fd, int other);
long weir_divert_settle_after(struct weir_divert *hold, long ret);
int weir_divert_device_before(struct weir_divert *hold, int fd,
			      unsigned long request, long arg);
long weir_divert_device_after(struct weir_divert *hold, long ret);

/* A call that may wait for long: no offset is held, but given away. */
int weir_divert_splice_before(struct weir_divert *hold, int in, int out);
long weir_divert_splice_after(struct weir_divert *hold, long ret);

/* How the file will be read: 0..5 as posix_fadvise has it. */
int weir_divert_advice_before(struct weir_divert *hold, int fd, long off,
			      long len, int advice);
long weir_divert_advice_after(struct weir_divert *hold, long ret);

/* What was written is stored before the call. */
int weir_divert_stored_before(struct weir_divert *hold, int fd);
long weir_divert_stored_after(struct weir_divert *hold, long ret);
int weir_divert_stored_all_before(struct weir_divert *hold);
long weir_divert_stored_all_after(struct weir_divert *hold, long ret);
int weir_divert_named_before(struct weir_divert *hold, int dir,
			     const char *path);
long weir_divert_named_after(struct weir_divert *hold, long ret);
int weir_divert_linked_before(struct weir_divert *hold, int dir,
			      const char *path, int flags);
long weir_divert_linked_after(struct weir_divert *hold, long ret);

int weir_divert_rename_before(struct weir_divert *hold, int from_dir,
			      const char *from, int to_dir, const char *to);
long weir_divert_rename_after(struct weir_divert *hold, long ret);
/* The second may get the first one's name. */
int weir_divert_exchange_before(struct weir_divert *hold, int from_dir,
				const char *from, int to_dir, const char *to);
long weir_divert_exchange_after(struct weir_divert *hold, long ret);
int weir_divert_unlink(const char *path);
int weir_divert_unlinkat(int dir, const char *path, int flags);
int weir_divert_remove(const char *path);

/*
 * How long a file is, and when it was written, the service knows better. `dir`
 * is the file itself when there is no path.
 */
int weir_divert_stat_before(struct weir_divert *hold, void *stat, int dir,
			    const char *path);
long weir_divert_stat_after(struct weir_divert *hold, long ret);
int weir_divert_statx_before(struct weir_divert *hold, void *statx, int dir,
			     const char *path);
long weir_divert_statx_after(struct weir_divert *hold, long ret);

/* From here on the file goes straight to the kernel. */
int weir_divert_map_before(struct weir_divert *hold, int flags, int fd);
long weir_divert_map_after(struct weir_divert *hold, long ret);
int weir_divert_freopen_before(struct weir_divert *hold, const char *path,
			       const char *mode, void *stream);
long weir_divert_freopen_after(struct weir_divert *hold, long stream);
int weir_divert_fclose_before(struct weir_divert *hold, void *stream);
long weir_divert_fclose_after(struct weir_divert *hold, long ret);
int weir_divert_ftell_before(struct weir_divert *hold, void *stream);
long weir_divert_ftell_after(struct weir_divert *hold, long ret);
int weir_divert_widen_before(struct weir_divert *hold, void *stream);
long weir_divert_widen_after(struct weir_divert *hold, long ret);
int weir_divert_aio_before(struct weir_divert *hold, const void *block);
long weir_divert_aio_after(struct weir_divert *hold, long ret);
int weir_divert_aio_list_before(struct weir_divert *hold, const void *list,
				int count);
long weir_divert_aio_list_after(struct weir_divert *hold, long ret);
int weir_divert_iocb_list_before(struct weir_divert *hold, const void *list,
				 long count);
long weir_divert_iocb_list_after(struct weir_divert *hold, long ret);
int weir_divert_uring_before(struct weir_divert *hold);
long weir_divert_uring_after(struct weir_divert *hold, long ret);
int weir_divert_send_before(struct weir_divert *hold, const void *messages,
			    int count);
long weir_divert_send_after(struct weir_divert *hold, long ret);

/* What comes in a message, or in up to `count`, is a file of the kernel's. */
int weir_divert_received_before(struct weir_divert *hold, const void *messages,
				unsigned count);
long weir_divert_received_after(struct weir_divert *hold, long ret);

/* Another program gets the descriptors; `actions`: it may get all of them. */
int weir_divert_spawn_before(struct weir_divert *hold, const void *actions);
long weir_divert_spawn_after(struct weir_divert *hold, long ret);
int weir_divert_exec_before(struct weir_divert *hold);
long weir_divert_exec_after(struct weir_divert *hold, long ret);

#endif
