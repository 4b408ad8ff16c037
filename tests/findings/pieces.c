/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks write or read a file by MPI-IO. usage: pieces WAY COUNT SIZE [WAY...]
 * WAY: each for itself (apart), all at a time (together), or each its own file
 * (own); with -read after it they read. COUNT calls of each rank. sieved: each
 * call writes PIECES pieces of a view, with gaps as long as they are. turns: a
 * call of all ranks writes COUNT pieces of each, in turns; cut: likewise, with
 * hints not to gather them.
 * With "leave" in the end they do so without MPI_Finalize, in which MPICH above
 * UCX at times waits for ever when ranks are on several hosts.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 16 };

static char buffer[1 << 20];
static int rank, ranks;

struct work {
	int together, reads, count, size;
	MPI_File file;
};

static void move(const struct work *work)
{
	MPI_Status status;

	for (int i = 0; i < work->count; i++) {
		MPI_Offset at = ((MPI_Offset)i * ranks + rank) * work->size;

		if (work->together && work->reads)
			MPI_File_read_at_all(work->file, at, buffer, work->size,
					     MPI_BYTE, &status);
		else if (work->together)
			MPI_File_write_at_all(work->file, at, buffer,
					      work->size, MPI_BYTE, &status);
		else if (work->reads)
			MPI_File_read_at(work->file, at, buffer, work->size,
					 MPI_BYTE, &status);
		else
			MPI_File_write_at(work->file, at, buffer, work->size,
					  MPI_BYTE, &status);
	}
}

/* Every rank in a part of its own. */
static void write_view(const struct work *work)
{
	MPI_Offset part = (MPI_Offset)work->count * PIECES * work->size;
	MPI_Datatype piece, spaced;

	MPI_Type_contiguous(work->size, MPI_BYTE, &piece);
	MPI_Type_create_resized(piece, 0, 2 * (MPI_Aint)work->size, &spaced);
	MPI_Type_commit(&spaced);
	MPI_File_set_view(work->file, 2 * part * rank, MPI_BYTE, spaced,
			  "native", MPI_INFO_NULL);
	for (int i = 0; i < work->count; i++)
		MPI_File_write_at(work->file,
				  (MPI_Offset)i * PIECES * work->size, buffer,
				  PIECES * work->size, MPI_BYTE,
				  MPI_STATUS_IGNORE);
	MPI_Type_free(&piece);
	MPI_Type_free(&spaced);
}

/* So many pieces of each rank in turns, by one collective call. */
static void write_turns(const struct work *work)
{
	MPI_Datatype piece, spaced;
	char *all = calloc((size_t)work->count, (size_t)work->size);

	MPI_Type_contiguous(work->size, MPI_BYTE, &piece);
	MPI_Type_create_resized(piece, 0, (MPI_Aint)ranks * work->size,
				&spaced);
	MPI_Type_commit(&spaced);
	MPI_File_set_view(work->file, (MPI_Offset)rank * work->size, MPI_BYTE,
			  spaced, "native", MPI_INFO_NULL);
	MPI_File_write_all(work->file, all, work->count * work->size, MPI_BYTE,
			   MPI_STATUS_IGNORE);
	MPI_Type_free(&piece);
	MPI_Type_free(&spaced);
	free(all);
}

/* ROMIO is told not to gather, nor to write what lies between. */
static MPI_Info hints_of(const char *word)
{
	MPI_Info info;

	MPI_Info_create(&info);
	if (!strcmp(word, "cut")) {
		MPI_Info_set(info, "romio_cb_write", "disable");
		MPI_Info_set(info, "romio_ds_write", "disable");
	}
	return info;
}

static void do_work(char **words)
{
	struct work work = {
		.together = !strncmp(words[0], "together", 8),
		.reads = strstr(words[0], "-read") != NULL,
		.count = atoi(words[1]), .size = atoi(words[2]),
	};
	int own = !strncmp(words[0], "own", 3);
	char name[32] = "shared";
	MPI_Info info = hints_of(words[0]);

	if (own)
		snprintf(name, sizeof(name), "own.%d", rank);
	if (MPI_File_open(own ? MPI_COMM_SELF : MPI_COMM_WORLD, name,
			  MPI_MODE_RDWR | MPI_MODE_CREATE, info, &work.file))
		exit(1);
	if (!strcmp(words[0], "sieved"))
		write_view(&work);
	else if (!strcmp(words[0], "turns") || !strcmp(words[0], "cut"))
		write_turns(&work);
	else
		move(&work);
	MPI_File_close(&work.file);
	MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 1; i + 2 < argc; i += 3)
		do_work(argv + i);
	if (!strcmp(argv[argc - 1], "leave")) {
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Abort(MPI_COMM_WORLD, 0);
	}
	MPI_Finalize();
	return 0;
}
