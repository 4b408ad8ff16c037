/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and closes streams from many threads, each on files of its own, and
 * then more streams at once than weir has buffers for; what was written must
 * be read again.
 *
 *	crowd DIRECTORY STREAMS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define THREADS 8
#define ROUNDS	150
#define PIECE	700
#define PIECES	20

static const char *directory;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static FILE *open_it(int number, const char *mode)
{
	char path[4096];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%d", directory, number);
	stream = fopen(path, mode);
	if (!stream)
		die(path);
	return stream;
}

static void write_it(FILE *stream, int letter)
{
	char piece[PIECE];

	memset(piece, letter, sizeof(piece));
	for (int i = 0; i < PIECES; i++)
		if (fwrite(piece, 1, PIECE, stream) != PIECE)
			die("fwrite");
	if (fclose(stream))
		die("fclose");
}

static void read_it(int number, int letter)
{
	static const size_t whole = PIECE * PIECES;
	FILE *stream = open_it(number, "r");
	char bytes[PIECE * PIECES + 1];

	if (fread(bytes, 1, sizeof(bytes), stream) != whole)
		die("another length");
	for (size_t i = 0; i < whole; i++)
		if (bytes[i] != letter)
			die("another letter");
	fclose(stream);
}

static void *work(void *argument)
{
	int number = (int)(long)argument;

	for (int round = 0; round < ROUNDS; round++) {
		int letter = 'a' + round % 26;

		write_it(open_it(number, "w"), letter);
		read_it(number, letter);
	}
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			die("pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void use_streams(int count)
{
	FILE **streams = calloc((size_t)count, sizeof(*streams));

	for (int i = 0; i < count; i++)
		streams[i] = open_it(i, "w");
	for (int i = 0; i < count; i++)
		write_it(streams[i], 'x');
	for (int i = 0; i < count; i++)
		read_it(i, 'x');
	free(streams);
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 0;
	struct rlimit limit;

	directory = argv[1];
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < (rlim_t)count + 20)
		return 77;
	use_threads();
	use_streams(count);
	return 0;
}
