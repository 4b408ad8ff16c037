/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the functions of PnetCDF and MPI that we need; none does I/O. */
#include "layers/pnetcdf/pnetcdf_library.h"

#include "layers/layers.h"

#define MPICH_NULL_TYPE 0x0c000000

enum asked {
	INQ_ATT,
	INQ_DIMLEN,
	INQ_LIBVERS,
	INQ_PATH,
	INQ_UNLIMDIM,
	INQ_VAR,
	INQ_VARDIMID,
	TYPE_SIZE,
};

/* Found once for each who calls. */
static const char *const symbols[] = {
	[INQ_ATT] = "ncmpi_inq_att",
	[INQ_DIMLEN] = "ncmpi_inq_dimlen",
	[INQ_LIBVERS] = "ncmpi_inq_libvers",
	[INQ_PATH] = "ncmpi_inq_path",
	[INQ_UNLIMDIM] = "ncmpi_inq_unlimdim",
	[INQ_VAR] = "ncmpi_inq_var",
	[INQ_VARDIMID] = "ncmpi_inq_vardimid",
	[TYPE_SIZE] = "PMPI_Type_size",
};

static struct weir_layers_slot slots[sizeof(symbols) / sizeof(*symbols)];

static void *ask_function(const void *from, enum asked what)
{
	return weir_layers_next(&slots[what], symbols[what], NULL, from);
}

unsigned int weir_pnetcdf_library_width(int xtype)
{
	/* NC_BYTE is 1 */
	static const uint8_t widths[] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 };

	return xtype > 0 && (size_t)xtype < sizeof(widths) ? widths[xtype] : 0;
}

int64_t weir_pnetcdf_library_length(const void *from, int ncid, int dim)
{
	int (*inquire)(int, int, long *) = ask_function(from, INQ_DIMLEN);
	long length = 0;

	if (!inquire || inquire(ncid, dim, &length))
		return 0;
	return length;
}

static int growing_dimension(const void *from, int ncid)
{
	int (*inquire)(int, int *) = ask_function(from, INQ_UNLIMDIM);
	int dim = -1;

	return inquire && !inquire(ncid, &dim) ? dim : -1;
}

/* Only of as many dimensions as there is room for. */
static bool describe_dims(const void *from, int ncid, int varid,
			  struct weir_pnetcdf_described *ret)
{
	int (*inquire)(int, int, int *) = ask_function(from, INQ_VARDIMID);
	int dims[WEIR_PNETCDF_DIMS];
	int grows = growing_dimension(from, ncid);

	if (!inquire || inquire(ncid, varid, dims))
		return false;
	for (int d = 0; d < ret->shape.rank; d++)
		ret->shape.dims[d] =
			weir_pnetcdf_library_length(from, ncid, dims[d]);
	ret->shape.record = ret->shape.rank && grows >= 0 && dims[0] == grows;
	ret->growing = ret->shape.record ? grows : -1;
	return true;
}

bool weir_pnetcdf_library_describe(const void *from, int ncid, int varid,
				   struct weir_pnetcdf_described *ret)
{
	int (*inquire)(int, int, char *, int *, int *, int *, int *) =
		ask_function(from, INQ_VAR);

	*ret = (struct weir_pnetcdf_described){ .growing = -1 };
	if (!inquire || varid < 0 ||
	    inquire(ncid, varid, ret->name, &ret->xtype, &ret->shape.rank, NULL,
		    NULL))
		return false;
	return ret->shape.rank > WEIR_PNETCDF_DIMS ||
	       describe_dims(from, ncid, varid, ret);
}

uint64_t weir_pnetcdf_library_attribute(const void *from, int ncid, int varid,
					const char *name)
{
	int (*inquire)(int, int, const char *, int *, long *) =
		ask_function(from, INQ_ATT);
	long length = 0;
	int xtype;

	if (!inquire || inquire(ncid, varid, name, &xtype, &length) ||
	    length < 0)
		return 0;
	return weir_pnetcdf_library_width(xtype) * (uint64_t)length;
}

bool weir_pnetcdf_library_path(const void *from, int ncid, char *ret_path,
			       size_t room)
{
	int (*inquire)(int, int *, char *) = ask_function(from, INQ_PATH);
	int length;

	if (!inquire || inquire(ncid, &length, NULL) || length < 0 ||
	    (size_t)length >= room)
		return false;
	return !inquire(ncid, NULL, ret_path);
}

static bool is_null_type(const void *from, long type)
{
	const void *null = weir_layers_object("ompi_mpi_datatype_null", from);

	return null ? type == (long)null : (int)type == MPICH_NULL_TYPE;
}

uint64_t weir_pnetcdf_library_bytes(const void *from, long type)
{
	int (*inquire)(long, int *) = ask_function(from, TYPE_SIZE);
	int bytes = 0;

	if (!inquire || is_null_type(from, type) || inquire(type, &bytes) ||
	    bytes < 0)
		return 0;
	return (uint64_t)bytes;
}

const char *weir_pnetcdf_library_version(const void *from)
{
	const char *(*inquire)(void) = ask_function(from, INQ_LIBVERS);

	return inquire ? inquire() : NULL;
}
