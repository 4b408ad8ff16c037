/* SPDX-License-Identifier: BSD-3-Clause */
/* NetCDF-4 writes by HDF5: usage: netcdf LIST */
#include "tell.h"

#include <netcdf.h>
#include <stdio.h>

static double numbers[200];

int main(int argc, char **argv)
{
	size_t start[] = { 2, 0 }, count[] = { 3, 20 };
	int file, dims[2], variable, bad = argc != 2;

	if (bad)
		return 2;
	tell_start(argv[1]);
	bad |= nc_create("n.nc", NC_NETCDF4 | NC_CLOBBER, &file);
	tell("H5Fcreate", "n.nc", 0, NULL);
	bad |= nc_def_dim(file, "y", 10, &dims[0]);
	bad |= nc_def_dim(file, "x", 20, &dims[1]);
	bad |= nc_def_var(file, "heat", NC_DOUBLE, 2, dims, &variable);
	bad |= nc_enddef(file);
	tell("H5Dcreate2", "n.nc:/heat", 0, NULL);
	bad |= nc_put_var_double(file, variable, numbers);
	tell("H5Dwrite", "n.nc:/heat", 1600,
	     "\"shape\":\"10x20\",\"extent\":\"0+10,0+20\"");
	bad |= nc_put_vara_double(file, variable, start, count, numbers);
	tell("H5Dwrite", "n.nc:/heat", 480, "\"extent\":\"2+3,0+20\"");
	bad |= nc_get_vara_double(file, variable, start, count, numbers);
	tell("H5Dread", "n.nc:/heat", 480, NULL);
	bad |= nc_close(file);
	tell("H5Dclose", "n.nc:/heat", 0, NULL);
	tell("H5Fclose", "n.nc", 0, NULL);
	tell_end();
	printf("bad: %d\n", bad);
	return bad != 0;
}
