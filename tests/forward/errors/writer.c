/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that write blocks to files, sync and close them, and say in the log
 * of the plug-in `faulty`, among its own lines, when they ask and what they are
 * told:
 *
 *	refused PROCESS OFFSET RESULT FILE	(by write itself)
 *	begin PROCESS CALL FILE
 *	end PROCESS CALL RESULT FILE
 *
 * usage: writer LOG PROCESSES BLOCKS FILE...
 *
 * Block b of process p is at ((b * PROCESSES) + p) * 65536, of 4096 + 97 * b
 * bytes, each p + 16 * b + 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRIDE 65536
#define LONGEST 8192

struct work {
	int log;
	int processes, blocks, self;
	int count;
	char **paths;
};

static void say(const struct work *work, const char *line)
{
	if (write(work->log, line, strlen(line)) != (ssize_t)strlen(line))
		_exit(70);
}

static int done_by(int result)
{
	return result ? errno : 0;
}

static void ask(const struct work *work, int (*call)(int), const char *name,
		int file)
{
	const char *path = work->paths[file];
	char line[4400];
	int error;

	snprintf(line, sizeof(line), "begin %d %s %s\n", work->self, name,
		 path);
	say(work, line);
	error = done_by(call(file + 100));
	snprintf(line, sizeof(line), "end %d %s %s %s\n", work->self, name,
		 error ? strerrorname_np(error) : "0", path);
	say(work, line);
}

/* A file's descriptor is its number and 100. */
static int open_files(const struct work *work)
{
	for (int i = 0; i < work->count; i++) {
		int fd = open(work->paths[i], O_RDWR | O_CREAT | O_CLOEXEC,
			      0600);

		if (fd < 0 || dup3(fd, i + 100, O_CLOEXEC) < 0)
			return -1;
		close(fd);
	}
	return 0;
}

static void write_block(const struct work *work, int file, int block)
{
	char bytes[LONGEST], line[4400];
	size_t length = 4096 + 97 * (size_t)block;
	off_t at = ((off_t)block * work->processes + work->self) * STRIDE;
	ssize_t done;

	memset(bytes, work->self + 16 * block + 1, length);
	done = pwrite(file + 100, bytes, length, at);
	if (done == (ssize_t)length)
		return;
	snprintf(line, sizeof(line), "refused %d %lld %s %s\n", work->self,
		 (long long)at, done < 0 ? strerrorname_np(errno) : "short",
		 work->paths[file]);
	say(work, line);
}

static int work_on(const struct work *work)
{
	if (open_files(work))
		return 71;
	for (int block = 0; block < work->blocks; block++) {
		for (int file = 0; file < work->count; file++)
			write_block(work, file, block);
	}
	for (int file = 0; file < work->count; file++)
		ask(work, fsync, "fsync", file);
	for (int file = 0; file < work->count; file++)
		ask(work, fsync, "fsync", file);
	for (int file = 0; file < work->count; file++)
		ask(work, close, "close", file);
	return 0;
}

int main(int argc, char **argv)
{
	struct work work = {
		.log = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600),
		.processes = atoi(argv[2]),
		.blocks = atoi(argv[3]),
		.count = argc - 4,
		.paths = argv + 4,
	};
	int status, worst = 0;

	for (work.self = 1; work.self < work.processes; work.self++) {
		if (!fork())
			_exit(work_on(&work));
	}
	work.self = 0;
	worst = work_on(&work);
	while (wait(&status) > 0) {
		if (status)
			worst = WIFEXITED(status) ? WEXITSTATUS(status) : 73;
	}
	return worst;
}
