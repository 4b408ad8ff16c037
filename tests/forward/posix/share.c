/* SPDX-License-Identifier: BSD-3-Clause */
/* Open files that several descriptors and processes share. */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int shared;
static struct relay to_child, to_parent;

static void duplicates(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), copies[4];
	int other = open_or_die("g", O_RDWR | O_CREAT);

	copies[0] = dup(fd);
	copies[1] = fcntl(fd, F_DUPFD, 50);
	copies[2] = fcntl(fd, F_DUPFD_CLOEXEC, 60);
	copies[3] = dup2(fd, 70);
	for (int i = 0; i < 4; i++)
		SAY(write(copies[i], "0123", 4));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(other, "g", 1));
	SAY(dup2(fd, other) == other);
	SAY(write(other, "over g", 6));
	SAY(close(fd));
	SAY(write(copies[1], "end", 3));
	SAY(dup2(copies[0], copies[0]) == copies[0]);
	SAY(dup3(copies[0], copies[0], 0));
	SAY(dup2(fd, copies[3]));
	SAY(dup(fd));
	say_file("f", copies[3]);
	SAY(close_range(50, 69, 0));
	SAY(write(copies[1], "x", 1));
	SAY(write(copies[2], "x", 1));
	SAY(write(copies[3], "y", 1));
	SAY(close_range(70, 60, 0));
	SAY(close_range(70, 75, CLOSE_RANGE_CLOEXEC));
	SAY(write(copies[3], "z", 1));
	closefrom(70);
	SAY(write(copies[3], "x", 1));
	say_file("f", copies[0]);
	say_file("f", other);
}

static void write_on(int word)
{
	char letter = (char)word;

	SAY(lseek(shared, 0, SEEK_CUR));
	SAY(write(shared, &letter, 1));
	SAY(close(shared));
}

static void inherited(void)
{
	shared = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(shared, "parent ", 7));
	await(start(write_on, 'c'));
	SAY(lseek(shared, 0, SEEK_CUR));
	SAY(write(shared, " again", 6));
	await(start(write_on, 'd'));
	SAY(fsync(shared));
	say_file("f", shared);
	SAY(close(shared));
}

/* The parent has closed it long before the child writes. */
static void write_late(int word)
{
	relay_take(&to_child);
	SAY(write(shared, "late", 4));
	say_file("f", shared);
	SAY(close(shared));
}

static void outlived(void)
{
	pid_t pid;
	int fd;

	relay_make(&to_child);
	shared = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(shared, "early ", 6));
	pid = start(write_late, 0);
	SAY(close(shared));
	relay_pass(&to_child);
	await(pid);
	fd = open_or_die("f", O_RDONLY);
	say_file("f", fd);
	close(fd);
}

static void append_records(int word)
{
	int fd = open_or_die("f", O_WRONLY | O_APPEND);
	char record[32];

	memset(record, 'a' + word, sizeof(record));
	for (int i = 0; i < 100; i++)
		if (write(fd, record, sizeof(record)) != sizeof(record))
			puts("short");
	close(fd);
}

static void crowd(void)
{
	pid_t who[4];
	char record[32], whole[32];
	int fd = open_or_die("f", O_RDWR | O_CREAT), counts[4] = {0};
	int torn = 0;

	for (int i = 0; i < 4; i++)
		who[i] = start(append_records, i);
	for (int i = 0; i < 4; i++)
		await(who[i]);
	SAY(lseek(fd, 0, SEEK_END));
	for (int i = 0; pread(fd, record, 32, i * 32L) == 32; i++) {
		memset(whole, record[0], sizeof(whole));
		torn += memcmp(whole, record, 32) != 0;
		if (record[0] >= 'a' && record[0] < 'e')
			counts[record[0] - 'a']++;
	}
	printf("%d %d %d %d, %d torn\n", counts[0], counts[1], counts[2],
	       counts[3], torn);
	close(fd);
	unlink("f"); /* their order is nobody's business */
}

/* Each reads what the other wrote just before. */
static void answer(int word)
{
	int fd = open_or_die("f", O_RDWR);
	char bytes[16] = "";

	for (int i = 0; i < 20; i++) {
		relay_take(&to_child);
		if (pread(fd, bytes, 10, i * 100) != 10)
			puts("short");
		bytes[0] = 'A';
		if (pwrite(fd, bytes, 10, i * 100 + 50) != 10)
			puts("short");
		relay_pass(&to_parent);
	}
	close(fd);
}

static void in_turn(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), wrong = 0;
	char bytes[16], back[16] = "";
	struct stat about;
	pid_t pid;

	relay_make(&to_child);
	relay_make(&to_parent);
	pid = start(answer, 0);
	for (int i = 0; i < 20; i++) {
		snprintf(bytes, sizeof(bytes), "q%09d", i);
		if (pwrite(fd, bytes, 10, i * 100) != 10)
			puts("short");
		relay_pass(&to_child);
		relay_take(&to_parent);
		wrong += pread(fd, back, 10, i * 100 + 50) != 10 ||
			 back[0] != 'A' || memcmp(back + 1, bytes + 1, 9);
		wrong += fstat(fd, &about) || about.st_size != i * 100 + 60;
	}
	await(pid);
	SAY(wrong);
	say_file("f", fd);
	close(fd);
}

static void send_fd(int sock, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec part = {"x", 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	if (sendmsg(sock, &message, 0) != 1)
		puts("not sent");
}

static int receive_fd(int sock)
{
	char room[CMSG_SPACE(sizeof(int))], byte;
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = room,
				 .msg_controllen = sizeof(room)};
	int fd = -1;

	if (recvmsg(sock, &message, 0) == 1)
		memcpy(&fd, CMSG_DATA((struct cmsghdr *)room), sizeof(fd));
	return fd;
}

static int pair[2];

static void receive(int word)
{
	int fd = receive_fd(pair[1]);

	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, " received", 9));
	close(fd);
}

static void sent(void)
{
	int fd;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit(1);
	pid = start(receive, 0);
	fd = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(fd, "sent and", 8));
	send_fd(pair[0], fd);
	await(pid);
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, " back", 5));
	say_file("f", fd);
	close(fd);
}

/* Whose lock is seen by another process. */
static void look_for_lock(int word)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_or_die("f", O_RDWR);

	SAY(fcntl(fd, F_GETLK, &lock));
	SAY(lock.l_type == F_UNLCK);
	close(fd);
}

/* Whatever is opened besides, a lock is lost only with a close. */
static void locked(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;

	SAY(write(fd, "locked", 6));
	SAY(fcntl(fd, F_SETLK, &lock));
	await(start(look_for_lock, 0));
	other = open_or_die("f", O_RDWR | O_APPEND);
	await(start(look_for_lock, 0));
	SAY(write(other, "more", 4));
	SAY(truncate("f", 8));
	await(start(look_for_lock, 0));
	say_file("f", fd);
	SAY(close(other));
	await(start(look_for_lock, 0));
	SAY(lockf(fd, F_TLOCK, 0));
	SAY(close(open_or_die("f", O_RDONLY | O_PATH)));
	await(start(look_for_lock, 0));
	close(fd);
}

const struct script share_scripts[] = {
	{ "duplicates", duplicates }, { "inherited", inherited },
	{ "outlived", outlived },     { "crowd", crowd },
	{ "in-turn", in_turn },	      { "sent", sent },
	{ "locked", locked },	      { NULL, NULL },
};
