/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks after operations that cannot end, in rows of known lengths, and says
 * how often: "ROWS ASKED", rows being those outside of other calls.
 *
 * usage: polls DIRECTORY
 */
#include <aio.h>
#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct aiocb first, second; /* read pipes that are empty */
static int pipes[2][2];
static _Atomic long rows, asked;

static void must(int is_true, const char *what)
{
	if (!is_true) {
		perror(what);
		exit(1);
	}
}

static void ask(struct aiocb *block)
{
	must(aio_error(block) == EINPROGRESS, "aio_error");
	asked++;
}

static void submit(struct aiocb *block, int fd)
{
	static char byte;

	*block = (struct aiocb){
		.aio_fildes = fd,
		.aio_buf = &byte,
		.aio_nbytes = 1,
		.aio_sigevent.sigev_notify = SIGEV_NONE,
	};
	must(!aio_read(block), "aio_read");
}

static void *ask_in_a_row(void *unused)
{
	rows++;
	for (int i = 0; i < 1000; i++)
		ask(&first);
	return unused;
}

static void ask_in_turns(void)
{
	rows++;
	for (int i = 0; i < 500; i++) {
		ask(&first);
		ask(&second);
	}
}

/* Something else is between them: each is a row. */
static void ask_now_and_then(void)
{
	for (int i = 0; i < 5; i++) {
		lseek(pipes[0][1], 0, SEEK_CUR);
		rows++;
		ask(&first);
	}
}

static void ask_by_suspend(void)
{
	const struct aiocb *list[] = { &first, &second };
	const struct timespec now = { 0, 0 }, soon = { 0, 1000 };

	lseek(pipes[0][1], 0, SEEK_CUR);
	rows++;
	for (int i = 0; i < 100; i++, asked++)
		must(aio_suspend(list, 2, &now) && errno == EAGAIN, "suspend");
	/* this one waits, so it is no poll */
	must(aio_suspend(list, 2, &soon) && errno == EAGAIN, "suspend");
}

static int ask_inside(const char *name, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	for (int i = 0; i < 300; i++)
		ask(&second);
	return 0;
}

/* Two threads at once: a row is of one thread. */
static void ask_by_threads(void)
{
	pthread_t other;

	must(!pthread_create(&other, NULL, ask_in_a_row, NULL), "thread");
	lseek(pipes[0][1], 0, SEEK_CUR);
	ask_in_a_row(NULL);
	must(!pthread_join(other, NULL), "thread");
}

static void finish(struct aiocb *block, int fd)
{
	const struct aiocb *list[] = { block };

	must(write(fd, "x", 1) == 1, "write");
	must(!aio_suspend(list, 1, NULL), "aio_suspend");
	must(!aio_error(block), "aio_error");
	must(aio_return(block) == 1, "aio_return");
}

int main(int argc, char **argv)
{
	must(argc == 2 && !pipe(pipes[0]) && !pipe(pipes[1]), "pipe");
	submit(&first, pipes[0][0]);
	submit(&second, pipes[1][0]);
	ask_in_turns();
	ask_now_and_then();
	ask_by_suspend();
	must(!nftw(argv[1], ask_inside, 4, 0), "nftw");
	ask_by_threads();
	finish(&first, pipes[0][1]);
	finish(&second, pipes[1][1]);
	printf("%ld %ld\n", (long)rows, (long)asked);
	return 0;
}
