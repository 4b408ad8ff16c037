/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in two halves, and requests with all that completes them. */
#include "calls.h"

#include <string.h>

#define NEW (MPI_MODE_CREATE | MPI_MODE_RDWR)

static void split_placed(MPI_File f, long own)
{
	MUST(MPI_File_write_at_all_begin(f, own, buffer, 100, MPI_BYTE));
	told_together("MPI_File_write_at_all_begin", 100, own, 0);
	MUST(MPI_File_write_at_all_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_at_all_end", 0, NOWHERE, 100);
	MUST(MPI_File_read_at_all_begin(f, own, buffer, 25, MPI_INT));
	told_together("MPI_File_read_at_all_begin", 100, own, 0);
	MUST(MPI_File_read_at_all_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_read_at_all_end", 0, NOWHERE, 100);
	saw("split", buffer, 100);
}

static void split_own(MPI_File f, long own)
{
	MUST(MPI_File_seek(f, own, MPI_SEEK_SET));
	told_transfer("MPI_File_seek", 0, own, 0);
	MUST(MPI_File_write_all_begin(f, buffer, 60, MPI_BYTE));
	told_together("MPI_File_write_all_begin", 60, own, 0);
	MUST(MPI_File_write_all_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_all_end", 0, NOWHERE, 60);
	MUST(MPI_File_seek(f, own, MPI_SEEK_SET));
	told_transfer("MPI_File_seek", 0, own, 0);
	MUST(MPI_File_read_all_begin(f, buffer, 60, MPI_BYTE));
	told_together("MPI_File_read_all_begin", 60, own, 0);
	MUST(MPI_File_read_all_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_read_all_end", 0, NOWHERE, 60);
}

static void split_shared(MPI_File f)
{
	MUST(MPI_File_write_ordered_begin(f, buffer, 40, MPI_BYTE));
	told_together("MPI_File_write_ordered_begin", 40, NOWHERE, 0);
	MUST(MPI_File_write_ordered_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_write_ordered_end", 0, NOWHERE, 40);
	MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	told_together("MPI_File_seek_shared", 0, 0, 0);
	MUST(MPI_File_read_ordered_begin(f, buffer, 40, MPI_BYTE));
	told_together("MPI_File_read_ordered_begin", 40, NOWHERE, 0);
	MUST(MPI_File_read_ordered_end(f, buffer, MPI_STATUS_IGNORE));
	told_together("MPI_File_read_ordered_end", 0, NOWHERE, 40);
}

void try_split(const char *directory)
{
	MPI_File f = open_file(directory, "split", NEW);

	fill(6);
	split_placed(f, rank * 1000);
	split_own(f, rank * 1000 + 200);
	split_shared(f);
	close_file(&f);
}

static void wait_for(MPI_Request *request, long bytes)
{
	MUST(MPI_Wait(request, MPI_STATUS_IGNORE));
	tell_plain("MPI_Wait");
	told_done(bytes);
}

static void request_placed(MPI_File f, long own)
{
	MPI_Request request;

	MUST(MPI_File_iwrite_at(f, own, buffer, 100, MPI_BYTE, &request));
	told_transfer("MPI_File_iwrite_at", 100, own, 0);
	wait_for(&request, 100);
	MUST(MPI_File_iread_at(f, own, buffer, 25, MPI_INT, &request));
	told_transfer("MPI_File_iread_at", 100, own, 0);
	wait_for(&request, 100);
	MUST(MPI_File_iwrite_at_all(f, own, buffer, 100, MPI_BYTE, &request));
	told_together("MPI_File_iwrite_at_all", 100, own, 0);
	wait_for(&request, 100);
	MUST(MPI_File_iread_at_all(f, own, buffer, 25, MPI_INT, &request));
	told_together("MPI_File_iread_at_all", 100, own, 0);
	wait_for(&request, 100);
	saw("later", buffer, 100);
}

static void request_own(MPI_File f, long own)
{
	MPI_Request request;

	MUST(MPI_File_seek(f, own, MPI_SEEK_SET));
	told_transfer("MPI_File_seek", 0, own, 0);
	MUST(MPI_File_iwrite(f, buffer, 40, MPI_BYTE, &request));
	told_transfer("MPI_File_iwrite", 40, own, 0);
	wait_for(&request, 40);
	MUST(MPI_File_iwrite_all(f, buffer, 40, MPI_BYTE, &request));
	told_together("MPI_File_iwrite_all", 40, own + 40, 0);
	wait_for(&request, 40);
	MUST(MPI_File_seek(f, own, MPI_SEEK_SET));
	told_transfer("MPI_File_seek", 0, own, 0);
	MUST(MPI_File_iread(f, buffer, 40, MPI_BYTE, &request));
	told_transfer("MPI_File_iread", 40, own, 0);
	wait_for(&request, 40);
	MUST(MPI_File_iread_all(f, buffer, 40, MPI_BYTE, &request));
	told_together("MPI_File_iread_all", 40, own + 40, 0);
	wait_for(&request, 40);
}

static void request_shared(MPI_File f)
{
	MPI_Request request;

	MUST(MPI_File_iwrite_shared(f, buffer, 40, MPI_BYTE, &request));
	told_transfer("MPI_File_iwrite_shared", 40, NOWHERE, 0);
	wait_for(&request, 40);
	MPI_Barrier(MPI_COMM_WORLD);
	MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	told_together("MPI_File_seek_shared", 0, 0, 0);
	MUST(MPI_File_iread_shared(f, buffer, 40, MPI_BYTE, &request));
	told_transfer("MPI_File_iread_shared", 40, NOWHERE, 0);
	wait_for(&request, 40);
}

/* One of a file among messages of the rank to itself. */
static void ask_for(MPI_File f, MPI_Request list[3], long own)
{
	static int in, out = 5;

	MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &list[0]));
	MUST(MPI_File_iwrite_at(f, own, buffer, 10, MPI_INT, &list[1]));
	told_transfer("MPI_File_iwrite_at", 40, own, 0);
	MUST(MPI_Isend(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &list[2]));
}

/* How often it must be asked, nobody knows: only the last is told of. */
static void try_all(MPI_File f, long own)
{
	MPI_Request list[3];
	MPI_Status statuses[3];
	int indices[3], found, done;

	ask_for(f, list, own);
	MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
	tell_plain("MPI_Waitall");
	told_done(40);
	ask_for(f, list, own);
	MUST(MPI_Waitall(3, list, statuses));
	tell_plain("MPI_Waitall");
	told_done(40);
	ask_for(f, list, own);
	for (done = 0; !done;)
		MUST(MPI_Testall(3, list, &done, MPI_STATUSES_IGNORE));
	tell_plain("MPI_Testall");
	told_done(40);
	ask_for(f, list, own);
	while (list[1] != MPI_REQUEST_NULL)
		MUST(MPI_Waitsome(3, list, &found, indices,
				  MPI_STATUSES_IGNORE));
	tell_plain("MPI_Waitsome");
	told_done(40);
	MUST(MPI_Waitall(3, list, statuses));
	ask_for(f, list, own);
	while (list[1] != MPI_REQUEST_NULL)
		MUST(MPI_Testsome(3, list, &found, indices, statuses));
	tell_plain("MPI_Testsome");
	told_done(40);
	MUST(MPI_Waitall(3, list, statuses));
}

static void try_one(MPI_File f, long own)
{
	MPI_Request list[3];
	MPI_Status status;
	int index, done;

	ask_for(f, list, own);
	while (list[1] != MPI_REQUEST_NULL)
		MUST(MPI_Waitany(3, list, &index, MPI_STATUS_IGNORE));
	tell_plain("MPI_Waitany");
	told_done(40);
	MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
	ask_for(f, list, own);
	while (list[1] != MPI_REQUEST_NULL)
		MUST(MPI_Testany(3, list, &index, &done, &status));
	tell_plain("MPI_Testany");
	told_done(40);
	MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
	ask_for(f, list, own);
	for (done = 0; !done;)
		MUST(MPI_Test(&list[1], &done, MPI_STATUS_IGNORE));
	tell_plain("MPI_Test");
	told_done(40);
	MUST(MPI_Waitall(3, list, MPI_STATUSES_IGNORE));
}

void try_requests(const char *directory)
{
	MPI_File f = open_file(directory, "later", NEW);

	fill(7);
	request_placed(f, rank * 1000);
	request_own(f, rank * 1000 + 200);
	request_shared(f);
	try_all(f, rank * 1000 + 400);
	try_one(f, rank * 1000 + 500);
	close_file(&f);
}
