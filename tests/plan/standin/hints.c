/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays the part of MPIs that know all hints, and of newer versions of PnetCDF:
 * preloaded behind weir, it writes to $STANDIN_LOG.RANK what MPI_File_open and
 * ncmpi_create are given:
 *
 *	name NAME
 *	hint KEY VALUE
 *
 * and hands on the call. As a driver that takes names with bglockless: before
 * them it takes that away.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_hints(FILE *log, MPI_Info info)
{
	char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
	int count = 0, found;

	if (info != MPI_INFO_NULL)
		PMPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		PMPI_Info_get_nthkey(info, i, key);
		PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
		fprintf(log, "hint %s %s\n", key, value);
	}
}

static void write_call(const char *name, MPI_Info info)
{
	const char *base = getenv("STANDIN_LOG");
	char path[4200];
	FILE *log;
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "%s.%d", base ? base : "/dev/null", rank);
	log = fopen(path, "a");
	if (!log)
		return;
	fprintf(log, "name %s\n", name);
	write_hints(log, info);
	fclose(log);
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info,
		  MPI_File *file)
{
	static const char driver[] = "bglockless:";

	write_call(name, info);
	if (!strncmp(name, driver, sizeof(driver) - 1))
		name += sizeof(driver) - 1;
	return PMPI_File_open(comm, name, mode, info, file);
}

int ncmpi_create(MPI_Comm comm, const char *name, int mode, MPI_Info info,
		 int *file);

int ncmpi_create(MPI_Comm comm, const char *name, int mode, MPI_Info info,
		 int *file)
{
	int (*next)(MPI_Comm, const char *, int, MPI_Info, int *) =
		(int (*)(MPI_Comm, const char *, int, MPI_Info, int *))dlsym(
			RTLD_NEXT, "ncmpi_create");

	write_call(name, info);
	return next(comm, name, mode, info, file);
}
