/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a file with PnetCDF, reads it again and tells where its parts lie.
 *
 *	layout FILE [KEY=VALUE]...	keys of the program's own info
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 1000
#define EXTRA  300 /* attributes: a header of some size */

static int rank;

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(err));
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static MPI_Info own_info(int count, char **pairs)
{
	MPI_Info info;

	if (!count)
		return MPI_INFO_NULL;
	MPI_Info_create(&info);
	for (int i = 0; i < count; i++) {
		char *value = strchr(pairs[i], '=');

		*value = 0;
		MPI_Info_set(info, pairs[i], value + 1);
		*value = '=';
	}
	return info;
}

static void tell_offset(int file, const char *name)
{
	MPI_Offset offset;
	int var;

	must(ncmpi_inq_varid(file, name, &var), "inq_varid");
	must(ncmpi_inq_varoffset(file, var, &offset), "inq_varoffset");
	if (!rank)
		printf("%s %lld\n", name, (long long)offset);
}

static void define(int file)
{
	int dims[2], var;
	char name[32];

	must(ncmpi_def_dim(file, "t", NC_UNLIMITED, &dims[0]), "def_dim");
	must(ncmpi_def_dim(file, "x", LENGTH, &dims[1]), "def_dim");
	must(ncmpi_def_var(file, "one", NC_INT, 1, &dims[1], &var), "def_var");
	must(ncmpi_def_var(file, "two", NC_INT, 1, &dims[1], &var), "def_var");
	must(ncmpi_def_var(file, "many", NC_INT, 2, dims, &var), "def_var");
	for (int i = 0; i < EXTRA; i++) {
		snprintf(name, sizeof(name), "attribute%d", i);
		must(ncmpi_put_att_text(file, NC_GLOBAL, name, 8, "12345678"),
		     "put_att");
	}
	must(ncmpi_enddef(file), "enddef");
}

/* Each other element, so that the library has to pack what it writes. */
static void write_var(int file, const char *name, int seed)
{
	MPI_Offset start = rank, count, stride = 2;
	int values[LENGTH], var, size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	stride = size;
	count = LENGTH / size;
	for (int i = 0; i < LENGTH; i++)
		values[i] = seed + rank + i * size;
	must(ncmpi_inq_varid(file, name, &var), "inq_varid");
	must(ncmpi_put_vars_int_all(file, var, &start, &count, &stride,
				    values), "put_vars");
	if (values[1] != seed + rank + size)
		MPI_Abort(MPI_COMM_WORLD, 2);
}

static void make(const char *path, MPI_Info info)
{
	int file;

	must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, info, &file),
	     "create");
	define(file);
	tell_offset(file, "one");
	tell_offset(file, "two");
	tell_offset(file, "many");
	write_var(file, "one", 0);
	write_var(file, "two", 5000);
	must(ncmpi_close(file), "close");
}

static void check(const char *path, MPI_Info info)
{
	int file, var, values[LENGTH];

	must(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, info, &file), "open");
	must(ncmpi_inq_varid(file, "two", &var), "inq_varid");
	must(ncmpi_get_var_int_all(file, var, values), "get_var");
	for (int i = 0; i < LENGTH; i++)
		if (values[i] != 5000 + i)
			MPI_Abort(MPI_COMM_WORLD, 3);
	must(ncmpi_close(file), "close");
}

int main(int argc, char **argv)
{
	MPI_Info info;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	info = own_info(argc - 2, argv + 2);
	make(argv[1], info);
	check(argv[1], info);
	if (info != MPI_INFO_NULL)
		MPI_Info_free(&info);
	MPI_Finalize();
	return 0;
}
