/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a file by requests and waits for them, or asks whether they are done
 * until they are, and says how often the answer was no.
 *
 * usage: polls wait|test|testall|testany|testsome PARTS FILE BYTES
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

static MPI_Request requests[MOST];
static MPI_Status statuses[MOST];
static int parts, ended;

/* Each returns whether it has learned of an end. */
static int do_wait(void)
{
	MPI_Waitall(parts, requests, statuses);
	ended = parts;
	return 1;
}

static int do_test(void)
{
	int flag;

	MPI_Test(&requests[ended], &flag, statuses);
	ended += flag;
	return flag;
}

static int do_testall(void)
{
	int flag;

	MPI_Testall(parts, requests, &flag, statuses);
	ended = flag ? parts : 0;
	return flag;
}

static int do_testany(void)
{
	int flag, index;

	MPI_Testany(parts, requests, &index, &flag, statuses);
	ended += flag;
	return flag;
}

static int do_testsome(void)
{
	int found, indices[MOST];

	MPI_Testsome(parts, requests, &found, indices, statuses);
	ended += found;
	return found;
}

static const struct {
	const char *name;
	int (*ask)(void);
} ways[] = {
	{ "wait", do_wait },       { "test", do_test },
	{ "testall", do_testall }, { "testany", do_testany },
	{ "testsome", do_testsome },
};

static long ask_until_done(const char *name)
{
	long vain = 0;
	size_t way = 0;

	while (strcmp(ways[way].name, name))
		way++;
	while (ended < parts)
		vain += !ways[way].ask();
	return vain;
}

int main(int argc, char **argv)
{
	int bytes;
	char *data;
	MPI_File file;

	if (argc != 5)
		return 2;
	parts = atoi(argv[2]);
	bytes = atoi(argv[4]) / parts;
	data = malloc((size_t)bytes);
	memset(data, 'p', (size_t)bytes);
	MPI_Init(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, argv[3], MPI_MODE_CREATE | MPI_MODE_WRONLY,
		      MPI_INFO_NULL, &file);
	for (int i = 0; i < parts; i++)
		MPI_File_iwrite_at(file, (MPI_Offset)i * bytes, data, bytes,
				   MPI_BYTE, &requests[i]);
	printf("%ld\n", ask_until_done(argv[1]));
	MPI_File_close(&file);
	MPI_Finalize();
	free(data);
	return 0;
}
