/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool as others write them: it takes MPI_ names, and calls PMPI_ ones. */
#include <mpi.h>

int MPI_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info,
		  MPI_File *file)
{
	return PMPI_File_open(comm, name, amode, info, file);
}

int MPI_File_set_view(MPI_File file, MPI_Offset disp, MPI_Datatype etype,
		      MPI_Datatype filetype, const char *rep, MPI_Info info)
{
	return PMPI_File_set_view(file, disp, etype, filetype, rep, info);
}
