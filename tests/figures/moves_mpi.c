/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves bytes by MPI-IO in many ways, each in a file of its own name; rank 0
 * says how many each has moved.
 *
 * usage: moves_mpi FOLDER ROUNDS BYTES HOW...
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOGETHER 4 /* requests that are under way at once */

static MPI_File file;
static char *data, *now; /* room for all that is under way, and where to go */
static int rank, ranks, rounds, size, writes;
static unsigned long long moved;
static MPI_Status last_status;
static MPI_Request waiting[TOGETHER];
static int waiting_count;

static void need(int err, const char *what)
{
	if (err == MPI_SUCCESS)
		return;
	fprintf(stderr, "%s failed\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void add(const MPI_Status *status)
{
	int count;

	need(MPI_Get_count(status, MPI_BYTE, &count), "MPI_Get_count");
	moved += count > 0 ? (unsigned long long)count : 0;
}

static MPI_Offset place(int round)
{
	return ((MPI_Offset)round * ranks + rank) * size;
}

/* One is waited for at once, one is asked for, the others end together. */
static void finish(int round, MPI_Request request)
{
	MPI_Status statuses[TOGETHER];
	int done = 0;

	if (round % 4 == 0) {
		need(MPI_Wait(&request, statuses), "MPI_Wait");
		add(statuses);
	} else if (round % 4 == 1) {
		while (!done)
			need(MPI_Test(&request, &done, statuses), "MPI_Test");
		add(statuses);
	} else {
		waiting[waiting_count++] = request;
	}
	if (waiting_count < TOGETHER && round + 1 < rounds)
		return;
	need(MPI_Waitall(waiting_count, waiting, statuses), "MPI_Waitall");
	for (int i = 0; i < waiting_count; i++)
		add(&statuses[i]);
	waiting_count = 0;
}

/* Each way is a function that makes its call once. */
#define OWN   (need(MPI_File_seek(file, place(round), MPI_SEEK_SET), "seek"))
#define NONE  ((void)0)
#define WHERE now, size, MPI_BYTE
#define THERE place(round), now, size, MPI_BYTE

#define DIRECT(call, before, ...)                                         \
	static void run_##call(int round)                                 \
	{                                                                 \
		MPI_Status status;                                        \
		(void)round, before;                                      \
		need(MPI_File_##call(file, __VA_ARGS__, &status), #call); \
		add(&status);                                             \
	}
#define LATER(call, before, ...)                                           \
	static void run_##call(int round)                                  \
	{                                                                  \
		MPI_Request request;                                       \
		(void)round, before;                                       \
		need(MPI_File_##call(file, __VA_ARGS__, &request), #call); \
		finish(round, request);                                    \
	}
#define SPLIT(call, before, ...)                                              \
	static void run_##call##_split(int round)                             \
	{                                                                     \
		(void)round, before;                                          \
		need(MPI_File_##call##_begin(file, __VA_ARGS__), #call);      \
		need(MPI_File_##call##_end(file, now, &last_status), #call);  \
		add(&last_status);                                            \
	}

DIRECT(read_at, NONE, THERE)
DIRECT(write_at, NONE, THERE)
DIRECT(read_at_all, NONE, THERE)
DIRECT(write_at_all, NONE, THERE)
DIRECT(read, OWN, WHERE)
DIRECT(write, OWN, WHERE)
DIRECT(read_all, OWN, WHERE)
DIRECT(write_all, OWN, WHERE)
DIRECT(read_shared, NONE, WHERE)
DIRECT(write_shared, NONE, WHERE)
DIRECT(read_ordered, NONE, WHERE)
DIRECT(write_ordered, NONE, WHERE)
LATER(iread_at, NONE, THERE)
LATER(iwrite_at, NONE, THERE)
LATER(iread_at_all, NONE, THERE)
LATER(iwrite_at_all, NONE, THERE)
LATER(iread, OWN, WHERE)
LATER(iwrite, OWN, WHERE)
LATER(iread_all, OWN, WHERE)
LATER(iwrite_all, OWN, WHERE)
LATER(iread_shared, NONE, WHERE)
LATER(iwrite_shared, NONE, WHERE)
SPLIT(read_at_all, NONE, THERE)
SPLIT(write_at_all, NONE, THERE)
SPLIT(read_all, OWN, WHERE)
SPLIT(write_all, OWN, WHERE)
SPLIT(read_ordered, NONE, WHERE)
SPLIT(write_ordered, NONE, WHERE)

#define WAY(call) { #call, run_##call }

static const struct {
	const char *name;
	void (*run)(int round);
} ways[] = {
	WAY(read_at),	    WAY(write_at),	  WAY(read_at_all),
	WAY(write_at_all),  WAY(read),		  WAY(write),
	WAY(read_all),	    WAY(write_all),	  WAY(read_shared),
	WAY(write_shared),  WAY(read_ordered),	  WAY(write_ordered),
	WAY(iread_at),	    WAY(iwrite_at),	  WAY(iread_at_all),
	WAY(iwrite_at_all), WAY(iread),		  WAY(iwrite),
	WAY(iread_all),	    WAY(iwrite_all),	  WAY(iread_shared),
	WAY(iwrite_shared), WAY(read_at_all_split), WAY(write_at_all_split),
	WAY(read_all_split), WAY(write_all_split), WAY(read_ordered_split),
	WAY(write_ordered_split),
};

#define WAYS (sizeof(ways) / sizeof(*ways))

static size_t find_way(const char *name)
{
	size_t i = 0;

	while (i < WAYS && strcmp(ways[i].name, name))
		i++;
	need(i < WAYS ? MPI_SUCCESS : 1, name);
	return i;
}

static void tell(const char *name)
{
	unsigned long long all = 0;

	MPI_Reduce(&moved, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	if (!rank)
		printf("%s read %llu written %llu\n", name,
		       writes ? 0 : all, writes ? all : 0);
}

static void run_way(const char *folder, const char *name)
{
	size_t way = find_way(name);
	char path[4096];

	moved = 0;
	writes = strstr(name, "write") != NULL;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	need(MPI_File_open(MPI_COMM_WORLD, path,
			   writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY
				  : MPI_MODE_RDONLY,
			   MPI_INFO_NULL, &file), path);
	for (int round = 0; round < rounds; round++) {
		now = data + (size_t)round * (size_t)size;
		ways[way].run(round);
	}
	need(MPI_File_close(&file), path);
	tell(name);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc < 5 && i < WAYS; i++)
		puts(ways[i].name);
	if (argc < 5)
		return 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	rounds = atoi(argv[2]);
	size = atoi(argv[3]);
	data = calloc((size_t)rounds, (size_t)size);
	for (int i = 4; i < argc; i++)
		run_way(argv[1], argv[i]);
	MPI_Finalize();
	return 0;
}
