/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on what belongs to a file: mode, owner, times, attributes, locks. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

static void told(const char *symbol, const char *path, int ret,
		 const char *args)
{
	tell(symbol, ret, "'path':'%s','args':{%s}", book_absolute(path),
	     args);
}

static void told_fd(const char *symbol, int fd, int ret, const char *args)
{
	tell(symbol, ret, "%s,'args':{%s}", book_name(fd), args);
}

static void play_chmod(long count)
{
	int fd;

	oracle_make_file("data", 1);
	fd = book_do_open("data", O_RDONLY, 0);
	told("chmod", "data", chmod("data", 0600), "'mode':384");
	told("chmod", "none", chmod("none", 0600), "'mode':384");
	told_fd("fchmod", fd, fchmod(fd, 0640), "'mode':416");
	told_fd("fchmod", 999, fchmod(999, 0640), "'mode':416");
	told("fchmodat", "data", fchmodat(AT_FDCWD, "data", 0644, 0),
	     "'mode':420,'dir':-100,'flags':0");
	told("fchmodat", "none",
	     fchmodat(AT_FDCWD, "none", 0644, AT_SYMLINK_NOFOLLOW),
	     "'mode':420,'flags':256");
	told("lchmod", "data", lchmod("data", 0640), "'mode':416");
	told("lchmod", "none", lchmod("none", 0640), "'mode':416");
	book_do_close(fd);
}

static void play_chown(long count)
{
	const char *const same = "'owner':4294967295,'group':4294967295";
	const char *const at = "'owner':4294967295,'group':4294967295,"
			       "'dir':-100,'flags':256";
	const uid_t all = (uid_t)-1;
	int fd;

	oracle_make_file("data", 1);
	fd = book_do_open("data", O_RDONLY, 0);
	told("chown", "data", chown("data", all, all), same);
	told("chown", "none", chown("none", 5, 6), "'owner':5,'group':6");
	told("lchown", "data", lchown("data", all, all), same);
	told("lchown", "none", lchown("none", all, all), same);
	told_fd("fchown", fd, fchown(fd, all, all), same);
	told_fd("fchown", 999, fchown(999, all, all), same);
	told("fchownat", "data",
	     fchownat(AT_FDCWD, "data", all, all, AT_SYMLINK_NOFOLLOW), at);
	told("fchownat", "none",
	     fchownat(AT_FDCWD, "none", all, all, AT_SYMLINK_NOFOLLOW), at);
	book_do_close(fd);
}

static void play_access(long count)
{
	oracle_make_file("data", 1);
	told("access", "data", access("data", R_OK | W_OK), "'mode':6");
	told("access", "none", access("none", F_OK), "'mode':0");
	told("access", "data", access("data", 99), "'mode':99");
	told("eaccess", "data", eaccess("data", R_OK), "'mode':4");
	told("eaccess", "none", eaccess("none", R_OK), "'mode':4");
	told("euidaccess", "data", euidaccess("data", W_OK), "'mode':2");
	told("faccessat", "data", faccessat(AT_FDCWD, "data", R_OK, 0),
	     "'mode':4,'dir':-100,'flags':0");
	told("faccessat", "none",
	     faccessat(AT_FDCWD, "none", R_OK, AT_EACCESS),
	     "'mode':4,'dir':-100,'flags':512");
	tell("access", access(oracle_nowhere, 0), "'args':{'path':''}");
}

static void play_utime(long count)
{
	static const struct utimbuf old = { 100, 200 };
	static const struct timeval micro[2] = { { 1, 2 }, { 3, 4 } };
	static const struct timespec nano[2] = { { -5, 6 },
						 { 0, UTIME_OMIT } };
	const char *const in_us = "'times':{'atime':1,'atime_us':2,"
				  "'mtime':3,'mtime_us':4}";
	const char *const in_ns = "'times':{'atime':-5,'atime_ns':6,"
				  "'mtime':0,'mtime_ns':1073741822}";
	int fd;

	oracle_make_file("data", 1);
	fd = book_do_open("data", O_RDONLY, 0);
	told("utime", "data", utime("data", &old),
	     "'times':{'atime':100,'mtime':200}");
	told("utime", "data", utime("data", NULL), "'times':null");
	told("utimes", "data", utimes("data", micro), in_us);
	told("utimes", "none", utimes("none", micro), in_us);
	told("lutimes", "data", lutimes("data", micro), in_us);
	told("lutimes", "none", lutimes("none", micro), in_us);
	told_fd("futimes", fd, futimes(fd, micro), in_us);
	told_fd("futimes", 999, futimes(999, micro), in_us);
	told("futimesat", "data", futimesat(AT_FDCWD, "data", micro), in_us);
	told("futimesat", "none", futimesat(AT_FDCWD, "none", micro), in_us);
	told("utimensat", "data", utimensat(AT_FDCWD, "data", nano, 0),
	     in_ns);
	told("utimensat", "none",
	     utimensat(AT_FDCWD, "none", nano, AT_SYMLINK_NOFOLLOW), in_ns);
	told("utimensat", "data", utimensat(AT_FDCWD, "data", NULL, 0),
	     "'times':null,'flags':0,'dir':-100");
	told_fd("futimens", fd, futimens(fd, nano), in_ns);
	told_fd("futimens", 999, futimens(999, NULL), "'times':null");
	book_do_close(fd);
}

static const char *statfs_fields(const struct statfs *st)
{
	static char text[512];
	long id;

	memcpy(&id, &st->f_fsid, sizeof(id));
	snprintf(text, sizeof(text),
		 "'st':{'type':%ld,'bsize':%ld,'blocks':%lu,'bfree':%lu,"
		 "'bavail':%lu,'files':%lu,'ffree':%lu,'fsid':%ld,"
		 "'namelen':%ld,'frsize':%ld,'flags':%ld}",
		 (long)st->f_type, (long)st->f_bsize, st->f_blocks,
		 st->f_bfree, st->f_bavail, st->f_files, st->f_ffree, id,
		 (long)st->f_namelen, (long)st->f_frsize, (long)st->f_flags);
	return text;
}

static const char *statvfs_fields(const struct statvfs *st)
{
	static char text[512];

	snprintf(text, sizeof(text),
		 "'st':{'bsize':%lu,'frsize':%lu,'blocks':%lu,'bfree':%lu,"
		 "'bavail':%lu,'files':%lu,'ffree':%lu,'favail':%lu,"
		 "'fsid':%ld,'flag':%lu,'namemax':%lu}",
		 st->f_bsize, st->f_frsize, st->f_blocks, st->f_bfree,
		 st->f_bavail, st->f_files, st->f_ffree, st->f_favail,
		 (long)st->f_fsid, st->f_flag, st->f_namemax);
	return text;
}

/* The types of the 64-bit forms are the same here. */
static void play_statfs(long count)
{
	const char *const none = "'st':null";
	struct statfs st;
	struct statvfs vst;
	int fd, ret;

	oracle_make_file("data", 1);
	fd = book_do_open("data", O_RDONLY, 0);
	ret = statfs("data", &st);
	told("statfs", "data", ret, statfs_fields(&st));
	ret = statfs64(".", (void *)&st);
	told("statfs64", oracle_dir, ret, statfs_fields(&st));
	told("statfs", "none", statfs("none", &st), none);
	ret = fstatfs(fd, &st);
	told_fd("fstatfs", fd, ret, statfs_fields(&st));
	ret = fstatfs64(fd, (void *)&st);
	told_fd("fstatfs64", fd, ret, statfs_fields(&st));
	told_fd("fstatfs", 999, fstatfs(999, &st), none);
	ret = statvfs("data", &vst);
	told("statvfs", "data", ret, statvfs_fields(&vst));
	ret = statvfs64("/dev", (void *)&vst);
	told("statvfs64", "/dev", ret, statvfs_fields(&vst));
	told("statvfs", "none", statvfs("none", &vst), none);
	ret = fstatvfs(fd, &vst);
	told_fd("fstatvfs", fd, ret, statvfs_fields(&vst));
	ret = fstatvfs64(fd, (void *)&vst);
	told_fd("fstatvfs64", fd, ret, statvfs_fields(&vst));
	told_fd("fstatvfs", 999, fstatvfs(999, &vst), none);
	book_do_close(fd);
}

/* Not every file system has attributes; every call has its arguments. */
static void told_attribute(const char *symbol, const char *where, long ret,
			   const char *name, long size)
{
	tell(symbol, ret, "%s,'size':%ld,'args':{'name':'%s'}", where,
	     size, name);
}

static void play_xattr(long count)
{
	char value[64], data[700], in_file[700];
	int fd;

	oracle_make_file("data", 1);
	fd = book_do_open("data", O_RDONLY, 0);
	snprintf(data, sizeof(data), "'path':'%s/data'", oracle_dir);
	snprintf(in_file, sizeof(in_file), "%s", book_name(fd));
	tell("setxattr", setxattr("data", "user.a", "value", 5, XATTR_CREATE),
	     "%s,'size':5,'args':{'name':'user.a','flags':1}", data);
	tell("setxattr", setxattr("none", oracle_nowhere, "value", 5, 0),
	     "'path':'%s/none','size':5,'args':{'name':'','flags':0}",
	     oracle_dir);
	tell("lsetxattr", lsetxattr("data", "user.b", "12", 2, 0),
	     "%s,'size':2,'args':{'name':'user.b','flags':0}", data);
	tell("fsetxattr", fsetxattr(fd, "user.c", "123", 3, XATTR_REPLACE),
	     "%s,'size':3,'args':{'name':'user.c','flags':2}", in_file);
	told_attribute("getxattr", data, getxattr("data", "user.a", value, 64),
		       "user.a", 64);
	told_attribute("getxattr", data, getxattr("data", "user.a", value, 1),
		       "user.a", 1);
	told_attribute("lgetxattr", data,
		       lgetxattr("data", "user.b", NULL, 0), "user.b", 0);
	told_attribute("fgetxattr", in_file,
		       fgetxattr(fd, "user.none", value, 9), "user.none", 9);
	tell("listxattr", listxattr("data", value, 64), "%s,'size':64", data);
	tell("llistxattr", llistxattr("data", value, 3), "%s,'size':3", data);
	tell("flistxattr", flistxattr(fd, NULL, 0), "%s,'size':0", in_file);
	told_attribute("removexattr", data, removexattr("data", "user.a"),
		       "user.a", 0);
	told_attribute("lremovexattr", data, lremovexattr("data", "user.z"),
		       "user.z", 0);
	told_attribute("fremovexattr", in_file, fremovexattr(fd, "user.b"),
		       "user.b", 0);
	book_do_close(fd);
}

static void play_lock(long count)
{
	int fd = book_do_open("data", O_RDWR | O_CREAT, 0600), available;

	told_fd("flock", fd, flock(fd, LOCK_EX | LOCK_NB), "'op':6");
	told_fd("flock", fd, flock(fd, LOCK_UN), "'op':8");
	told_fd("flock", 999, flock(999, LOCK_SH), "'op':1");
	told_fd("lockf", fd, lockf(fd, F_LOCK, 10), "'cmd':1,'len':10");
	told_fd("lockf64", fd, lockf64(fd, F_ULOCK, -3), "'cmd':0,'len':-3");
	told_fd("lockf", 999, lockf(999, F_TEST, 1), "'cmd':3,'len':1");
	told_fd("ioctl", fd, ioctl(fd, FIONREAD, &available),
		"'request':21531");
	told_fd("ioctl", fd, ioctl(fd, TCGETS, oracle_nowhere),
		"'request':21505");
	told_fd("ioctl", 999, ioctl(999, FIONREAD, &available),
		"'request':21531");
	book_do_close(fd);
}

/* Fails for want of a privilege or of a directory: both are told. */
static void play_chroot(long count)
{
	told("chroot", "none", chroot("none"), "'path':'none'");
	tell("chroot", chroot(oracle_nowhere), "'args':{'path':''}");
}

const struct scenario oracle_attributes[] = {
	{ "chmod", play_chmod },   { "chown", play_chown },
	{ "access", play_access }, { "utime", play_utime },
	{ "statfs", play_statfs }, { "xattr", play_xattr },
	{ "lock", play_lock },     { "chroot", play_chroot },
	{ NULL, NULL },
};
