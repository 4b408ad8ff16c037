/* SPDX-License-Identifier: BSD-3-Clause */
/* Files found, waited for and named in other ways than by open and stat. */
#include "script.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static char link_to[64];

static const char *by_proc(int fd)
{
	snprintf(link_to, sizeof(link_to), "/proc/self/fd/%d", fd);
	return link_to;
}

static void in_proc(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), again;
	char name[4096] = "", bytes[16] = "";
	struct stat about;

	SAY(write(fd, "0123456789", 10));
	SAY(readlink(by_proc(fd), name, sizeof(name)) > 0);
	SAY(strcmp(strrchr(name, '/'), "/f"));
	SAY(stat(by_proc(fd), &about));
	SAY(about.st_size);
	again = open_or_die(by_proc(fd), O_RDWR);
	SAY(read(again, bytes, 4));
	say_text("read", bytes, 4);
	SAY(write(again, "more", 4));
	SAY(pread(fd, bytes, 16, 0));
	say_text("read", bytes, 10);
	SAY(unlink("f"));
	SAY(pwrite(fd, "gone", 4, 20));
	close(again);
	again = open_or_die(by_proc(fd), O_RDONLY);
	say_file("removed", again);
	close(again);
	again = open_or_die(by_proc(fd), O_WRONLY | O_TRUNC);
	SAY(write(again, "cut", 3));
	say_file("removed", fd);
	close(again);
	close(fd);
}

static void polled(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), left = 0;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	struct epoll_event event = { .events = EPOLLIN };
	struct timeval none = { 0, 0 };
	fd_set in, out;

	SAY(write(fd, "0123456789", 10));
	SAY(poll(&poll_fd, 1, 0));
	SAY(poll_fd.revents);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd, &in);
	FD_SET(fd, &out);
	SAY(select(fd + 1, &in, &out, NULL, &none));
	SAY(FD_ISSET(fd, &in) && FD_ISSET(fd, &out));
	SAY(epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd, &event));
	SAY(lseek(fd, 3, SEEK_SET));
	SAY(ioctl(fd, FIONREAD, &left));
	SAY(left);
	SAY(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	SAY(fcntl(fd, F_GETFD));
	SAY(fcntl(fd, F_SETFD, FD_CLOEXEC));
	SAY(fcntl(fd, F_GETFD));
	SAY(isatty(fd));
	SAY(fcntl(fd, F_SETLEASE, F_UNLCK));
	SAY(lseek(fd, 0, SEEK_CUR));
	close(fd);
}

static int open_how(const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = flags,
				.mode = flags & O_CREAT ? 0640 : 0,
				.resolve = resolve };

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

static void opened_anew(void)
{
	int fd = open_how("f", O_RDWR | O_CREAT, 0), other, cut;
	char bytes[16] = "";

	SAY(write(fd, "0123456789", 10));
	other = open_or_die("f", O_RDWR);
	SAY(pread(other, bytes, 16, 0));
	SAY(pwrite(other, "ab", 2, 4));
	SAY(pread(fd, bytes, 10, 0));
	say_text("read", bytes, 10);
	close(fd);
	close(other);
	other = open_or_die("f", O_RDWR);
	SAY(pwrite(other, "this was written before", 23, 0));
	cut = open_how("f", O_WRONLY | O_TRUNC, RESOLVE_BENEATH);
	SAY(lseek(other, 0, SEEK_END));
	SAY(write(cut, "cut", 3));
	say_file("f", other);
	close(cut);
	close(other);
	other = open_or_die("f", O_RDWR);
	SAY(pwrite(other, "0123456789", 10, 0));
	fd = open_how("f", O_WRONLY | O_APPEND, 0);
	SAY(write(fd, "end", 3));
	say_file("f", other);
	SAY(open_how("../f", O_RDWR, RESOLVE_BENEATH));
	SAY(open_how("f", O_RDWR | O_CREAT | O_EXCL, 0));
	SAY(syscall(SYS_openat2, AT_FDCWD, "f", (void *)8, 24L));
	close(fd);
	close(other);
}

/* A file by what the kernel says of it, and cut so. */
static void by_handle(void)
{
	struct {
		struct file_handle head;
		char room[MAX_HANDLE_SZ];
	} handle = { .head = { .handle_bytes = MAX_HANDLE_SZ } };
	int fd = open_or_die("f", O_RDWR | O_CREAT), mount, again;
	int dir = open_or_die(".", O_RDONLY | O_DIRECTORY);

	SAY(write(fd, "0123456789", 10));
	if (name_to_handle_at(AT_FDCWD, "f", &handle.head, &mount, 0)) {
		puts("no handles here");
		return;
	}
	again = open_by_handle_at(dir, &handle.head, O_WRONLY | O_TRUNC);
	SAY(write(again, "cut", 3) == 3 || again < 0);
	say_file("f", fd);
	SAY(pwrite(fd, "x", 1, 8));
	close(again);
	close(fd);
	close(dir);
}

static void say_statx(const char *what, int dir, const char *path, int flags)
{
	struct statx x = { .stx_size = 77 };
	int ret = statx(dir, path, flags, STATX_BASIC_STATS, &x);

	printf("%s: %d %llu %o\n", what, ret, (unsigned long long)x.stx_size,
	       x.stx_mode);
	fflush(stdout);
}

static void looked_at(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	int dir = open_or_die(".", O_RDONLY | O_DIRECTORY);
	struct stat about;

	SAY(write(fd, "0123456789", 10));
	SAY(symlink("f", "link"));
	say_statx("by itself", fd, "", AT_EMPTY_PATH);
	say_statx("by its directory", dir, "f", 0);
	say_statx("by a link", dir, "link", 0);
	say_statx("the link", dir, "link", AT_SYMLINK_NOFOLLOW);
	say_statx("at once", dir, "f", AT_STATX_DONT_SYNC);
	say_statx("the directory", dir, "none", 0);
	SAY(fstatat(fd, "", &about, AT_EMPTY_PATH));
	SAY(about.st_size);
	SAY(lstat("link", &about));
	SAY(about.st_size);
	SAY(syscall(SYS_statx, dir, "f", 0, STATX_SIZE, (void *)8));
	SAY(pwrite(fd, "x", 1, 99));
	say_statx("longer", fd, "", AT_EMPTY_PATH);
	close(fd);
	close(dir);
}

static int say_walked(const char *path, const struct stat *about, int kind,
		      struct FTW *at)
{
	if (kind == FTW_F)
		printf("walked: %s %ld at %d\n", path, (long)about->st_size,
		       at->level);
	return 0;
}

static void say_names(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);

	printf("%s has", path);
	for (int i = 0; i < count; i++) {
		printf(" %s%s", entries[i]->d_name,
		       entries[i]->d_type == DT_DIR ? "/" : "");
		free(entries[i]);
	}
	puts("");
	fflush(stdout);
	free(entries);
}

/* What happens to directories while files in them are not stored. */
static void in_directories(void)
{
	int fd, other;

	SAY(mkdir("d", 0755));
	fd = open_or_die("d/f", O_RDWR | O_CREAT);
	SAY(write(fd, "in d", 4));
	say_names("d");
	SAY(nftw("d", say_walked, 8, FTW_PHYS));
	SAY(rmdir("d"));
	SAY(rename("d", "e"));
	SAY(write(fd, ", now e", 7));
	other = open_or_die("e/f", O_RDONLY);
	say_file("e/f", other);
	close(other);
	SAY(mkdir("d", 0700));
	SAY(rename("e/f", "d/g"));
	SAY(rmdir("e"));
	say_names("d");
	SAY(chdir("d"));
	other = open_or_die("g", O_RDWR | O_APPEND);
	SAY(write(other, " and d", 6));
	say_file("g", fd);
	SAY(chdir(".."));
	SAY(unlinkat(AT_FDCWD, "d/g", 0));
	SAY(unlinkat(AT_FDCWD, "d", AT_REMOVEDIR));
	SAY(write(fd, " and gone", 9));
	say_file("gone", other);
	say_names(".");
	close(other);
	close(fd);
}

static int renamed2(const char *from, const char *to, unsigned flags)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, flags);
}

static void exchanged(void)
{
	int a = open_or_die("a", O_RDWR | O_CREAT), other;
	int b = open_or_die("b", O_RDWR | O_CREAT);

	SAY(write(a, "first", 5));
	SAY(write(b, "the second", 10));
	SAY(renamed2("a", "b", RENAME_NOREPLACE));
	SAY(renamed2("a", "b", RENAME_EXCHANGE) == 0 || errno == EINVAL);
	SAY(write(a, " more", 5));
	SAY(write(b, " more", 5));
	other = open_or_die("a", O_RDONLY);
	say_file("a", other);
	close(other);
	other = open_or_die("b", O_RDONLY);
	say_file("b", other);
	close(other);
	SAY(link("a", "c"));
	SAY(rename("a", "c")); /* the same file: nothing is done */
	SAY(unlink("c"));
	SAY(write(a, ".", 1));
	SAY(write(b, ".", 1));
	SAY(close(a));
	SAY(close(b));
}

/* One file by several names, some of them outside what is forwarded. */
static void by_other_names(void)
{
	char outside[] = "../outsideXXXXXX", here[4096] = "";
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;
	int made = mkstemp(outside);

	SAY(getcwd(here, sizeof(here)) == here);
	SAY(write(fd, "0123456789", 10));
	strcat(here, "/f");
	SAY(unlink(outside));
	SAY(symlink(here, outside));
	other = open_or_die(outside, O_RDWR);
	SAY(pwrite(other, "link", 4, 2));
	say_file("f", fd);
	close(other);
	SAY(unlink(outside));
	SAY(link("f", outside));
	other = open_or_die(outside, O_RDWR | O_APPEND);
	SAY(write(other, "other name", 10));
	say_file("f", fd);
	SAY(truncate(outside, 12));
	SAY(write(fd, "+", 1));
	say_file("other name", other);
	close(other);
	SAY(unlink(outside));
	SAY(rename("f", outside));
	SAY(write(fd, " moved out", 10));
	other = open_or_die(outside, O_RDWR);
	say_file("moved", other);
	SAY(rename(outside, "f"));
	SAY(pwrite(other, "back", 4, 0));
	say_file("f", fd);
	close(other);
	close(fd);
	close(made);
}

/* A file without a name gets one while it is open. */
static void named_late(void)
{
	int fd = open(".", O_RDWR | O_TMPFILE, 0600), other;
	char bytes[32] = "";

	if (fd < 0) {
		puts("no nameless files here");
		return;
	}
	SAY(write(fd, "nameless", 8));
	SAY(linkat(AT_FDCWD, by_proc(fd), AT_FDCWD, "f", AT_SYMLINK_FOLLOW));
	other = open_or_die("f", O_RDWR);
	SAY(pwrite(other, "NAMED", 5, 0));
	SAY(pread(fd, bytes, 32, 0));
	say_text("read", bytes, 8);
	SAY(write(fd, " and more", 9));
	say_file("f", other);
	close(other);
	close(fd);
	fd = open(".", O_RDWR | O_TMPFILE, 0600);
	SAY(write(fd, "nameless", 8));
	SAY(linkat(fd, "", AT_FDCWD, "g", AT_EMPTY_PATH));
	other = open_or_die("g", O_RDWR);
	SAY(pwrite(other, "NAMED", 5, 0));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(read(fd, bytes, 32));
	say_text("read", bytes, 8);
	close(other);
	close(fd);
}

const struct script look_scripts[] = {
	{ "in-proc", in_proc },
	{ "polled", polled },
	{ "opened-anew", opened_anew },
	{ "by-handle", by_handle },
	{ "looked-at", looked_at },
	{ "in-directories", in_directories },
	{ "exchanged", exchanged },
	{ "by-other-names", by_other_names },
	{ "named-late", named_late },
	{ NULL, NULL },
};
