/* SPDX-License-Identifier: BSD-3-Clause */
/* Other programs: what they inherit, and what they find. */
#include "script.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

static int shared;
static char *const echo[] = {"sh", "-c", "echo from the shell", NULL};

static void await_program(const char *what, pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	printf("%s: %x\n", what, status);
	fflush(stdout);
}

static void exec_echo(int word)
{
	dup2(shared, 1);
	execv("/bin/sh", echo);
	exit(1);
}

static void exec_variadic(int word)
{
	dup2(shared, 1);
	if (word == 0)
		execl("/bin/sh", "sh", "-c", "echo by execl", (char *)0);
	if (word == 1)
		execlp("sh", "sh", "-c", "echo by execlp", (char *)0);
	if (word == 2)
		execle("/bin/sh", "sh", "-c", "echo by execle", (char *)0,
		       environ);
	exit(1);
}

static void executed(void)
{
	shared = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(shared, "before\n", 7));
	await_program("exec", start(exec_echo, 0));
	SAY(lseek(shared, 0, SEEK_CUR));
	SAY(write(shared, "after\n", 6));
	for (int i = 0; i < 3; i++)
		await_program("exec", start(exec_variadic, i));
	SAY(write(shared, "end\n", 4));
	say_file("f", shared);
	close(shared);
}

/* What fails leaves everything as it was. */
static void exec_nothing(int word)
{
	SAY(execl("none", "none", (char *)0));
	SAY(execvp("no-such-program", echo));
	SAY(write(shared, "child ", 6));
	SAY(close(shared));
}

static void not_executed(void)
{
	char *const none[] = {NULL};

	shared = open_or_die("f", O_RDWR | O_CREAT | O_CLOEXEC);
	SAY(write(shared, "before ", 7));
	SAY(execve("none", none, none));
	SAY(write(shared, "after ", 6));
	await(start(exec_nothing, 0));
	SAY(write(shared, "end", 3));
	say_file("f", shared);
	close(shared);
}

static void vforked(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_CLOEXEC);
	int quiet = open_or_die("g", O_RDWR | O_CREAT | O_CLOEXEC);
	pid_t pid;

	SAY(write(fd, "before\n", 7));
	SAY(write(quiet, "quiet", 5));
	fflush(stdout);
	pid = vfork();
	if (!pid) {
		dup2(fd, 1);
		close(fd);
		close(quiet);
		execv("/bin/sh", echo);
		_exit(1);
	}
	await_program("vfork", pid);
	SAY(write(quiet, " and more", 9));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, "after\n", 6));
	say_file("f", fd);
	say_file("g", quiet);
	close(fd);
	close(quiet);
}

static void spawned(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_CLOEXEC);
	posix_spawn_file_actions_t actions;
	pid_t pid;

	SAY(write(fd, "before\n", 7));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, 1);
	SAY(posix_spawn(&pid, "/bin/sh", &actions, NULL, echo, environ));
	await_program("spawn", pid);
	posix_spawn_file_actions_destroy(&actions);
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, "after\n", 6));
	say_file("f", fd);
	close(fd);
}

static void commanded(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_APPEND);
	char line[100] = "";
	FILE *stream;

	SAY(write(fd, "first\n", 6));
	SAY(fflush(stdout));
	SAY(system("cat f; echo second >> f; wc -l < f"));
	SAY(write(fd, "third\n", 6));
	SAY(fflush(stdout));
	SAY(system("cat f; cp f g; mv g h; tail -c 6 h"));
	stream = popen("sort -r f", "r");
	while (fgets(line, sizeof(line), stream))
		printf("popen: %s", line);
	SAY(pclose(stream));
	say_file("f", fd);
	SAY(system("echo new > f; cat f"));
	SAY(write(fd, "fourth\n", 7));
	say_file("f", fd);
	close(fd);
}

/* What forwarding needs, the program does not: it dies of it. */
static void forbid(void)
{
	static const int numbers[] = { SYS_futex, SYS_socket, SYS_connect,
				       SYS_sendmsg, SYS_readlinkat };
	struct sock_filter filter[16] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { 1, filter };

	for (int i = 0; i < 5; i++) {
		filter[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, numbers[i], 0, 1);
		filter[program.len++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(
		BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	SAY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	SAY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

static void confined(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;

	SAY(write(fd, "free ", 5));
	forbid();
	SAY(write(fd, "confined", 8));
	SAY(lseek(fd, 0, SEEK_CUR));
	say_file("f", fd);
	other = open_or_die("g", O_RDWR | O_CREAT);
	SAY(write(other, "later", 5));
	SAY(rename("g", "h"));
	say_file("h", other);
	SAY(close(other));
	SAY(close(fd));
}

/* A file that was given to a program which then shares it by name. */
static void given(void)
{
	SAY(system("sh -c 'echo one; echo two >> f; echo three' >> f; cat f"));
	SAY(system("{ cat > g; echo end >> g; } < f; cat g f > h; wc -l < h"));
	SAY(system("sh -c 'for i in 1 2 3 4 5; do echo $i; "
		   "/bin/echo $i >> i; echo again >> i; done' >> i; cat i"));
}

const struct script process_scripts[] = {
	{ "executed", executed },   { "not-executed", not_executed },
	{ "vforked", vforked },	    { "spawned", spawned },
	{ "commanded", commanded }, { "confined", confined },
	{ "given", given },	    { NULL, NULL },
};
