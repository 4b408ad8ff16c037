/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls made through libc's syscall(): the same events as by their names. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#define A(x) ((long)(x))

/* A system call, the call it is told as, and what must be seen of it. */
struct row {
	long number;
	const char *sys, *symbol;
	long arg[6];
	const char *fields;
};

/* `where` is put into the fields. */
static long do_row(const struct row *row, const char *where)
{
	const long *a = row->arg;
	long ret = syscall(row->number, a[0], a[1], a[2], a[3], a[4], a[5]);
	char fields[1500];
	int err = errno;

	snprintf(fields, sizeof(fields), row->fields, where);
	errno = err;
	tell(row->symbol, ret, "'sys':'%s',%s", row->sys, fields);
	return ret;
}

static void do_rows(const struct row *rows, size_t count, const char *where)
{
	for (size_t i = 0; i < count; i++)
		do_row(&rows[i], where);
}

#define NONE "'path':'%s/none'"
#define DATA "'path':'%s/data'"

static void play_sys_names(long count)
{
	const long none = A("none"), here = AT_FDCWD;
	const struct row rows[] = {
		{ SYS_unlink, "unlink", "unlink", { none }, NONE },
		{ SYS_unlinkat, "unlinkat", "unlinkat", { here, none, 0 },
		  NONE ",'args':{'dir':-100,'flags':0}" },
		{ SYS_rename, "rename", "rename", { none, A("to") },
		  NONE ",'args':{'from':'none','to':'to'}" },
		{ SYS_renameat, "renameat", "renameat",
		  { here, none, here, A("to") }, NONE ",'args':{'to':'to'}" },
		{ SYS_renameat2, "renameat2", "renameat2",
		  { here, none, here, A("to"), 1 },
		  NONE ",'args':{'flags':1}" },
		{ SYS_link, "link", "link", { none, A("to") }, NONE },
		{ SYS_linkat, "linkat", "linkat",
		  { here, none, here, A("to"), AT_SYMLINK_FOLLOW },
		  NONE ",'args':{'flags':1024}" },
		{ SYS_symlink, "symlink", "symlink", { A("x"), A("link") },
		  "'path':'%s/link','args':{'target':'x'}" },
		{ SYS_symlinkat, "symlinkat", "symlinkat",
		  { A("y"), here, A("link") },
		  "'path':'%s/link','args':{'target':'y'}" },
		{ SYS_mkdir, "mkdir", "mkdir", { A("dir"), 0755 },
		  "'path':'%s/dir','args':{'mode':493}" },
		{ SYS_mkdirat, "mkdirat", "mkdirat", { here, A("dir"), 0700 },
		  "'path':'%s/dir','args':{'mode':448}" },
		{ SYS_rmdir, "rmdir", "rmdir", { none }, NONE },
		{ SYS_mknod, "mknod", "mknod", { A("f"), S_IFIFO | 0600, 0 },
		  "'path':'%s/f','args':{'mode':4480,'dev':0}" },
		{ SYS_mknodat, "mknodat", "mknodat",
		  { here, A("f"), S_IFIFO | 0600, 7 },
		  "'path':'%s/f','args':{'mode':4480,'dev':7}" },
		{ SYS_chroot, "chroot", "chroot", { none }, NONE },
		{ SYS_truncate, "truncate", "truncate", { none, 5 },
		  NONE ",'off':5" },
	};

	do_rows(rows, ELEMENTS(rows), oracle_dir);
}

static void play_sys_files(long count)
{
	const long data = A("data"), here = AT_FDCWD, none = A("none");
	static const struct utimbuf old = { 1, 2 };
	static const struct timeval us[2] = { { 1, 2 }, { 3, 4 } };
	static const struct timespec ns[2] = { { 1, 2 }, { 3, 4 } };
	char to[100];
	struct stat st;
	const struct row rows[] = {
		{ SYS_chmod, "chmod", "chmod", { data, 0640 },
		  DATA ",'args':{'mode':416}" },
		{ SYS_fchmodat, "fchmodat", "fchmodat",
		  { here, data, 0600, 77 }, DATA ",'args':{'flags':0}" },
		{ SYS_chown, "chown", "chown", { data, -1, -1 },
		  DATA ",'args':{'owner':4294967295}" },
		{ SYS_lchown, "lchown", "lchown", { data, -1, -1 }, DATA },
		{ SYS_fchownat, "fchownat", "fchownat",
		  { here, data, -1, -1, 0 }, DATA },
		{ SYS_access, "access", "access", { data, R_OK },
		  DATA ",'args':{'mode':4}" },
		{ SYS_faccessat, "faccessat", "faccessat",
		  { here, data, W_OK }, DATA ",'args':{'mode':2,'flags':0}" },
		{ 439, "faccessat2", "faccessat",
		  { here, data, W_OK, AT_EACCESS },
		  DATA ",'args':{'mode':2,'flags':512}" },
		{ SYS_utime, "utime", "utime", { data, A(&old) },
		  DATA ",'args':{'times':{'atime':1,'mtime':2}}" },
		{ SYS_utimes, "utimes", "utimes", { data, A(us) }, DATA },
		{ SYS_futimesat, "futimesat", "futimesat",
		  { here, data, A(us) }, DATA },
		{ SYS_utimensat, "utimensat", "utimensat",
		  { here, data, A(ns), 0 }, DATA },
		{ SYS_utimensat, "utimensat", "utimensat",
		  { here, data, A(oracle_nowhere), 0 },
		  DATA ",'args':{'times':null}" },
		{ SYS_readlink, "readlink", "readlink",
		  { A("link"), A(to), sizeof(to) },
		  "'path':'%s/link','args':{'target':'data'}" },
		{ SYS_readlinkat, "readlinkat", "readlinkat",
		  { here, A("link"), A(to), 2 },
		  "'path':'%s/link','args':{'target':'da'}" },
		{ SYS_stat, "stat", "stat", { none, A(&st) }, NONE },
		{ SYS_lstat, "lstat", "lstat", { none, A(&st) }, NONE },
		{ SYS_newfstatat, "newfstatat", "fstatat",
		  { here, none, A(&st), 0 }, NONE },
		{ SYS_statx, "statx", "statx", { here, none, 0, 1, A(to) },
		  NONE ",'args':{'mask':1}" },
		{ SYS_statfs, "statfs", "statfs", { none, A(to) }, NONE },
	};

	oracle_make_file("data", 10);
	oracle_make_link("data", "link");
	do_rows(rows, ELEMENTS(rows), oracle_dir);
}

static void play_sys_attributes(long count)
{
	const long data = A("data"), name = A("user.x"), value = A("12");
	char to[100], by_fd[700];
	int fd, mount;
	struct {
		struct file_handle handle;
		char room[MAX_HANDLE_SZ];
	} named = { .handle.handle_bytes = MAX_HANDLE_SZ };
	const struct row rows[] = {
		{ SYS_setxattr, "setxattr", "setxattr",
		  { data, name, value, 2, 0 },
		  DATA ",'args':{'name':'user.x'}" },
		{ SYS_lsetxattr, "lsetxattr", "lsetxattr",
		  { data, name, value, 2, XATTR_CREATE },
		  DATA ",'args':{'flags':1}" },
		{ SYS_getxattr, "getxattr", "getxattr",
		  { data, name, A(to), 9 }, DATA ",'size':9" },
		{ SYS_lgetxattr, "lgetxattr", "lgetxattr",
		  { data, name, A(to), 1 }, DATA ",'size':1" },
		{ SYS_listxattr, "listxattr", "listxattr", { data, 0, 0 },
		  DATA },
		{ SYS_llistxattr, "llistxattr", "llistxattr", { data, 0, 0 },
		  DATA },
		{ SYS_removexattr, "removexattr", "removexattr",
		  { data, name }, DATA },
		{ SYS_lremovexattr, "lremovexattr", "lremovexattr",
		  { data, name }, DATA },
		{ SYS_name_to_handle_at, "name_to_handle_at",
		  "name_to_handle_at",
		  { AT_FDCWD, data, A(&named), A(&mount), 0 }, DATA },
	};
	struct row by_fds[] = {
		{ SYS_fsetxattr, "fsetxattr", "fsetxattr",
		  { 0, name, value, 2, 0 }, "%s,'size':2" },
		{ SYS_fgetxattr, "fgetxattr", "fgetxattr",
		  { 0, name, A(to), 9 }, "%s,'size':9" },
		{ SYS_flistxattr, "flistxattr", "flistxattr", { 0, 0, 0 },
		  "%s" },
		{ SYS_fremovexattr, "fremovexattr", "fremovexattr",
		  { 0, name }, "%s,'args':{'name':'user.x'}" },
	};

	oracle_make_file("data", 10);
	do_rows(rows, ELEMENTS(rows), oracle_dir);
	fd = book_do_open("data", O_RDONLY, 0);
	snprintf(by_fd, sizeof(by_fd), "%s", book_name(fd));
	for (size_t i = 0; i < ELEMENTS(by_fds); i++)
		by_fds[i].arg[0] = fd;
	do_rows(by_fds, ELEMENTS(by_fds), by_fd);
	do_row(&(struct row){ SYS_open_by_handle_at, "open_by_handle_at",
			      "open_by_handle_at", { 999, A(&named), 0 },
			      "'args':{'mount':999}%s" }, "");
	book_do_close(fd);
}

/* By descriptor, in an order that leaves the file as it was. */
static void play_sys_descriptor(long count)
{
	char room[256], by_fd[700];
	int fd;
	struct row rows[] = {
		{ SYS_fchmod, "fchmod", "fchmod", { 0, 0640 },
		  "%s,'args':{'mode':416}" },
		{ SYS_fchown, "fchown", "fchown", { 0, -1, -1 }, "%s" },
		{ SYS_fstatfs, "fstatfs", "fstatfs", { 0, A(room) }, "%s" },
		{ SYS_fstat, "fstat", "fstat", { 0, A(room) }, "%s" },
		{ SYS_fsync, "fsync", "fsync", { 0 }, "%s" },
		{ SYS_fdatasync, "fdatasync", "fdatasync", { 0 }, "%s" },
		{ SYS_syncfs, "syncfs", "syncfs", { 0 }, "%s" },
		{ SYS_sync_file_range, "sync_file_range", "sync_file_range",
		  { 0, 1, 2, 2 }, "%s,'off':1,'size':2,'args':{'flags':2}" },
		{ SYS_ftruncate, "ftruncate", "ftruncate", { 0, 50 },
		  "%s,'off':50" },
		{ SYS_fallocate, "fallocate", "fallocate", { 0, 0, 10, 90 },
		  "%s,'off':10,'size':90,'args':{'mode':0}" },
		{ SYS_fadvise64, "fadvise64", "posix_fadvise", { 0, 1, 2, 99 },
		  "%s,'off':1,'size':2,'args':{'advice':99}" },
		{ SYS_readahead, "readahead", "readahead", { 0, 1, 2 },
		  "%s,'off':1,'size':2" },
		{ SYS_flock, "flock", "flock", { 0, 8 }, "%s,'args':{'op':8}" },
		{ SYS_ioctl, "ioctl", "ioctl", { 0, 0x5401, A(room) },
		  "%s,'args':{'request':21505}" },
		{ SYS_getdents64, "getdents64", "getdents64",
		  { 0, A(room), 256 }, "%s,'size':256" },
		{ SYS_fcntl, "fcntl", "fcntl", { 0, F_GETFL }, "%s" },
		{ SYS_fchdir, "fchdir", "fchdir", { 0 }, "%s" },
	};

	fd = book_do_open("file", O_RDWR | O_CREAT, 0600);
	snprintf(by_fd, sizeof(by_fd), "%s", book_name(fd));
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		rows[i].arg[0] = fd;
	do_rows(rows, ELEMENTS(rows), by_fd);
	do_row(&(struct row){ SYS_sync, "sync", "sync", { 0 }, "'ret':0%s" },
	       "");
	book_do_close(fd);
}

/* A call that the books tell of; and its number was used. */
static void use(const char *sys)
{
	tell_system_call(sys);
}

static void play_sys_transfer(long count)
{
	char room[100] = "0123456789";
	struct iovec vec[] = { { room, 4 }, { room + 50, 6 } };
	const long v = A(vec), r = A(room);
	const char *all = tell_vector(vec, 2);
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0600);
	static const char *const used[] = {
		"write",  "read",   "pwrite64", "pread64",  "writev", "readv",
		"pwritev", "preadv", "pwritev2", "preadv2", "lseek",
	};

	book_transfer("write", fd, 10, syscall(SYS_write, fd, r, 10));
	book_transfer_args("writev", fd, 10, syscall(SYS_writev, fd, v, 2),
			   "'vec':%s", all);
	tell("lseek", syscall(SYS_lseek, fd, 3, SEEK_SET), "%s,'off':3",
	     book_name(fd));
	book_seek(fd, 3);
	book_transfer("read", fd, 5, syscall(SYS_read, fd, r, 5));
	book_transfer_args("readv", fd, 10, syscall(SYS_readv, fd, v, 2),
			   "'vec':%s", all);
	tell("pwrite64", syscall(SYS_pwrite64, fd, r, 7, 20),
	     "%s,'off':20,'size':7", book_name(fd));
	tell("pread64", syscall(SYS_pread64, fd, r, 7, 21),
	     "%s,'off':21,'size':7", book_name(fd));
	tell("pwritev", syscall(SYS_pwritev, fd, v, 2, 30, 0),
	     "%s,'off':30,'size':10,'args':{'vec':%s}", book_name(fd), all);
	tell("preadv", syscall(SYS_preadv, fd, v, 2, 31, 0),
	     "%s,'off':31,'size':10", book_name(fd));
	tell("pwritev2", syscall(SYS_pwritev2, fd, v, 2, 40, 0, 2),
	     "%s,'off':40,'size':10,'args':{'flags':2}", book_name(fd));
	book_transfer_args("preadv2", fd, 10,
			   syscall(SYS_preadv2, fd, v, 2, -1L, 0, 1),
			   "'flags':1");
	tell("read", syscall(SYS_read, 999, r, 5), "'fd':999,'size':5");
	for (size_t i = 0; i < ELEMENTS(used); i++)
		use(used[i]);
	book_do_close(fd);
}

static void told_open(const char *sys, const char *symbol, int fd, int flags)
{
	tell(symbol, fd, "'sys':'%s','path':'%s'", sys, book_absolute("file"));
	book_open(fd, book_absolute("file"), flags);
	book_transfer("write", fd, 2, syscall(SYS_write, fd, "ab", 2));
	tell("close", syscall(SYS_close, fd), "'sys':'close',%s",
	     book_name(fd));
	book_close(fd);
}

static void play_sys_open(long count)
{
	const long flags = O_RDWR | O_CREAT, file = A("file");
	const struct open_how how = { .flags = O_WRONLY | O_APPEND,
				      .resolve = RESOLVE_BENEATH };
	int fd;

	told_open("open", "open", (int)syscall(SYS_open, file, flags, 0600),
		  0);
	told_open("openat", "openat",
		  (int)syscall(SYS_openat, AT_FDCWD, file, flags, 0600), 0);
	told_open("creat", "creat", (int)syscall(SYS_creat, file, 0600), 0);
	fd = (int)syscall(SYS_openat2, AT_FDCWD, file, &how, sizeof(how));
	tell("openat2", fd, "'sys':'openat2','path':'%s','args':{'dir':-100,"
	     "'how':{'flags':%d,'mode':0,'resolve':8}}", book_absolute("file"),
	     O_WRONLY | O_APPEND);
	if (fd >= 0) {
		book_open(fd, book_absolute("file"), O_APPEND);
		book_transfer("write", fd, 1, write(fd, "x", 1));
		book_do_close(fd);
	}
	tell("openat2", syscall(SYS_openat2, AT_FDCWD, A("none"), &how, 5),
	     "'args':{'dir':-100}");
	tell("openat", syscall(SYS_openat, AT_FDCWD, oracle_nowhere, 0),
	     "'args':{'path':''}");
	fd = (int)syscall(SYS_memfd_create, "m", 0);
	tell("memfd_create", fd, "'sys':'memfd_create','fd':%d,"
	     "'path':'/memfd:m (deleted)'", fd);
	book_open(fd, "/memfd:m (deleted)", 0);
	book_do_close(fd);
}

static void told_dup(const char *symbol, int fd, int to)
{
	tell(symbol, to, "'sys':'%s',%s", symbol, book_name(fd));
	book_dup(fd, to, false);
	book_transfer("read", to, 0, read(to, NULL, 0));
}

static void play_sys_dup(long count)
{
	int fd, pair[2];

	oracle_make_file("data", 100);
	fd = book_do_open("data", O_RDONLY, 0);
	told_dup("dup", fd, (int)syscall(SYS_dup, fd));
	told_dup("dup2", fd, (int)syscall(SYS_dup2, fd, 20));
	told_dup("dup3", fd, (int)syscall(SYS_dup3, fd, 21, O_CLOEXEC));
	tell("close_range", syscall(SYS_close_range, 20, 21, 0),
	     "'sys':'close_range','args':{'first':20,'last':21}");
	book_sweep(20, 21);
	book_do_close(fd);
	tell("pipe", syscall(SYS_pipe, pair), "'sys':'pipe'");
	book_stream(pair[0]);
	book_stream(pair[1]);
	book_transfer("write", pair[1], 1, write(pair[1], "x", 1));
	tell("vmsplice", syscall(SYS_vmsplice, pair[1],
				 &(struct iovec){ "y", 1 }, 1, 0),
	     "'sys':'vmsplice',%s", book_name(pair[1]));
	tell("pipe2", syscall(SYS_pipe2, oracle_nowhere, 0), "'sys':'pipe2',"
	     "'args':{'fds':null}");
	book_do_close(pair[0]);
	book_do_close(pair[1]);
	tell("chdir", syscall(SYS_chdir, "/"), "'sys':'chdir','path':'/'");
	book_chdir("/");
	tell("chdir", syscall(SYS_chdir, oracle_dir), "'path':'%s'",
	     oracle_dir);
	book_chdir(oracle_dir);
}

/* They only fail; how positions move is played by their names. */
static void play_sys_copy(long count)
{
	const struct row rows[] = {
		{ SYS_sendfile, "sendfile", "sendfile", { 999, 998, 0, 5 },
		  "'fd':999,'size':5,'args':{'in':998}%s" },
		{ SYS_copy_file_range, "copy_file_range", "copy_file_range",
		  { 999, 0, 998, 0, 5, 0 },
		  "'fd':999,'size':5,'args':{'out':998,'flags':0}%s" },
		{ SYS_splice, "splice", "splice", { 999, 0, 998, 0, 5, 3 },
		  "'fd':999,'size':5,'args':{'out':998,'flags':3}%s" },
		{ SYS_tee, "tee", "tee", { 999, 998, 5, 2 },
		  "'fd':999,'size':5,'args':{'out':998,'flags':2}%s" },
	};

	do_rows(rows, ELEMENTS(rows), "");
}

static void play_sys_maps(long count)
{
	const long page = 4096;
	char by_fd[700];
	long at;
	int fd;

	oracle_make_file("data", 4 * page);
	fd = book_do_open("data", O_RDWR, 0);
	snprintf(by_fd, sizeof(by_fd), "%s", book_name(fd));
	at = do_row(&(struct row){ SYS_mmap, "mmap", "mmap",
				   { 0, 2 * page, 1, MAP_SHARED, fd, page },
				   "%s,'size':8192,'off':4096,"
				   "'args':{'prot':1}" }, by_fd);
	do_rows((struct row[]){
		{ SYS_msync, "msync", "msync", { at, page, MS_SYNC },
		  "%s,'off':4096" },
		{ SYS_madvise, "madvise", "madvise", { at + page, page, 3 },
		  "%s,'off':8192,'args':{'advice':3}" },
		{ SYS_mprotect, "mprotect", "mprotect", { at, page, 3 },
		  "%s,'off':4096,'args':{'prot':3}" },
		{ SYS_remap_file_pages, "remap_file_pages",
		  "remap_file_pages", { at, page, 7, 0, 0 }, "%s" },
	}, 4, by_fd);
	at = do_row(&(struct row){ SYS_mremap, "mremap", "mremap",
				   { at, 2 * page, page, 1 },
				   "%s,'size':8192,'args':{'newlen':4096}" },
		    by_fd);
	do_row(&(struct row){ SYS_munmap, "munmap", "munmap", { at, page },
			      "%s,'size':4096,'off':4096" }, by_fd);
	at = syscall(SYS_mmap, 0, page, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*(char *)at = 1;
	syscall(SYS_munmap, at, page);
	book_do_close(fd);
}

/* What is no I/O passes with all its arguments, and its result. */
static void play_sys_other(long count)
{
	struct timespec none = { 0, 0 };

	if (syscall(SYS_getppid) != getppid() || syscall(SYS_gettid) <= 0)
		tell_failure("a result was changed");
	errno = 0;
	if (syscall(100000) != -1 || errno != ENOSYS || syscall(-1L) != -1)
		tell_failure("an unknown call did not fail");
	if (syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, NULL))
		tell_failure("pselect6 did not work");
	errno = 0;
	if (syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none,
		    oracle_nowhere) != -1 || errno != EFAULT)
		tell_failure("the sixth argument was lost");
	tell_silent("syscall");
	book_do_close(book_do_open("file", O_RDWR | O_CREAT, 0600));
}

const struct scenario oracle_syscall[] = {
	{ "sys-names", play_sys_names },
	{ "sys-files", play_sys_files },
	{ "sys-attributes", play_sys_attributes },
	{ "sys-descriptor", play_sys_descriptor },
	{ "sys-transfer", play_sys_transfer },
	{ "sys-open", play_sys_open },
	{ "sys-dup", play_sys_dup },
	{ "sys-copy", play_sys_copy },
	{ "sys-maps", play_sys_maps },
	{ "sys-other", play_sys_other },
	{ NULL, NULL },
};
