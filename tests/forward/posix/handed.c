/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that others get: new programs, and who receives them. */
#include "script.h"

#include <errno.h>
#include <linux/close_range.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

/* Numbers that programs find them at. */
enum { READ = 15, WRITE, APPEND, CLOSED, OPENED };

/* Each says what it can do with what it was given. */
static const char use_all[] =
	"read -r line <&15; echo \"read $line\"; echo program >&16; "
	"echo program >&17; (echo x >&18) 2>/dev/null || echo closed; "
	"echo program >&19; exec sh -c 'read -r line <&15; "
	"echo \"then $line\"; echo again >&16; echo again >&17'";

static void move_to(int fd, int number)
{
	if (dup2(fd, number) != number || close(fd))
		exit(1);
}

static void open_all(void)
{
	int fd = open_or_die("read", O_RDWR | O_CREAT);

	SAY(write(fd, "one\ntwo\nthree\nfour\n", 19));
	SAY(lseek(fd, 4, SEEK_SET));
	move_to(fd, READ);
	fd = open_or_die("write", O_RDWR | O_CREAT);
	SAY(write(fd, "before\nthe end of it is kept\n", 29));
	SAY(lseek(fd, 7, SEEK_SET));
	move_to(fd, WRITE);
	fd = open_or_die("append", O_RDWR | O_CREAT | O_APPEND);
	SAY(write(fd, "before\n", 7));
	SAY(lseek(fd, 0, SEEK_SET));
	move_to(fd, APPEND);
	fd = open_or_die("closed", O_RDWR | O_CREAT);
	SAY(write(fd, "kept\n", 5));
	SAY(dup3(fd, CLOSED, O_CLOEXEC) == CLOSED);
	close(fd);
	fd = open_or_die("opened", O_RDWR | O_CREAT | O_CLOEXEC);
	SAY(write(fd, "inherited\n", 10));
	SAY(dup3(fd, OPENED, O_CLOEXEC) == OPENED);
	close(fd);
	SAY(fcntl(OPENED, F_SETFD, 0));
	fflush(stdout);
}

static void use_on(void)
{
	for (int fd = READ; fd <= OPENED; fd++) {
		printf("%d is at %ld\n", fd, (long)lseek(fd, 0, SEEK_CUR));
		if (fd > READ)
			SAY(write(fd, "after\n", 6));
		say_file("file", fd);
		close(fd);
	}
}

static void exec_all(int word)
{
	execl("/bin/sh", "sh", "-c", use_all, (char *)0);
	exit(1);
}

static void passed_on(void)
{
	open_all();
	await(start(exec_all, 0));
	use_on();
}

/* The process itself becomes the other program. */
static void became(void)
{
	int shell = open_or_die("/bin/sh", O_RDONLY | O_CLOEXEC);
	char *const words[] = { "sh", "-c", (char *)use_all, NULL };

	open_all();
	fexecve(shell, words, environ);
	exit(1);
}

static void became_at(void)
{
	char *const words[] = { "sh", "-c", (char *)use_all, NULL };
	int bin = open_or_die("/bin", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	open_all();
	syscall(SYS_execveat, bin, "sh", words, environ, 0);
	exit(1);
}

/* What its actions open and cut, nobody sees. */
static void acted_for(void)
{
	static const char script[] = "cat <&20; echo out; echo err >&2";
	char *const words[] = { "sh", "-c", (char *)script, NULL };
	posix_spawn_file_actions_t actions;
	int in = open_or_die("in", O_RDWR | O_CREAT | O_CLOEXEC);
	int out = open_or_die("out", O_RDWR | O_CREAT | O_CLOEXEC);
	int more = open_or_die("more", O_RDWR | O_CREAT | O_CLOEXEC);
	pid_t pid;

	SAY(write(in, "of the file\n", 12));
	SAY(write(out, "this is cut off by who opens it\n", 32));
	SAY(write(more, "before\n", 7));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 20, "in", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "out",
					 O_WRONLY | O_TRUNC, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "more",
					 O_WRONLY | O_APPEND, 0);
	SAY(posix_spawnp(&pid, "sh", &actions, NULL, words, environ));
	await(pid);
	posix_spawn_file_actions_destroy(&actions);
	say_file("in", in);
	say_file("out", out);
	say_file("more", more);
	SAY(write(more, "after", 5));
	close(in);
	close(out);
	close(more);
}

/* Room for two descriptors, as sent and as received. */
union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(2 * sizeof(int))];
};

static void send_two(int sock, const int *fds)
{
	union control control = { .head = { CMSG_LEN(2 * sizeof(int)),
					    SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { "x", 1 };
	struct mmsghdr messages[2] = {
		{ .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1 } },
		{ .msg_hdr = { .msg_iov = &part,
			       .msg_iovlen = 1,
			       .msg_control = &control,
			       .msg_controllen = sizeof(control) } },
	};

	memcpy(CMSG_DATA(&control.head), fds, 2 * sizeof(int));
	if (sendmmsg(sock, messages, 2, 0) != 2)
		puts("not sent");
}

static void receive_two(int sock, int *ret_fds, int flags)
{
	union control control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	SAY(recvmsg(sock, &message, 0));
	message.msg_control = &control;
	message.msg_controllen = sizeof(control);
	SAY(recvmsg(sock, &message, flags));
	memcpy(ret_fds, CMSG_DATA(&control.head), 2 * sizeof(int));
}

static int pair[2];
static struct relay to_child, to_parent;

static void use_received(int word)
{
	int fds[2];

	receive_two(pair[1], fds, MSG_CMSG_CLOEXEC);
	SAY(fcntl(fds[0], F_GETFD));
	SAY(write(fds[0], "received ", 9));
	SAY(write(fds[1], "received ", 9));
	relay_pass(&to_parent);
	relay_take(&to_child);
	say_file("as received", fds[0]);
	SAY(write(fds[0], "last", 4));
	say_file("as received", fds[1]);
}

/* Who has received one keeps it when the sender has closed its own. */
static void sent_on(void)
{
	pid_t pid;
	int fds[2], again;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		exit(1);
	relay_make(&to_child);
	relay_make(&to_parent);
	pid = start(use_received, 0);
	fds[0] = open_or_die("f", O_RDWR | O_CREAT);
	fds[1] = open_or_die("g", O_RDWR | O_CREAT | O_APPEND);
	SAY(write(fds[0], "sent ", 5));
	SAY(write(fds[1], "sent ", 5));
	send_two(pair[0], fds);
	relay_take(&to_parent);
	SAY(close(fds[0]));
	SAY(close(fds[1]));
	again = open_or_die("f", O_RDWR);
	SAY(pwrite(again, "opened again", 12, 14));
	relay_pass(&to_child);
	await(pid);
	say_file("f", again);
	close(again);
}

/* Taken from a process, here from this one, without being sent. */
static void fetched(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), copy;
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	char bytes[16] = "";

	SAY(write(fd, "0123456789", 10));
	copy = pidfd_getfd(self, fd, 0);
	if (copy < 0) {
		puts("none is given away here");
		return;
	}
	SAY(pread(copy, bytes, 16, 0));
	say_text("read", bytes, 10);
	SAY(pwrite(copy, "copy", 4, 3));
	SAY(pread(fd, bytes, 16, 0));
	say_text("read", bytes, 10);
	SAY(write(fd, "end", 3));
	say_file("f", copy);
	close(copy);
	close(fd);
}

/* Ranges of numbers are closed, now or by the next program. */
static void swept(void)
{
	int fds[4];

	for (int i = 0; i < 4; i++) {
		char name[] = { (char)('a' + i), 0 };

		fds[i] = open_or_die(name, O_RDWR | O_CREAT);
		SAY(write(fds[i], "0123456789", 6 + i));
		move_to(fds[i], 40 + i);
	}
	SAY(close_range(41, 41, CLOSE_RANGE_UNSHARE));
	SAY(write(41, "x", 1));
	SAY(close_range(42, 43, CLOSE_RANGE_CLOEXEC));
	SAY(write(42, "y", 1));
	fflush(stdout);
	SAY(system("sh -c 'echo z >&40; (echo z >&42) 2>/dev/null || "
		   "echo closed'; cat a b c"));
	SAY(write(40, "end", 3));
	SAY(write(43, "end", 3));
	SAY(close_range(40, 41, 8));
	SAY(close_range(3, ~0u, 0));
	SAY(write(43, "x", 1));
	fds[0] = open_or_die("d", O_RDWR);
	say_file("d", fds[0]);
	SAY(write(fds[0], "D", 1));
	close(fds[0]);
}

const struct script handed_scripts[] = {
	{ "passed-on", passed_on }, { "became", became },
	{ "became-at", became_at }, { "acted-for", acted_for },
	{ "sent-on", sent_on },	    { "fetched", fetched },
	{ "swept", swept },
	{ NULL, NULL },
};
