/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes calls of MPI-IO by a seed, each on a part of a file of its own, and
 * tells which part belongs to which call: whoever moves bytes there later must
 * turn out to have been caused by that call.
 *
 * usage: corpus SEED CALLS FILE LOG
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PART    (1 << 20) /* bytes of the file that belong to one call */
#define BLOCK   4096
#define RUN     64
#define THREADS 3

static MPI_File file;
static FILE *story;
static int rank, ranks, level;
static char *block;
static const char *path;

/* Whose part it is; an empty name: no call's. */
static void tell(long part, const char *call)
{
	fprintf(story, "{\"low\":%ld,\"high\":%ld,\"call\":\"%s\"}\n",
		part * PART, (part + 1) * PART, call);
}

static MPI_Offset own_place(long part)
{
	return (MPI_Offset)part * PART + (MPI_Offset)rank * BLOCK;
}

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: error %d\n", what, err);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

static void write_at(long part)
{
	must(MPI_File_write_at(file, own_place(part), block, BLOCK, MPI_BYTE,
			       MPI_STATUS_IGNORE), "write_at");
	tell(part, "MPI_File_write_at");
}

static void read_at(long part)
{
	must(MPI_File_read_at(file, own_place(part), block, BLOCK, MPI_BYTE,
			      MPI_STATUS_IGNORE), "read_at");
	tell(part, "MPI_File_read_at");
}

static void write_at_all(long part)
{
	must(MPI_File_write_at_all(file, own_place(part), block, BLOCK,
				   MPI_BYTE, MPI_STATUS_IGNORE),
	     "write_at_all");
	tell(part, "MPI_File_write_at_all");
}

static void read_at_all(long part)
{
	must(MPI_File_read_at_all(file, own_place(part), block, BLOCK,
				  MPI_BYTE, MPI_STATUS_IGNORE), "read_at_all");
	tell(part, "MPI_File_read_at_all");
}

/* Runs of all ranks lie between each other. */
static void with_view(long part, int (*move)(MPI_File, const void *, int,
					     MPI_Datatype, MPI_Status *),
		      const char *call)
{
	MPI_Datatype runs;

	MPI_Type_vector(BLOCK / RUN, RUN, RUN * ranks, MPI_BYTE, &runs);
	MPI_Type_commit(&runs);
	must(MPI_File_set_view(file, (MPI_Offset)part * PART + rank * RUN,
			       MPI_BYTE, runs, "native", MPI_INFO_NULL),
	     "set_view");
	must(move(file, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE), call);
	must(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native",
			       MPI_INFO_NULL), "set_view");
	MPI_Type_free(&runs);
	tell(part, call);
}

static int read_some(MPI_File from, const void *to, int count,
		     MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_read_all(from, (void *)to, count, type, status);
}

static void write_all(long part)
{
	with_view(part, MPI_File_write_all, "MPI_File_write_all");
}

static void read_all(long part)
{
	with_view(part, read_some, "MPI_File_read_all");
}

static void iwrite_at(long part)
{
	MPI_Request request;

	must(MPI_File_iwrite_at(file, own_place(part), block, BLOCK, MPI_BYTE,
				&request), "iwrite_at");
	must(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
	tell(part, "MPI_File_iwrite_at");
}

static void iwrite_at_all(long part)
{
	MPI_Request request;

	must(MPI_File_iwrite_at_all(file, own_place(part), block, BLOCK,
				    MPI_BYTE, &request), "iwrite_at_all");
	must(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
	tell(part, "MPI_File_iwrite_at_all");
}

/* Two at once: who waits for both caused what either does. */
static void iwrite_two(long part)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];

	for (int i = 0; i < 2; i++)
		must(MPI_File_iwrite_at(file, own_place(part) +
					(MPI_Offset)i * ranks * BLOCK,
					block, BLOCK, MPI_BYTE, &requests[i]),
		     "iwrite_at");
	must(MPI_Waitall(2, requests, statuses), "waitall");
	tell(part, "MPI_File_iwrite_at");
}

static void in_halves(long part)
{
	must(MPI_File_write_at_all_begin(file, own_place(part), block, BLOCK,
					 MPI_BYTE), "begin");
	must(MPI_File_write_at_all_end(file, block, MPI_STATUS_IGNORE), "end");
	tell(part, "MPI_File_write_at_all_begin");
}

static void *write_as_thread(void *place)
{
	must(MPI_File_write_at(file, *(MPI_Offset *)place, block, BLOCK,
			       MPI_BYTE, MPI_STATUS_IGNORE), "write_at");
	return NULL;
}

static void with_threads(long part)
{
	pthread_t threads[THREADS];
	MPI_Offset places[THREADS];

	if (level < MPI_THREAD_MULTIPLE) {
		write_at(part);
		return;
	}
	for (int i = 0; i < THREADS; i++) {
		places[i] = own_place(part) + (MPI_Offset)i * ranks * BLOCK;
		pthread_create(&threads[i], NULL, write_as_thread, &places[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tell(part, "MPI_File_write_at");
}

/* Without MPI: nobody is above it. */
static void by_hand(long part)
{
	int fd = open(path, O_RDWR);

	if (pwrite(fd, block, BLOCK, own_place(part)) != BLOCK)
		must(1, "pwrite");
	close(fd);
	tell(part, "");
}

static const struct {
	const char *shape;
	void (*play)(long part);
} plays[] = {
	{"write_at", write_at},	      {"read_at", read_at},
	{"write_at_all", write_at_all}, {"read_at_all", read_at_all},
	{"write_all", write_all},     {"read_all", read_all},
	{"iwrite_at", iwrite_at},     {"iwrite_at_all", iwrite_at_all},
	{"iwrite_two", iwrite_two},   {"in_halves", in_halves},
	{"with_threads", with_threads}, {"by_hand", by_hand},
};

#define PLAYS (sizeof(plays) / sizeof(*plays))

/* One rank writes for all, so that the aggregator is seldom the caller. */
static MPI_Info hints(void)
{
	MPI_Info info;

	MPI_Info_create(&info);
	MPI_Info_set(info, "romio_cb_write", "enable");
	MPI_Info_set(info, "romio_cb_read", "enable");
	MPI_Info_set(info, "cb_nodes", "1");
	return info;
}

static void play_all(unsigned seed, long calls)
{
	for (long part = 0; part < calls; part++) {
		size_t which = (size_t)rand_r(&seed) % PLAYS;

		if (!rank)
			fprintf(story, "{\"shape\":\"%s\"}\n",
				plays[which].shape);
		plays[which].play(part);
	}
}

int main(int argc, char **argv)
{
	MPI_Info info;
	char name[4096];

	if (argc != 5)
		return 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	path = argv[3];
	snprintf(name, sizeof(name), "%s.%d", argv[4], rank);
	story = fopen(name, "w");
	block = calloc(1, BLOCK);
	info = hints();
	must(MPI_File_open(MPI_COMM_WORLD, argv[3],
			   MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file),
	     "open");
	must(MPI_File_set_size(file, (MPI_Offset)atol(argv[2]) * PART),
	     "set_size");
	MPI_Barrier(MPI_COMM_WORLD);
	play_all((unsigned)atoi(argv[1]), atol(argv[2]));
	must(MPI_File_close(&file), "close");
	MPI_Info_free(&info);
	fclose(story);
	free(block);
	MPI_Finalize();
	return 0;
}
