/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are not recorded and make descriptors: what is later done with
 * them must not be told of the file that had the number before.
 */
#include "oracle.h"

#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

/* Leaves the recorder with a file for the lowest free numbers. */
static void leave_stale(int count)
{
	int fds[8];

	for (int i = 0; i < count; i++)
		fds[i] = book_do_open("file", O_RDWR | O_CREAT, 0600);
	for (int i = 0; i < count; i++) {
		raw_call(SYS_close, fds[i]);
		book_close(fds[i]);
	}
}

/* What it is now, only the kernel knows. */
static void look(const char *symbol, int fd)
{
	char link[64], name[256] = "";
	struct stat st;

	tell_silent(symbol);
	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	raw_call(SYS_readlinkat, AT_FDCWD, link, name, sizeof(name) - 1);
	tell("fstat", fstat(fd, &st), "'fd':%d,'path':'%s'", fd, name);
}

/* One descriptor, in the place of a file that was. */
static void try_one(const char *symbol, int fd)
{
	look(symbol, fd);
	if (fd >= 0)
		raw_call(SYS_close, fd);
	leave_stale(1);
}

static void play_fresh(long count)
{
	sigset_t none;

	sigemptyset(&none);
	leave_stale(1);
	try_one("socket", socket(AF_UNIX, SOCK_STREAM, 0));
	try_one("eventfd", eventfd(0, 0));
	try_one("timerfd_create", timerfd_create(CLOCK_MONOTONIC, 0));
	try_one("signalfd", signalfd(-1, &none, 0));
	try_one("epoll_create", epoll_create(1));
	try_one("epoll_create1", epoll_create1(0));
	try_one("inotify_init", inotify_init());
	try_one("inotify_init1", inotify_init1(0));
	try_one("fanotify_init", fanotify_init(FAN_CLASS_NOTIF, O_RDONLY));
	try_one("pidfd_open", pidfd_open(getpid(), 0));
	try_one("pidfd_getfd", pidfd_getfd(-1, 0, 0));
	try_one("fsopen", fsopen("tmpfs", 0));
	try_one("fsmount", fsmount(-1, 0, 0));
	try_one("fspick", fspick(AT_FDCWD, "/", 0));
	try_one("open_tree", open_tree(AT_FDCWD, "/", 0));
	try_one("posix_openpt", posix_openpt(O_RDWR | O_NOCTTY));
	try_one("getpt", getpt());
}

static void look_at_two(const char *symbol, int one, int other)
{
	look(symbol, one);
	look(symbol, other);
	raw_call(SYS_close, one);
	raw_call(SYS_close, other);
}

static void play_fresh_pairs(long count)
{
	int pair[2], master, slave;
	pid_t pid;

	leave_stale(2);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	look_at_two("socketpair", pair[0], pair[1]);
	leave_stale(2);
	if (openpty(&master, &slave, NULL, NULL, NULL))
		tell_failure("openpty");
	look_at_two("openpty", master, slave);
	leave_stale(1);
	pid = forkpty(&master, NULL, NULL, NULL);
	if (!pid)
		_exit(0);
	look("forkpty", master);
	waitpid(pid, NULL, 0);
	raw_call(SYS_close, master);
}

/* The controlling terminal takes the places of 0, 1 and 2. */
static void play_fresh_login(long count)
{
	int master, slave;
	char byte;
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	tell("read", read(0, &byte, 0), "'fd':0,'path':'/dev/null'");
	if (openpty(&master, &slave, NULL, NULL, NULL))
		tell_failure("openpty");
	login_tty(slave);
	look("login_tty", 0);
	_exit(0);
}

/* A socket with an unknown name, listening; and one that is connected. */
static int connect_to(int *ret_listener)
{
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr name = { .sa_family = AF_UNIX };
	struct sockaddr_storage found;
	socklen_t len = sizeof(found);

	if (bind(listener, &name, sizeof(name.sa_family)) ||
	    listen(listener, 4) ||
	    getsockname(listener, (struct sockaddr *)&found, &len) ||
	    connect(client, (struct sockaddr *)&found, len))
		tell_failure("sockets cannot be connected");
	*ret_listener = listener;
	return client;
}

static void play_fresh_accept(long count)
{
	int listener, client = connect_to(&listener), other, fd;

	leave_stale(1);
	fd = accept(listener, NULL, NULL);
	look("accept", fd);
	other = connect_to(&listener);
	leave_stale(1);
	look("accept4", accept4(listener, NULL, NULL, SOCK_CLOEXEC));
	raw_call(SYS_close, client);
	raw_call(SYS_close, other);
}

/* Room for one descriptor that travels along. */
struct parcel {
	char data;
	struct iovec vec;
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	};
};

static struct msghdr wrap(struct parcel *parcel)
{
	parcel->vec = (struct iovec){ &parcel->data, 1 };
	return (struct msghdr){
		.msg_iov = &parcel->vec,
		.msg_iovlen = 1,
		.msg_control = parcel->room,
		.msg_controllen = sizeof(parcel->room),
	};
}

static void send_fd(int socket, int fd)
{
	struct parcel parcel = { 0 };
	struct msghdr message = wrap(&parcel);

	parcel.head.cmsg_level = SOL_SOCKET;
	parcel.head.cmsg_type = SCM_RIGHTS;
	parcel.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&parcel.head), &fd, sizeof(fd));
	if (sendmsg(socket, &message, 0) != 1)
		tell_failure("sendmsg");
}

static int received_fd(struct parcel *parcel)
{
	int fd;

	memcpy(&fd, CMSG_DATA(&parcel->head), sizeof(fd));
	return fd;
}

static void play_fresh_sent(long count)
{
	struct parcel parcel = { 0 };
	struct mmsghdr messages = { 0 };
	struct msghdr message;
	int pair[2];

	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	send_fd(pair[0], 0);
	leave_stale(1);
	message = wrap(&parcel);
	if (recvmsg(pair[1], &message, 0) != 1)
		tell_failure("recvmsg");
	look("recvmsg", received_fd(&parcel));
	send_fd(pair[0], 0);
	leave_stale(1);
	messages.msg_hdr = wrap(&parcel);
	if (recvmmsg(pair[1], &messages, 1, 0, NULL) != 1)
		tell_failure("recvmmsg");
	look("recvmmsg", received_fd(&parcel));
}

/* Whatever it returned: not every user may make each of these calls. */
static void try(const char *symbol, const char *sys, long ret)
{
	(void)ret;
	tell_silent(symbol);
	if (sys)
		tell_system_call(sys);
}

/* Programs that are not there, in every way; and messages without a file. */
static void refuse(const char *symbol, const char *sys, long ret)
{
	if (ret != -1)
		tell_failure(symbol);
	try(symbol, sys, ret);
}

/* Becomes who it is already. */
static void play_users(void)
{
	uid_t user = getuid();
	gid_t group = getgid();

	try("setgroups", NULL, setgroups(0, NULL));
	try("initgroups", NULL, initgroups("root", group));
	try("setgid", NULL, setgid(group));
	try("setegid", NULL, setegid(group));
	try("setregid", NULL, setregid(group, group));
	try("setresgid", NULL, setresgid(group, group, group));
	try("setfsgid", NULL, setfsgid(group));
	try("setuid", NULL, setuid(user));
	try("seteuid", NULL, seteuid(user));
	try("setreuid", NULL, setreuid(user, user));
	try("setresuid", NULL, setresuid(user, user, user));
	try("setfsuid", NULL, setfsuid(user));
	try("syscall", "setgroups", syscall(SYS_setgroups, 0, NULL));
	try("syscall", "setgid", syscall(SYS_setgid, group));
	try("syscall", "setregid", syscall(SYS_setregid, group, group));
	try("syscall", "setresgid",
	    syscall(SYS_setresgid, group, group, group));
	try("syscall", "setfsgid", syscall(SYS_setfsgid, group));
	try("syscall", "setuid", syscall(SYS_setuid, user));
	try("syscall", "setreuid", syscall(SYS_setreuid, user, user));
	try("syscall", "setresuid", syscall(SYS_setresuid, user, user, user));
	try("syscall", "setfsuid", syscall(SYS_setfsuid, user));
}

static void play_unseen(long count)
{
	char *const none[] = { NULL };
	char letter = 'x';
	struct iovec part = { &letter, 1 };
	struct mmsghdr messages = { { .msg_iov = &part, .msg_iovlen = 1 }, 0 };

	refuse("execl", NULL, execl("none", "none", (char *)0));
	refuse("execlp", NULL, execlp("./none", "none", (char *)0));
	refuse("execle", NULL, execle("none", "none", (char *)0, none));
	refuse("execv", NULL, execv("none", none));
	refuse("execvp", NULL, execvp("./none", none));
	refuse("execvpe", NULL, execvpe("./none", none, none));
	refuse("execve", NULL, execve("none", none, none));
	refuse("fexecve", NULL, fexecve(-1, none, none));
	refuse("execveat", NULL, execveat(-1, "none", none, none, 0));
	refuse("sendmsg", NULL, sendmsg(-1, &messages.msg_hdr, 0));
	refuse("sendmmsg", NULL, sendmmsg(-1, &messages, 1, 0));
	refuse("setrlimit", NULL, setrlimit(-1, NULL));
	refuse("setrlimit64", NULL, setrlimit64(-1, NULL));
	refuse("prlimit", NULL, prlimit(0, -1, NULL, NULL));
	refuse("prlimit64", NULL, prlimit64(0, -1, NULL, NULL));
	refuse("syscall", "setrlimit", syscall(SYS_setrlimit, -1, NULL));
	refuse("syscall", "prlimit64",
	       syscall(SYS_prlimit64, 0, -1, NULL, NULL));
	refuse("syscall", "execve", syscall(SYS_execve, "none", none, none));
	refuse("syscall", "execveat",
	       syscall(SYS_execveat, -1, "none", none, none, 0));
	refuse("syscall", "sendmsg",
	       syscall(SYS_sendmsg, -1, &messages.msg_hdr, 0));
	refuse("syscall", "sendmmsg",
	       syscall(SYS_sendmmsg, -1, &messages, 1, 0));
	play_users();
	tell("close", close(-1), "'fd':-1"); /* recording goes on */
}

int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vdprintf_chk(int fd, int flag, const char *format, va_list list);

static int print_list(int fd, bool checked, const char *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = checked ? __vdprintf_chk(fd, 1, format, list)
		      : vdprintf(fd, format, list);
	va_end(list);
	return ret;
}

static void play_dprintf(long count)
{
	static char most[10000];
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0600);

	memset(most, 'x', sizeof(most) - 1);
	book_transfer("dprintf", fd, 8, dprintf(fd, "%d %s", 12, "three"));
	book_transfer("dprintf", fd, 9999, dprintf(fd, "%s", most));
	book_transfer("__dprintf_chk", fd, 3, __dprintf_chk(fd, 1, "abc"));
	book_transfer("vdprintf", fd, 4, print_list(fd, false, "%.1f!", 2.5));
	book_transfer("__vdprintf_chk", fd, 2, print_list(fd, true, "%d", 12));
	book_transfer("write", fd, 1, write(fd, "x", 1));
	tell("dprintf", dprintf(999, "abc"), "'fd':999,'size':0");
	book_do_close(fd);
}

const struct scenario oracle_fresh[] = {
	{ "fresh", play_fresh },
	{ "fresh-pairs", play_fresh_pairs },
	{ "fresh-login", play_fresh_login },
	{ "fresh-accept", play_fresh_accept },
	{ "fresh-sent", play_fresh_sent },
	{ "unseen", play_unseen },
	{ "dprintf", play_dprintf },
	{ NULL, NULL },
};
