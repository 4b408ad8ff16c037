/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a file by each call of MPI-IO that can, through views and from
 * buffers of each kind. usage: ranks DIRECTORY [old]; the files are
 * DIRECTORY/CASE. Old: nonblocking collective calls are not there.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE  60000
#define PIECE 1200 /* bytes that a rank writes at a time */

static char data[SIZE];
static int rank, ranks, is_old;
static MPI_File file;

static void must(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "ranks: %s failed\n", what);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
}

static void finish(MPI_Request *request)
{
	must(MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
}

/* Rank by rank, in turns. */
static MPI_Offset turn(int n)
{
	return (MPI_Offset)(n * ranks + rank) * PIECE;
}

static void see(MPI_Offset disp, MPI_Datatype etype, MPI_Datatype type)
{
	must(MPI_Type_commit(&type), "MPI_Type_commit");
	must(MPI_File_set_view(file, disp, etype, type, "native",
			       MPI_INFO_NULL),
	     "MPI_File_set_view");
	MPI_Type_free(&type);
}

/* --- calls -------------------------------------------------------------- */

static void placed(void)
{
	MPI_Request request;

	must(MPI_File_write_at(file, turn(0), data + rank, PIECE, MPI_BYTE,
			       MPI_STATUS_IGNORE), "write_at");
	must(MPI_File_write_at_all(file, turn(1), data + 5, PIECE, MPI_BYTE,
				   MPI_STATUS_IGNORE), "write_at_all");
	must(MPI_File_iwrite_at(file, turn(2), data + 6, PIECE / 4, MPI_INT,
				&request), "iwrite_at");
	finish(&request);
	must(is_old ? MPI_File_iwrite_at(file, turn(3), data + 7, PIECE,
					 MPI_BYTE, &request)
		    : MPI_File_iwrite_at_all(file, turn(3), data + 7, PIECE,
					     MPI_BYTE, &request),
	     "iwrite_at_all");
	finish(&request);
	must(MPI_File_write_at_all_begin(file, turn(4), data + 8, PIECE,
					 MPI_BYTE), "begin");
	must(MPI_File_write_at_all_end(file, data + 8, MPI_STATUS_IGNORE),
	     "end");
}

static void pointed(void)
{
	MPI_Request request;

	must(MPI_File_seek(file, rank * 6 * PIECE, MPI_SEEK_SET), "seek");
	must(MPI_File_write(file, data, PIECE, MPI_BYTE, MPI_STATUS_IGNORE),
	     "write");
	must(MPI_File_write_all(file, data + 1, PIECE, MPI_BYTE,
				MPI_STATUS_IGNORE), "write_all");
	must(MPI_File_iwrite(file, data + 2, PIECE, MPI_BYTE, &request),
	     "iwrite");
	finish(&request);
	must(is_old ? MPI_File_iwrite(file, data + 3, PIECE, MPI_BYTE,
				      &request)
		    : MPI_File_iwrite_all(file, data + 3, PIECE, MPI_BYTE,
					  &request),
	     "iwrite_all");
	finish(&request);
	must(MPI_File_write_all_begin(file, data + 4, PIECE, MPI_BYTE),
	     "begin");
	must(MPI_File_write_all_end(file, data + 4, MPI_STATUS_IGNORE), "end");
	must(MPI_File_write(file, data, PIECE, MPI_BYTE, MPI_STATUS_IGNORE),
	     "write");
}

static void shared(void)
{
	must(MPI_File_write_shared(file, data, PIECE, MPI_BYTE,
				   MPI_STATUS_IGNORE), "write_shared");
	MPI_Barrier(MPI_COMM_WORLD);
	must(MPI_File_write_ordered(file, data + 1, PIECE, MPI_BYTE,
				    MPI_STATUS_IGNORE), "write_ordered");
}

static void overwritten(void)
{
	for (int i = 0; i < 3; i++)
		must(MPI_File_write_at(file, rank * SIZE / 2 + i * 700,
				       data + i, 2 * PIECE, MPI_BYTE,
				       MPI_STATUS_IGNORE), "write_at");
}

static void resized_file(void)
{
	must(MPI_File_set_size(file, 3 * SIZE), "set_size");
	placed();
	must(MPI_File_set_size(file, 5 * ranks * PIECE), "set_size");
}

/* --- views -------------------------------------------------------------- */

/* What is seen through the view, by two calls that do not end evenly. */
static void fill(MPI_Datatype etype, int elements)
{
	int part = elements / 3;

	must(MPI_File_write_all(file, data + rank, part, etype,
				MPI_STATUS_IGNORE), "write_all");
	/* What lies between is read and written by others, too. */
	must(MPI_File_sync(file), "sync");
	MPI_Barrier(MPI_COMM_WORLD);
	must(MPI_File_write_at(file, part, data + 9, elements - part, etype,
			       MPI_STATUS_IGNORE), "write_at");
}

static void through_vector(void)
{
	MPI_Datatype type;

	MPI_Type_vector(20, 3, 3 * ranks, MPI_INT, &type);
	see(rank * 3 * 4 + 8, MPI_INT, type);
	fill(MPI_INT, 60);
}

static void through_tiles(void)
{
	MPI_Datatype vector, tile;

	MPI_Type_vector(1, 5, 5, MPI_INT, &vector);
	MPI_Type_create_resized(vector, 0, 20 * ranks, &tile);
	MPI_Type_free(&vector);
	see(rank * 20, MPI_INT, tile);
	fill(MPI_INT, 500);
}

static void through_subarray(int order)
{
	int sizes[] = { 7, 6 * ranks, 5 }, parts[] = { 3, 6, 4 };
	int starts[] = { 2, 6 * rank, 1 };
	MPI_Datatype type;

	MPI_Type_create_subarray(3, sizes, parts, starts, order, MPI_DOUBLE,
				 &type);
	see(16, MPI_DOUBLE, type);
	fill(MPI_DOUBLE, 2 * 72);
}

static void by_rows(void)
{
	through_subarray(MPI_ORDER_C);
}

static void by_columns(void)
{
	through_subarray(MPI_ORDER_FORTRAN);
}

/* More numbers than a type is usually made of. */
static void through_indexed(void)
{
	int lengths[1000], places[1000];
	MPI_Datatype type, copy;

	for (int i = 0; i < 1000; i++) {
		lengths[i] = 2;
		places[i] = (i * ranks + rank) * 3;
	}
	MPI_Type_indexed(1000, lengths, places, MPI_SHORT, &type);
	MPI_Type_dup(type, &copy);
	MPI_Type_free(&type);
	see(2, MPI_SHORT, copy);
	fill(MPI_SHORT, 2000);
}

static void through_hindexed(void)
{
	int lengths[] = { 2, 0, 3 };
	MPI_Aint places[] = { 8, 16, 40 };
	MPI_Datatype type, wide;

	for (int i = 0; i < 3; i++)
		places[i] += 64 * rank;
	MPI_Type_create_hindexed(3, lengths, places, MPI_INT, &type);
	MPI_Type_create_resized(type, 0, 64 * ranks, &wide);
	MPI_Type_free(&type);
	see(0, MPI_INT, wide);
	fill(MPI_INT, 50);
}

static void through_blocks(void)
{
	int places[] = { 1, 4, 9, 10 };
	MPI_Aint bytes[] = { 0, 600 };
	MPI_Datatype inner, outer;

	MPI_Type_create_indexed_block(4, 1, places, MPI_INT, &inner);
	MPI_Type_create_hindexed_block(2, 3, bytes, inner, &outer);
	MPI_Type_free(&inner);
	see(rank * 2000, MPI_INT, outer);
	fill(MPI_INT, 24);
}

static void through_struct(void)
{
	int lengths[] = { 1, 2, 1 };
	MPI_Aint places[] = { 4 * rank, 16, 100 };
	MPI_Datatype vector, types[3], type;

	MPI_Type_create_hvector(3, 1, 8, MPI_CHAR, &vector);
	types[0] = MPI_CHAR;
	types[1] = vector;
	types[2] = MPI_CHAR;
	MPI_Type_create_struct(3, lengths, places, types, &type);
	MPI_Type_free(&vector);
	see(rank * 5000, MPI_CHAR, type);
	fill(MPI_CHAR, 80);
}

static void through_darray(void)
{
	int sizes[] = { 8, 12 }, how[] = { MPI_DISTRIBUTE_BLOCK,
					   MPI_DISTRIBUTE_BLOCK };
	int parts[] = { MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG };
	int grid[] = { 1, ranks };
	MPI_Datatype type;

	MPI_Type_create_darray(ranks, rank, 2, sizes, how, parts, grid,
			       MPI_ORDER_C, MPI_INT, &type);
	see(0, MPI_INT, type);
	must(MPI_File_write_all(file, data, 96 / ranks, MPI_INT,
				MPI_STATUS_IGNORE), "write_all");
}

/* --- buffers ------------------------------------------------------------ */

static void from_pieces(void)
{
	MPI_Datatype vector, type, wide;
	MPI_Request request;

	MPI_Type_vector(10, 2, 5, MPI_INT, &vector);
	MPI_Type_commit(&vector);
	must(MPI_File_write_at(file, rank * 4000, data, 7, vector,
			       MPI_STATUS_IGNORE), "write_at");
	must(MPI_File_iwrite_at(file, rank * 4000 + 1000, data, 3, vector,
				&request), "iwrite_at");
	finish(&request);
	MPI_Type_vector(15, 2, 2 * ranks, MPI_INT, &type);
	MPI_Type_create_resized(type, 0, 15 * 8 * ranks, &wide);
	MPI_Type_free(&type);
	see(rank * 8 + 10000, MPI_INT, wide);
	must(MPI_File_write_all(file, data + 4, 5, vector, MPI_STATUS_IGNORE),
	     "write_all");
	MPI_Type_free(&vector);
}

static const struct {
	const char *name;
	void (*play)(void);
} cases[] = {
#define CASE(name) { #name, name }
	CASE(placed),	       CASE(pointed),	      CASE(shared),
	CASE(overwritten),     CASE(resized_file),    CASE(through_vector),
	CASE(through_tiles),   CASE(by_rows),	      CASE(by_columns),
	CASE(through_indexed), CASE(through_hindexed), CASE(through_blocks),
	CASE(through_struct),  CASE(through_darray),  CASE(from_pieces),
#undef CASE
};

int main(int argc, char **argv)
{
	char path[4096];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	is_old = argc > 2;
	for (long i = 0; i < SIZE; i++)
		data[i] = (char)(i * i / 13 + i + rank * 77);
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
