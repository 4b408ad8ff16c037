/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests of all kinds, and the truth about them. usage: workload MODE DIR
 *
 * all: prints a line for each request that reaches the system, on files in
 * DIR: PHASE STEP WAY FILE OFFSET SIZE MOVED, with - for what is not there.
 * sizes: writes of as many different sizes as there are, all of which fail.
 */
#include <weir/mark.h>

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZES 70000

static char bytes[1 << 16];
static const char *phase = "-";
static char step[32] = "-";

static void check(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

/* The marks, and what the lines say of them. */
static void enter_phase(const char *name)
{
	weir_mark_phase(name);
	phase = name;
	strcpy(step, "-");
}

static void enter_step(int number)
{
	weir_mark_step(number);
	snprintf(step, sizeof(step), "%d", number);
}

static void tell(const char *way, const char *file, long off, long size,
		 long moved)
{
	char place[32] = "-";

	if (off >= 0)
		snprintf(place, sizeof(place), "%ld", off);
	printf("%s %s %s %s %s %ld %ld\n", phase, step, way, file, place, size,
	       moved);
}

static int open_file(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC, 0600);

	check(fd >= 0, name);
	return fd;
}

static void write_some(void)
{
	struct iovec parts[2] = { { bytes, 100 }, { bytes, 200 } };
	int fd = open_file("first", O_RDWR | O_CREAT);

	for (int i = 0; i < 5; i++) {
		check(pwrite(fd, bytes, 4096, 4096L * i) == 4096, "pwrite");
		tell("write", "first", 4096L * i, 4096, 4096);
	}
	check(pwritev(fd, parts, 2, 20480) == 300, "pwritev");
	tell("write", "first", 20480, 300, 300);
	check(pwrite(fd, bytes, 77, -1) < 0, "a write before the file");
	tell("write", "first", -1, 77, 0);
	close(fd);
}

/* Also beyond the end. */
static void read_some(int from)
{
	int fd = open_file("first", O_RDONLY);
	long moved, off = 4096L * from;

	check(lseek(fd, off, SEEK_SET) == off, "lseek");
	do {
		moved = read(fd, bytes, 8192);
		check(moved >= 0, "read");
		tell("read", "first", off, 8192, moved);
		off += moved;
	} while (moved);
	close(fd);
}

/* What the program puts in by small pieces leaves as one. */
static void stream_some(void)
{
	FILE *file = fopen("second", "w");

	check(!!file, "second");
	for (int i = 0; i < 100; i++)
		fputs("ten bytes\n", file);
	fclose(file);
	tell("write", "second", 0, 1000, 1000);
	file = fopen("second", "r");
	check(!!file, "second");
	check(fread(bytes, 1, 30, file) == 30, "fread");
	fclose(file);
	tell("read", "second", 0, 1000, 1000);
}

/* A request of two files: the name is that of the one that is written. */
static void copy_some(void)
{
	int from = open_file("first", O_RDONLY);
	int to = open_file("third", O_WRONLY | O_CREAT);

	check(sendfile(to, from, NULL, 5000) == 5000, "sendfile");
	tell("copy", "third", -1, 5000, 5000);
	close(from);
	close(to);
}

static void wait_some(void)
{
	int fd = open_file("fourth", O_RDWR | O_CREAT);
	struct aiocb block = { .aio_fildes = fd, .aio_buf = bytes,
			       .aio_nbytes = 3000, .aio_offset = 64 };
	const struct aiocb *list[] = { &block };

	check(!aio_write(&block), "aio_write");
	while (aio_error(&block) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	check(aio_return(&block) == 3000, "aio_return");
	tell("write", "fourth", 64, 3000, 3000);
	close(fd);
}

static void start_reader(int from)
{
	pid_t child = fork();
	int status;

	check(child >= 0, "fork");
	if (!child) {
		phase = "-"; /* it has marked nothing */
		strcpy(step, "-");
		read_some(from);
		fflush(stdout);
		_exit(0);
	}
	check(waitpid(child, &status, 0) == child && !status, "child");
}

static void do_all(void)
{
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	write_some();
	enter_phase("load");
	read_some(0);
	fflush(stdout);
	start_reader(1);
	for (int i = 0; i < 3; i++) {
		enter_step(i);
		stream_some();
		copy_some();
	}
	fflush(stdout);
	start_reader(3);
	enter_phase("end, \"quoted\"");
	wait_some();
	enter_phase("load");
	read_some(2);
}

static void do_sizes(void)
{
	for (int i = 0; i < SIZES; i++)
		check(pwrite(-1, bytes, (size_t)i, 0) < 0, "a bad descriptor");
}

int main(int argc, char **argv)
{
	check(argc == 3 && !chdir(argv[2]), "usage: workload MODE DIR");
	if (!strcmp(argv[1], "all"))
		do_all();
	else
		do_sizes();
	return 0;
}
