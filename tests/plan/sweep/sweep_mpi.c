/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-IO: files whose pieces are apart, by each way to write them. */
#include "sweep.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 48, PIECES = 150, BYTES = PIECE * PIECES };

/* A file of interleaved pieces: every n+1-th is nobody's. */
struct comb {
	MPI_File file;
	char *bytes;
	MPI_Request request;
};

static void write_all(struct comb *c)
{
	MPI_File_write_all(c->file, c->bytes, BYTES, MPI_BYTE,
			   MPI_STATUS_IGNORE);
}

static void write_alone(struct comb *c)
{
	MPI_File_write(c->file, c->bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_later(struct comb *c)
{
	MPI_File_iwrite_at(c->file, 0, c->bytes, BYTES, MPI_BYTE, &c->request);
	MPI_Wait(&c->request, MPI_STATUS_IGNORE);
}

static void write_halves(struct comb *c)
{
	MPI_File_write_at_all_begin(c->file, 0, c->bytes, BYTES, MPI_BYTE);
	MPI_File_write_at_all_end(c->file, c->bytes, MPI_STATUS_IGNORE);
}

static const struct {
	const char *name;
	void (*write)(struct comb *c);
} ways[] = {
	{ "all.bin", write_all },
	{ "alone.bin", write_alone },
	{ "later.bin", write_later },
	{ "halves.bin", write_halves },
};

static void fill(const struct sweep *sweep, char *bytes)
{
	for (int i = 0; i < BYTES; i++)
		bytes[i] = (char)(1 + sweep->rank * 100 + i / PIECE % 90);
}

static bool open_file(struct sweep *sweep, const char *name, MPI_File *file)
{
	char path[4096];
	int err = MPI_File_open(MPI_COMM_WORLD, sweep_path(sweep, name, path),
				MPI_MODE_CREATE | MPI_MODE_RDWR,
				MPI_INFO_NULL, file);

	sweep_hold(sweep, !err, "MPI opens a file");
	return !err;
}

static void write_plainly(struct sweep *sweep, struct comb *c)
{
	MPI_Offset stride = (MPI_Offset)(sweep->ranks + 1) * PIECE;

	for (int i = 0; i < PIECES; i++)
		MPI_File_write_at(c->file, sweep->rank * PIECE + i * stride,
				  c->bytes + i * PIECE, PIECE, MPI_BYTE,
				  MPI_STATUS_IGNORE);
}

static void view_comb(struct sweep *sweep, struct comb *c)
{
	MPI_Datatype type;

	MPI_Type_vector(PIECES, PIECE, (sweep->ranks + 1) * PIECE, MPI_BYTE,
			&type);
	MPI_Type_commit(&type);
	MPI_File_set_view(c->file, sweep->rank * PIECE, MPI_BYTE, type,
			  "native", MPI_INFO_NULL);
	MPI_Type_free(&type);
}

static void read_back(struct sweep *sweep, struct comb *c)
{
	char *seen = calloc(1, BYTES);

	MPI_File_read_at_all(c->file, 0, seen, BYTES, MPI_BYTE,
			     MPI_STATUS_IGNORE);
	sweep_hold(sweep, !memcmp(seen, c->bytes, BYTES),
		   "a collective read finds what was written");
	memset(seen, 0, BYTES);
	MPI_File_read_at(c->file, 0, seen, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
	sweep_hold(sweep, !memcmp(seen, c->bytes, BYTES),
		   "a read of its own finds what was written");
	free(seen);
}

static void comb_one(struct sweep *sweep, size_t way)
{
	struct comb c;

	if (!open_file(sweep, ways[way].name, &c.file))
		return;
	c.bytes = malloc(BYTES);
	fill(sweep, c.bytes);
	if (sweep->plain) {
		write_plainly(sweep, &c);
	} else {
		view_comb(sweep, &c);
		ways[way].write(&c);
		MPI_File_sync(c.file);
		MPI_Barrier(MPI_COMM_WORLD);
		read_back(sweep, &c);
	}
	free(c.bytes);
	MPI_File_close(&c.file);
}

/* Each rank has one piece, with a gap behind it: nothing interleaves. */
static void write_apart(struct sweep *sweep)
{
	char *bytes = malloc(BYTES);
	MPI_Offset at = (MPI_Offset)sweep->rank * 2 * BYTES;
	MPI_File file;

	fill(sweep, bytes);
	if (open_file(sweep, "apart.bin", &file)) {
		if (sweep->plain)
			MPI_File_write_at(file, at, bytes, BYTES, MPI_BYTE,
					  MPI_STATUS_IGNORE);
		else
			MPI_File_write_at_all(file, at, bytes, BYTES, MPI_BYTE,
					      MPI_STATUS_IGNORE);
		MPI_File_close(&file);
	}
	free(bytes);
}

void sweep_mpi(struct sweep *sweep)
{
	for (size_t way = 0; way < sizeof(ways) / sizeof(*ways); way++)
		comb_one(sweep, way);
	write_apart(sweep);
}
