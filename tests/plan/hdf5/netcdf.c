/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: netcdf SCENE FILE
 *
 * A program that knows NetCDF and nothing of what lies below it.
 */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 128

static void good(int code)
{
	if (code) {
		fprintf(stderr, "%s\n", nc_strerror(code));
		exit(1);
	}
}

static int numbers[SIDE * SIDE];

static void make(const char *name)
{
	int file, dims[2], var;

	good(nc_create(name, NC_NETCDF4 | NC_CLOBBER, &file));
	good(nc_def_dim(file, "y", SIDE, &dims[0]));
	good(nc_def_dim(file, "x", SIDE, &dims[1]));
	good(nc_def_var(file, "field", NC_INT, 2, dims, &var));
	good(nc_enddef(file));
	for (int i = 0; i < SIDE * SIDE; i++)
		numbers[i] = i;
	good(nc_put_var_int(file, var, numbers));
	good(nc_close(file));
}

int main(int argc, char **argv)
{
	size_t sides[2] = { 0, 0 };
	int file, var, storage, right = 1;

	if (argc < 3)
		return 2;
	make(argv[2]);
	good(nc_open(argv[2], NC_NOWRITE, &file));
	good(nc_inq_varid(file, "field", &var));
	good(nc_get_var_int(file, var, numbers));
	for (int i = 0; i < SIDE * SIDE; i++)
		right &= numbers[i] == i;
	good(nc_inq_var_chunking(file, var, &storage, sides));
	good(nc_close(file));
	printf("good %d\nchunk_rows %zu\n", right, sides[0]);
	return 0;
}
