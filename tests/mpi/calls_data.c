/* SPDX-License-Identifier: BSD-3-Clause */
/* Data by an offset, by the rank's own pointer and by the shared one. */
#include "calls.h"

#include <string.h>

#define NEW (MPI_MODE_CREATE | MPI_MODE_RDWR)

void try_placed(const char *directory)
{
	MPI_File f = open_file(directory, "placed", NEW);
	long own = rank * 1000;
	MPI_Status status;
	int count;

	fill(1);
	MUST(MPI_File_write_at(f, own, buffer, 100, MPI_BYTE,
			       MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_at", 100, own, 100);
	MUST(MPI_File_write_at_all(f, own + 100, buffer, 25, MPI_INT, &status));
	told_together("MPI_File_write_at_all", 100, own + 100, 100);
	MUST(PMPI_File_write_at(f, own + 200, buffer, 3, MPI_DOUBLE, &status));
	told_transfer("MPI_File_write_at", 24, own + 200, 24);
	MUST(MPI_Get_count(&status, MPI_DOUBLE, &count));
	saw("count", &count, sizeof(count));
	memset(buffer, 0, BYTES);
	MUST(MPI_File_read_at(f, own, buffer, 200, MPI_BYTE, &status));
	told_transfer("MPI_File_read_at", 200, own, 200);
	saw("read_at", buffer, 200);
	MUST(MPI_File_read_at_all(f, own, buffer, 50, MPI_INT,
				  MPI_STATUS_IGNORE));
	told_together("MPI_File_read_at_all", 200, own, 200);
	saw("read_at_all", buffer, 200);
	MUST(MPI_File_write_at(f, own, buffer, 0, MPI_INT, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_at", 0, own, 0);
	close_file(&f);
}

static void seek(MPI_File f, long to)
{
	MUST(MPI_File_seek(f, to, MPI_SEEK_SET));
	told_transfer("MPI_File_seek", 0, to, 0);
}

void try_own_pointer(const char *directory)
{
	MPI_File f = open_file(directory, "own", NEW);
	long own = rank * 1000;

	fill(2);
	seek(f, own);
	MUST(MPI_File_write(f, buffer, 10, MPI_INT, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write", 40, own, 40);
	MUST(MPI_File_write_all(f, buffer, 60, MPI_BYTE, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_all", 60, own + 40, 60);
	seek(f, own);
	memset(buffer, 0, BYTES);
	MUST(MPI_File_read(f, buffer, 50, MPI_BYTE, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_read", 50, own, 50);
	MUST(MPI_File_read_all(f, buffer + 50, 50, MPI_BYTE,
			       MPI_STATUS_IGNORE));
	told_together("MPI_File_read_all", 50, own + 50, 50);
	saw("own", buffer, 100);
	close_file(&f);
}

/* Which rank comes first is chance: nothing of the data is compared. */
void try_shared_pointer(const char *directory)
{
	MPI_File f = open_file(directory, "shared", NEW);

	fill(3);
	MUST(MPI_File_write_shared(f, buffer, 30, MPI_BYTE,
				   MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_shared", 30, NOWHERE, 30);
	MPI_Barrier(MPI_COMM_WORLD);
	MUST(MPI_File_write_ordered(f, buffer, 10, MPI_INT,
				    MPI_STATUS_IGNORE));
	told_together("MPI_File_write_ordered", 40, NOWHERE, 40);
	MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	told_together("MPI_File_seek_shared", 0, 0, 0);
	MUST(MPI_File_read_shared(f, buffer, 30, MPI_BYTE, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_read_shared", 30, NOWHERE, 30);
	MPI_Barrier(MPI_COMM_WORLD);
	MUST(MPI_File_read_ordered(f, buffer, 10, MPI_INT, MPI_STATUS_IGNORE));
	told_together("MPI_File_read_ordered", 40, NOWHERE, 40);
	saw("ordered", buffer, 40);
	close_file(&f);
}

/* In units of the element type, from the displacement on. */
static void try_plain_view(MPI_File f)
{
	long at = rank * 100;

	MUST(MPI_File_set_view(f, 64, MPI_INT, MPI_INT, "native",
			       MPI_INFO_NULL));
	told_together("MPI_File_set_view", 0, 64, 0);
	MUST(MPI_File_write_at(f, at, buffer, 20, MPI_INT, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_at", 80, 64 + 4 * at, 80);
	MUST(MPI_File_read_at_all(f, at, buffer, 20, MPI_INT,
				  MPI_STATUS_IGNORE));
	told_together("MPI_File_read_at_all", 80, 64 + 4 * at, 80);
	saw("plain view", buffer, 80);
}

static void set_type(MPI_File f, MPI_Datatype type, long disp)
{
	MUST(MPI_Type_commit(&type));
	MUST(MPI_File_set_view(f, disp, MPI_INT, type, "native",
			       MPI_INFO_NULL));
	told_together("MPI_File_set_view", 0, disp, 0);
	MUST(MPI_Type_free(&type));
}

void try_views(const char *directory)
{
	MPI_File f = open_file(directory, "views", NEW);
	int whole[2] = { 8, 8 }, part[2] = { 4, 4 }, start[2] = { 0, 0 };
	MPI_Datatype type;

	fill(4);
	try_plain_view(f);
	MUST(MPI_Type_vector(4, 2, 4, MPI_INT, &type));
	set_type(f, type, 4096 + 8 * rank);
	MUST(MPI_File_write_all(f, buffer, 16, MPI_INT, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_all", 64, NOWHERE, 64);
	MUST(MPI_File_write_at(f, 0, buffer, 8, MPI_INT, MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_at", 32, NOWHERE, 32);
	start[0] = 4 * (rank % 2);
	MUST(MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C,
				      MPI_INT, &type));
	set_type(f, type, 8192);
	MUST(MPI_File_write_all(f, buffer, 16, MPI_INT, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_all", 64, NOWHERE, 64);
	MUST(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native",
			       MPI_INFO_NULL));
	told_together("MPI_File_set_view", 0, 0, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	close_file(&f);
}
