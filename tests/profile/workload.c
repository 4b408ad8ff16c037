/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that do the same every time, for sums to be compared. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int make(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0, name);
	return fd;
}

/* All classes of sizes, forwards, backwards and at random. */
static void transfer(const char *name, int calls)
{
	static char buffer[2 << 20];
	int fd = make(name);
	uint32_t random = 1;

	for (int i = 0; i < calls; i++) {
		random = random * 1103515245 + 12345;
		must(pwrite(fd, buffer, random >> 16 & 127, i * 100) >= 0,
		     "pwrite");
		must(write(fd, buffer, 8) == 8, "write");
	}
	for (int i = calls; i--;)
		must(pread(fd, buffer, 100 + (size_t)i % 3, i * 100) >= 0,
		     "pread");
	for (size_t size = 1; size <= sizeof(buffer); size *= 4)
		must(pread(fd, buffer, size + 50, 0) >= 0, "pread");
	must(lseek(fd, 10, SEEK_SET) == 10, "lseek");
	must(read(fd, buffer, 50) >= 0, "read");
	must(close(fd) == 0, "close");
}

static void fail(void)
{
	char byte;

	must(open("missing", O_RDONLY) < 0, "missing");
	for (int i = 0; i < 40; i++)
		must(read(-1, &byte, 1) < 0, "read of nothing");
	must(unlink("missing") < 0, "unlink of nothing");
	must(write(1000, &byte, 1) < 0, "write to nothing");
}

static void share(void)
{
	int one = make("shared"), two = open("shared", O_RDWR);
	int three = dup(one), pipes[2];
	char text[64] = "x";
	struct iovec vector[2] = {{text, 10}, {text, 20}};
	struct stat st;

	must(write(one, text, 10) == 10 && write(three, text, 20) == 20 &&
		     pwrite(two, text, 30, 0) == 30,
	     "write by three");
	must(writev(one, vector, 2) == 30, "writev");
	must(fstat(two, &st) == 0 && st.st_size == 60, "fstat");
	must(stat("shared", &st) == 0, "stat");
	must(rename("shared", "renamed") == 0, "rename");
	must(pwrite(two, text, 5, 60) == 5, "pwrite after rename");
	must(pipe(pipes) == 0 && write(pipes[1], text, 7) == 7 &&
		     read(pipes[0], text, 64) == 7,
	     "pipe");
	close(pipes[0]);
	close(pipes[1]);
	must(fsync(one) == 0 && ftruncate(one, 10) == 0, "fsync");
	close(one);
	close(two);
	close(three);
	must(mkdir("folder", 0700) == 0 && rmdir("folder") == 0, "mkdir");
}

static void stream(void)
{
	FILE *f = fopen("stream", "w+");
	char text[3000] = {0}, line[100];

	must(f != NULL, "fopen");
	for (int i = 0; i < 50; i++) {
		must(fwrite(text, 1, sizeof(text), f) == sizeof(text),
		     "fwrite");
		fprintf(f, "\nline %d\n", i);
	}
	rewind(f);
	while (fgets(line, sizeof(line), f))
		;
	must(fread(text, 1, 10, f) == 0, "fread at the end");
	fclose(f);
}

static void overlap(void)
{
	static char text[4096];
	struct aiocb block = {.aio_buf = text, .aio_nbytes = sizeof(text)};
	const struct aiocb *list[] = {&block};

	block.aio_fildes = make("async");
	for (int i = 0; i < 20; i++) {
		block.aio_offset = i * 4096;
		must(aio_write(&block) == 0, "aio_write");
		must(aio_suspend(list, 1, NULL) == 0, "aio_suspend");
		must(aio_error(&block) == 0, "aio_error");
		must(aio_return(&block) == 4096, "aio_return");
	}
	close(block.aio_fildes);
}

static void map(void)
{
	int fd = make("mapped");
	void *at;

	must(ftruncate(fd, 8192) == 0, "ftruncate");
	at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(at != MAP_FAILED && msync(at, 8192, MS_SYNC) == 0 &&
		     munmap(at, 8192) == 0,
	     "mmap");
	close(fd);
}

static void *work(void *arg)
{
	char name[32];
	int common;

	snprintf(name, sizeof(name), "thread-%d", (int)(intptr_t)arg);
	transfer(name, 500);
	common = open("common", O_RDWR | O_CREAT, 0600);
	must(common >= 0, "common");
	for (int i = 0; i < 50; i++)
		must(pwrite(common, name, 20, i * 100) == 20, "pwrite");
	must(close(common) == 0, "close");
	return NULL;
}

static void crowd(void)
{
	pthread_t threads[4];

	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void breed(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (!child) {
			transfer("child", 50 + i);
			exit(0);
		}
		must(waitpid(child, NULL, 0) == child, "waitpid");
	}
}

/* More files at once than there are places for sums. */
static void juggle(void)
{
	int fds[100];
	char name[32], text[100] = {0};

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "juggled-%d", i);
		fds[i] = make(name);
	}
	for (int round = 0; round < 100; round++)
		for (int i = 0; i < 100; i++)
			must(write(fds[(i * 37 + round) % 100], text,
				   (size_t)(i % 90) + 1) > 0,
			     "write");
	for (int i = 0; i < 100; i++)
		close(fds[i]);
}

static void mixed(long number)
{
	transfer("plain", 1000);
	fail();
	share();
	stream();
	overlap();
	map();
	crowd();
	breed();
	juggle();
}

static pthread_barrier_t all_here;

static void *crowd_in(void *arg)
{
	int fd = open("throng", O_RDWR | O_CREAT, 0600);

	must(fd >= 0, "throng");
	pthread_barrier_wait(&all_here);
	for (int i = 0; i < 20; i++)
		must(pwrite(fd, &i, 4, i * 4) == 4, "pwrite");
	must(close(fd) == 0, "close");
	return NULL;
}

static void throng(long number)
{
	pthread_t *threads = calloc((size_t)number, sizeof(*threads));

	pthread_barrier_init(&all_here, NULL, (unsigned)number);
	for (long i = 0; i < number; i++)
		must(pthread_create(&threads[i], NULL, crowd_in, NULL) == 0,
		     "pthread_create");
	for (long i = 0; i < number; i++)
		pthread_join(threads[i], NULL);
}

static void many(long number)
{
	char name[64];

	for (long i = 0; i < number; i++) {
		int fd;

		snprintf(name, sizeof(name), "a-file-with-a-long-name-%ld", i);
		fd = make(name);
		for (int k = 0; k < 1 + i % 3; k++)
			must(write(fd, name, 10) == 10, "write");
		close(fd);
		must(unlink(name) == 0, "unlink");
	}
}

static void suicide(long number)
{
	char text[8] = {0};
	int fd = make("killed");

	for (long i = 0; i < number; i++)
		must(pwrite(fd, text, 8, i * 8) == 8, "pwrite");
	kill(getpid(), SIGKILL);
}

/* Goes on until its input ends; then it has written so much. */
static void forever(long number)
{
	char text[8] = {0};
	int fd = make("endless");
	long i;

	for (i = 0; i < number; i++)
		must(pwrite(fd, text, 8, i % 100 * 8) == 8, "pwrite");
	must(write(1, "done\n", 5) == 5, "tell");
	must(read(0, text, 1) == 0, "wait");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*play)(long number);
	} plays[] = {{"mixed", mixed},
		     {"many", many},
		     {"throng", throng},
		     {"suicide", suicide},
		     {"forever", forever}};

	must(argc == 3, "usage: workload PLAY NUMBER");
	for (size_t i = 0; i < sizeof(plays) / sizeof(*plays); i++)
		if (!strcmp(argv[1], plays[i].name))
			plays[i].play(atol(argv[2]));
	return 0;
}
