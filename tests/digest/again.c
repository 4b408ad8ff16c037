/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes ranges again by MPI-IO: the same, overlapping ones, and what was read
 * back; with each kind of pointer and view, and by several ranks at once.
 * usage: again DIRECTORY; the files are DIRECTORY/CASE.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART	 (1 << 18) /* bytes of a rank */
#define ELEMENTS 2000	   /* of a view */

static char data[PART], back[PART];
static int rank, ranks;
static MPI_File file;

static void must(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "again: %s failed\n", what);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
}

/* Other bytes each time, and of each rank. */
static const char *some(int round, int bytes)
{
	for (int i = 0; i < bytes; i++)
		data[i] = (char)(i * 7 + i / 251 + 31 * round + 77 * rank + 1);
	return data;
}

static MPI_Offset own(void)
{
	return (MPI_Offset)rank * PART;
}

/* All ranks see what all have written. */
static void settle(void)
{
	must(MPI_File_sync(file), "sync");
	MPI_Barrier(MPI_COMM_WORLD);
	must(MPI_File_sync(file), "sync");
}

static void put_at(MPI_Offset at, int round, int bytes)
{
	must(MPI_File_write_at(file, at, some(round, bytes), bytes, MPI_BYTE,
			       MPI_STATUS_IGNORE), "write_at");
}

/* --- pointers ----------------------------------------------------------- */

static void placed(void)
{
	for (int i = 0; i < 3; i++)
		put_at(own(), i, PART);
}

static void pointed(void)
{
	for (int i = 0; i < 3; i++) {
		must(MPI_File_seek(file, own(), MPI_SEEK_SET), "seek");
		must(MPI_File_write(file, some(i, PART), PART, MPI_BYTE,
				    MPI_STATUS_IGNORE), "write");
	}
}

static void collective(void)
{
	for (int i = 0; i < 3; i++)
		must(MPI_File_write_at_all(file, own(), some(i, PART), PART,
					   MPI_BYTE, MPI_STATUS_IGNORE),
		     "write_at_all");
}

static void posted(void)
{
	MPI_Request request;

	for (int i = 0; i < 3; i++) {
		must(MPI_File_iwrite_at(file, own(), some(i, PART), PART,
					MPI_BYTE, &request), "iwrite_at");
		must(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
	}
}

static void shared(void)
{
	for (int i = 0; i < 3; i++) {
		must(MPI_File_seek_shared(file, 0, MPI_SEEK_SET),
		     "seek_shared");
		must(MPI_File_write_ordered(file, some(i, PART), PART, MPI_BYTE,
					    MPI_STATUS_IGNORE),
		     "write_ordered");
	}
}

/* Each a little further: parts of pieces are overwritten. */
static void shifted(void)
{
	for (int i = 0; i < 20; i++)
		put_at(2 * own() + i * 5000, i, PART / 4 + i * 11);
}

static void within(void)
{
	put_at(own(), 0, PART);
	for (int i = 0; i < 50; i++)
		put_at(own() + 997 * i * i % (PART - 5000), i, 4999 - i);
}

static void read_back(void)
{
	put_at(own(), 0, PART);
	must(MPI_File_read_at(file, own() + 100, back, PART - 200, MPI_BYTE,
			      MPI_STATUS_IGNORE), "read_at");
	for (int i = 0; i < PART - 200; i++)
		back[i] = (char)~back[i];
	must(MPI_File_write_at(file, own() + 100, back, PART - 200, MPI_BYTE,
			       MPI_STATUS_IGNORE), "write_at");
}

/* --- views -------------------------------------------------------------- */

static void see(MPI_Offset disp, MPI_Datatype type)
{
	must(MPI_Type_commit(&type), "MPI_Type_commit");
	must(MPI_File_set_view(file, disp, MPI_INT, type, "native",
			       MPI_INFO_NULL), "set_view");
	MPI_Type_free(&type);
}

/* Twice all of it, and once a part in the middle. */
static void fill(int elements)
{
	for (int i = 0; i < 2; i++)
		must(MPI_File_write_at_all(file, 0, some(i, 4 * elements),
					   elements, MPI_INT,
					   MPI_STATUS_IGNORE),
		     "write_at_all");
	settle();
	must(MPI_File_write_at(file, elements / 4, some(2, 2 * elements),
			       elements / 2, MPI_INT, MPI_STATUS_IGNORE),
	     "write_at");
}

static void through_strides(void)
{
	MPI_Datatype type;

	MPI_Type_vector(ELEMENTS, 1, ranks, MPI_INT, &type);
	see(rank * 4, type);
	fill(ELEMENTS);
}

static void through_subarray(void)
{
	int sizes[] = { 40, 50 * ranks }, parts[] = { 40, 50 };
	int starts[] = { 0, 50 * rank };
	MPI_Datatype type;

	MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT,
				 &type);
	see(0, type);
	fill(ELEMENTS);
}

static void through_darray(void)
{
	int sizes[] = { 40, 50 * ranks }, grid[] = { 1, ranks };
	int how[] = { MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC };
	int parts[] = { MPI_DISTRIBUTE_DFLT_DARG, 5 };
	MPI_Datatype type;

	MPI_Type_create_darray(ranks, rank, 2, sizes, how, parts, grid,
			       MPI_ORDER_C, MPI_INT, &type);
	see(0, type);
	fill(ELEMENTS);
}

/* More tiny pieces than anybody keeps. */
static void in_crumbs(void)
{
	MPI_Datatype tile, type;
	int count = 1100000;
	char *much = calloc((size_t)count, 1);

	MPI_Type_vector(1000, 1, 2, MPI_BYTE, &tile);
	MPI_Type_create_resized(tile, 0, 2000, &type);
	MPI_Type_free(&tile);
	MPI_Type_commit(&type);
	must(MPI_File_set_view(file, 0, MPI_BYTE, type, "native",
			       MPI_INFO_NULL), "set_view");
	MPI_Type_free(&type);
	memset(much, 5, (size_t)count);
	if (!rank)
		must(MPI_File_write_at(file, 0, much, count, MPI_BYTE,
				       MPI_STATUS_IGNORE), "write_at");
	free(much);
}

/* --- by several --------------------------------------------------------- */

static void overlapping(void)
{
	for (int i = 0; i < 3; i++)
		put_at(rank * 1000, i, PART / 2);
}

static void atomic(void)
{
	must(MPI_File_set_atomicity(file, 1), "set_atomicity");
	overlapping();
}

static void atomic_strides(void)
{
	MPI_Datatype type;

	must(MPI_File_set_atomicity(file, 1), "set_atomicity");
	MPI_Type_vector(ELEMENTS, 1 + rank, 3, MPI_INT, &type);
	see(0, type);
	for (int i = 0; i < 3; i++)
		must(MPI_File_write_at(file, 0, some(i, 4 * ELEMENTS),
				       ELEMENTS, MPI_INT, MPI_STATUS_IGNORE),
		     "write_at");
}

/* Pieces of any length: where they lie is told coarsely. */
static void overlapping_unevenly(void)
{
	for (int i = 0; i < 1500; i++)
		put_at(i * 400 + (i * 37 + rank) % 97, i % 5,
		       100 + (i * 53 + rank * 5) % 190);
}

/* Ranges of one rank's own between those of others. */
static void atomic_apart(void)
{
	must(MPI_File_set_atomicity(file, 1), "set_atomicity");
	for (int i = 0; i < 3; i++)
		put_at(own(), i, PART);
}

/* In turns, and the last one wins. */
static void overlapping_in_turn(void)
{
	for (int turn = 0; turn < ranks; turn++) {
		if (turn == rank)
			put_at(turn * 4096, 1, PART / 4);
		settle();
	}
}

static const struct {
	const char *name;
	void (*play)(void);
} cases[] = {
#define CASE(name) { #name, name }
	CASE(placed),	       CASE(pointed),	      CASE(collective),
	CASE(posted),	       CASE(shared),	      CASE(shifted),
	CASE(within),	       CASE(read_back),	      CASE(through_strides),
	CASE(through_subarray), CASE(through_darray), CASE(in_crumbs),
	CASE(overlapping),     CASE(atomic),	      CASE(atomic_strides),
	CASE(overlapping_unevenly), CASE(atomic_apart),
	CASE(overlapping_in_turn),
#undef CASE
};

int main(int argc, char **argv)
{
	char path[4096];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(path, sizeof(path), "%s/%s", argv[1], cases[i].name);
		must(MPI_File_open(MPI_COMM_WORLD, path,
				   MPI_MODE_CREATE | MPI_MODE_RDWR,
				   MPI_INFO_NULL, &file), path);
		cases[i].play();
		must(MPI_File_close(&file), "close");
	}
	MPI_Finalize();
	return 0;
}
