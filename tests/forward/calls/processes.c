/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are started, and are files themselves; descriptors sent. */
#include "calls.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

extern char **environ;

/* A program in a file that was made a moment ago. */
static void make_program(void)
{
	int fd = open("program", O_WRONLY | O_CREAT, 0755);
	const char text[] = "#!/bin/sh\nread line <file; echo ran $1 $line\n";

	if (write(fd, text, sizeof(text) - 1) < 0 || close(fd))
		exit(1);
}

/* It says what it has to before it is spoken of. */
static void await_any(int err, pid_t pid)
{
	int status = -1;

	if (!err)
		waitpid(pid, &status, 0);
	SAY(err);
	SAY(status);
}

static char *const words[] = {"program", "one", NULL};

/* Its descriptors too, and a file that is opened for it. */
static void try_posix_spawn(const struct cell *c)
{
	char *const cat[] = {"cat", NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;

	make_program();
	await_any(posix_spawn(&pid, "./program", NULL, NULL, words, environ),
		  pid);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, c->path, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "copy",
					 O_WRONLY | O_CREAT, 0644);
	await_any(posix_spawn(&pid, "/bin/cat", &actions, NULL, cat, environ),
		  pid);
	posix_spawn_file_actions_destroy(&actions);
	SAY(posix_spawn(&pid, c->path, NULL, NULL, words, environ));
}

static void try_posix_spawnp(const struct cell *c)
{
	char *const cat[] = {"cat", (char *)(uintptr_t)c->path, NULL};
	pid_t pid = -1;

	await_any(posix_spawnp(&pid, "cat", NULL, NULL, cat, environ), pid);
}

static void try_system(const struct cell *c)
{
	make_program();
	SAY(system("./program two"));
	SAY(system("cat file; echo more >>file; ls; test -e file"));
	SAY(system("chmod 600 file; rm -f file; ls"));
}

static void try_vfork(const struct cell *c)
{
	pid_t pid;

	fflush(stdout);
	pid = vfork();
	if (!pid) {
		dup2(c->fd, 1);
		execl("/bin/echo", "echo", "by a child", (char *)NULL);
		_exit(1);
	}
	await_any(0, pid);
}

/* Each form of exec in a child. */
static void exec_each(const struct cell *c, void (*each)(const struct cell *))
{
	pid_t pid;

	make_program();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		each(c);
		say("not executed", -1);
		_exit(3);
	}
	await_any(0, pid);
}

static void by_execve(const struct cell *c)
{
	SAY(execve(c->path, words, environ));
	SAY(execve("program/", words, environ));
	execve("./program", words, environ);
}

static void by_execv(const struct cell *c)
{
	execv("./program", words);
}

static void by_execvp(const struct cell *c)
{
	execvp("./program", words);
}

static void by_execvpe(const struct cell *c)
{
	execvpe("./program", words, environ);
}

static void by_fexecve(const struct cell *c)
{
	fexecve(open("program", O_RDONLY), words, environ);
}

static void by_execveat(const struct cell *c)
{
	execveat(c->dir, "program", words, environ, 0);
}

static void by_execl(const struct cell *c)
{
	execl("./program", "program", "one", (char *)NULL);
}

static void try_execve(const struct cell *c)
{
	exec_each(c, by_execve);
}

static void try_execv(const struct cell *c)
{
	exec_each(c, by_execv);
}

static void try_execvp(const struct cell *c)
{
	exec_each(c, by_execvp);
}

static void try_execvpe(const struct cell *c)
{
	exec_each(c, by_execvpe);
}

static void try_fexecve(const struct cell *c)
{
	exec_each(c, by_fexecve);
}

static void try_execveat(const struct cell *c)
{
	exec_each(c, by_execveat);
}

static void try_execl(const struct cell *c)
{
	exec_each(c, by_execl);
}

/* Sent, closed by the sender, and used by who gets it. */
struct parcel {
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct iovec part;
	struct mmsghdr message;
	char byte;
};

static void pack(struct parcel *parcel, int fd)
{
	struct msghdr *to = &parcel->message.msg_hdr;
	struct cmsghdr *head;

	memset(parcel, 0, sizeof(*parcel));
	parcel->part = (struct iovec){&parcel->byte, 1};
	to->msg_iov = &parcel->part;
	to->msg_iovlen = 1;
	to->msg_control = parcel->control;
	to->msg_controllen = sizeof(parcel->control);
	head = CMSG_FIRSTHDR(to);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
}

static void send_one(const struct cell *c, bool many)
{
	struct parcel out, in;
	int pair[2], got = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit(1);
	pack(&out, c->fd);
	pack(&in, -1);
	if (many)
		SAY(sendmmsg(pair[0], &out.message, 1, 0));
	else
		SAY(sendmsg(pair[0], &out.message.msg_hdr, 0));
	if (many)
		SAY(recvmmsg(pair[1], &in.message, 1, 0, NULL));
	else
		SAY(recvmsg(pair[1], &in.message.msg_hdr, 0));
	memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&in.message.msg_hdr)),
	       sizeof(got));
	SAY(write(got, "sent", 4));
	SAY(write(c->fd, "kept", 4));
	SAY_FD(got);
}

static void try_sendmsg(const struct cell *c)
{
	send_one(c, false);
}

static void try_sendmmsg(const struct cell *c)
{
	send_one(c, true);
}

static void try_setrlimit(const struct cell *c)
{
	struct rlimit limit = {12, RLIM_INFINITY};

	signal(SIGXFSZ, SIG_IGN);
	SAY(setrlimit(RLIMIT_FSIZE, &limit));
	SAY(write(c->fd, "0123456789", 10));
	SAY(write(c->fd, "0123456789", 10));
	SAY(ftruncate(c->fd, 20));
	SAY_FD(open("new", O_RDWR | O_CREAT, 0600));
}

static void try_prlimit(const struct cell *c)
{
	struct rlimit limit = {12, RLIM_INFINITY};

	signal(SIGXFSZ, SIG_IGN);
	SAY(prlimit(0, RLIMIT_FSIZE, &limit, NULL));
	SAY(pwrite(c->fd, "0123456789", 10, 8));
	SAY(pwrite(c->fd, "0", 1, 15));
}

/* Nothing is closed before. */
static void try__exit(const struct cell *c)
{
	pid_t pid = fork();

	if (!pid) {
		int fd = make_second("left", "left open");

		_exit(write(fd, "!", 1) != 1);
	}
	await_any(0, pid);
	say_name("left");
}

static void try_prctl(const struct cell *c)
{
	SAY(prctl(PR_SET_NAME, "calls"));
	SAY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	SAY(system("cat file"));
}

const struct call process_calls[] = {
	{"posix_spawn", try_posix_spawn},
	{"posix_spawnp", try_posix_spawnp},
	{"system", try_system},
	{"vfork", try_vfork},
	{"execve", try_execve},
	{"execv", try_execv},
	{"execvp", try_execvp},
	{"execvpe", try_execvpe},
	{"fexecve", try_fexecve},
	{"execveat", try_execveat},
	{"execl", try_execl},
	{"sendmsg", try_sendmsg},
	{"sendmmsg", try_sendmmsg},
	{"setrlimit", try_setrlimit},
	{"prlimit", try_prlimit},
	{"_exit", try__exit},
	{"prctl", try_prctl},
	{NULL, NULL},
};
