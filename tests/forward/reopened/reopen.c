/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens files again and again under the same numbers, once for appending and
 * once not, while another thread forks: what a fork does with open files must
 * not be done to the next file of that number.
 *
 * usage: reopen FOLDER ROUNDS
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define PIECE	"abcdefghij"
#define LENGTH	10

struct opener {
	pthread_t thread;
	char path[4096];
	int rounds, wrong;
};

static atomic_bool is_over;

static void *fork_on(void *nothing)
{
	while (!is_over) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	return nothing;
}

/* So that not all rounds meet the other thread in the same place. */
static void wait_a_little(int number)
{
	for (volatile int i = 0; i < number; i++)
		;
}

/* Whether the piece is at the beginning, where it was written. */
static bool try_round(const struct opener *self, int round)
{
	int fd = open(self->path, O_RDWR | O_APPEND);
	bool good;

	wait_a_little(round % 97 * 30);
	close(fd);
	fd = open(self->path, O_RDWR);
	wait_a_little(round % 89 * 30);
	good = write(fd, PIECE, LENGTH) == LENGTH &&
	       lseek(fd, 0, SEEK_CUR) == LENGTH &&
	       lseek(fd, 0, SEEK_END) == LENGTH && !ftruncate(fd, LENGTH);
	close(fd);
	return good;
}

static void *open_on(void *with)
{
	struct opener *self = with;

	for (int round = 0; round < self->rounds; round++)
		self->wrong += !try_round(self, round);
	return NULL;
}

static void start(struct opener *opener, const char *folder, int number,
		  int rounds)
{
	int fd;

	opener->rounds = rounds;
	snprintf(opener->path, sizeof(opener->path), "%s/%d", folder, number);
	fd = open(opener->path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || write(fd, PIECE, LENGTH) != LENGTH || fsync(fd))
		exit(2);
	close(fd);
	pthread_create(&opener->thread, NULL, open_on, opener);
}

int main(int argc, char **argv)
{
	static struct opener openers[THREADS];
	pthread_t forker;
	int wrong = 0;

	if (argc != 3)
		return 2;
	pthread_create(&forker, NULL, fork_on, NULL);
	for (int i = 0; i < THREADS; i++)
		start(&openers[i], argv[1], i, atoi(argv[2]));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(openers[i].thread, NULL);
		wrong += openers[i].wrong;
	}
	is_over = true;
	pthread_join(forker, NULL);
	printf("%d wrong of %d\n", wrong, THREADS * atoi(argv[2]));
	return wrong > 0;
}
