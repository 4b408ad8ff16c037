/* SPDX-License-Identifier: BSD-3-Clause */
/* PnetCDF: variables of which rows are left out. */
#include "sweep.h"

#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

enum { ROWS = 24, COLUMNS = 40, VARIABLES = 3 };

struct grid {
	int file, vars[VARIABLES];
};

static void define(struct sweep *sweep, struct grid *g, const char *path)
{
	int dims[2];

	sweep_hold(sweep, !ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER,
					MPI_INFO_NULL, &g->file),
		   "PnetCDF makes a file");
	ncmpi_def_dim(g->file, "row", NC_UNLIMITED, &dims[0]);
	ncmpi_def_dim(g->file, "column", COLUMNS, &dims[1]);
	ncmpi_def_var(g->file, "records", NC_DOUBLE, 2, dims, &g->vars[0]);
	ncmpi_def_dim(g->file, "fixed", ROWS, &dims[0]);
	ncmpi_def_var(g->file, "floats", NC_FLOAT, 2, dims, &g->vars[1]);
	ncmpi_def_var(g->file, "ints", NC_INT, 2, dims, &g->vars[2]);
	ncmpi_put_att_text(g->file, NC_GLOBAL, "title", 5, "sweep");
	sweep_hold(sweep, !ncmpi_enddef(g->file), "definitions are taken");
}

/* Rows go round among the ranks and nobody. */
static void write_rows(struct sweep *sweep, const struct grid *g, int var,
		       bool together)
{
	MPI_Offset start[2] = { sweep->rank, 0 };
	MPI_Offset count[2] = { ROWS / (sweep->ranks + 1), COLUMNS };
	MPI_Offset stride[2] = { sweep->ranks + 1, 1 };
	double values[ROWS * COLUMNS];

	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		values[i] = sweep_value(sweep->rank, i);
	if (together) {
		ncmpi_put_vars_double_all(g->file, var, start, count, stride,
					  values);
		return;
	}
	ncmpi_begin_indep_data(g->file);
	for (MPI_Offset i = 0, rows = count[0]; i < rows; i++) {
		count[0] = 1;
		ncmpi_put_vara_double(g->file, var, start, count,
				      values + i * COLUMNS);
		start[0] += stride[0];
	}
	ncmpi_end_indep_data(g->file);
}

static void read_rows(struct sweep *sweep, const struct grid *g)
{
	double values[ROWS * COLUMNS] = { 0 };
	MPI_Offset start[2] = { sweep->rank, 0 };
	MPI_Offset count[2] = { ROWS / (sweep->ranks + 1), COLUMNS };
	MPI_Offset stride[2] = { sweep->ranks + 1, 1 };
	size_t many = (size_t)(count[0] * COLUMNS);

	ncmpi_get_vars_double_all(g->file, g->vars[1], start, count, stride,
				  values);
	for (size_t i = 0; i < many; i++)
		sweep_hold(sweep, values[i] == sweep_value(sweep->rank, i),
			   "PnetCDF reads what was written");
}

void sweep_pnetcdf(struct sweep *sweep)
{
	char path[4096];
	struct grid g;

	define(sweep, &g, sweep_path(sweep, "grid.nc", path));
	for (int i = 0; i < VARIABLES; i++)
		write_rows(sweep, &g, g.vars[i], !sweep->plain && i != 2);
	ncmpi_close(g.file);
	ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &g.file);
	read_rows(sweep, &g);
	ncmpi_close(g.file);
}
