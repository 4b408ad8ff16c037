/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types of PnetCDF's calls, and their roles: before the call (false: it
 * is passed on and not recorded) and after it, before its record is written.
 * Roles fill in what the rows of spec/pnetcdf.calls tell beside the arguments.
 */
#ifndef WEIR_PNETCDF_PNETCDF_H
#define WEIR_PNETCDF_PNETCDF_H

#include "capture/layer.h"
#include "layers/pnetcdf/pnetcdf_select.h"
#include "layers/storage.h"

/* Elements in memory, as their calls are named; spec/gen/families.py. */
enum weir_pnetcdf_element {
	WEIR_PNETCDF_FLEXIBLE, /* told by an MPI datatype */
	WEIR_PNETCDF_TEXT,
	WEIR_PNETCDF_SCHAR,
	WEIR_PNETCDF_UCHAR,
	WEIR_PNETCDF_SHORT,
	WEIR_PNETCDF_USHORT,
	WEIR_PNETCDF_INT,
	WEIR_PNETCDF_UINT,
	WEIR_PNETCDF_LONG,
	WEIR_PNETCDF_FLOAT,
	WEIR_PNETCDF_DOUBLE,
	WEIR_PNETCDF_LONGLONG,
	WEIR_PNETCDF_ULONGLONG,
};

/* How a call says what part of a variable it takes. */
enum weir_pnetcdf_part {
	WEIR_PNETCDF_WHOLE,
	WEIR_PNETCDF_BOX,     /* start, count (none: one element), stride */
	WEIR_PNETCDF_BOXES,   /* several, each with start and count */
	WEIR_PNETCDF_BY_TYPE, /* an MPI datatype over the file */
};

#define WEIR_PNETCDF_CHAR 2 /* NC_CHAR: the type of text in files */

/* Members by the kinds of spec/kinds; the rest is the roles' own. */
struct weir_pnetcdf_args {
	uint16_t call;
	bool collective;
	bool writes;
	bool has_runs;
	bool adjusted; /* keys of a plan are in `info`, a copy of own_info */
	int ncid, varid, ncid2, varid2, dim;
	int mode, xtype, num;
	enum weir_pnetcdf_element element;
	enum weir_pnetcdf_part shape;
	const void *from;   /* where the call came from */
	const void *frame;  /* of the wrapper */
	const void *caller; /* of it */
	long info, own_info;
	uint64_t kept, refused; /* settings, a bit each */
	long comm, filetype, length, room;
	const char *path, *name, *newname, *extent;
	int *opened, *req, *reqs, *statuses;
	const int *varids;
	const long *start, *count, *stride;
	const void *starts, *counts, *strides; /* rows of long */
	uint64_t coll, seq, id, elements, runs, found;
	struct weir_storage on; /* what the file lies on */
	int own_req;	  /* stands in for a request the caller leaves out */
	uint32_t waiting; /* the first request of a wait */
	char spelled[WEIR_PNETCDF_SPELLED];
};

#define WEIR_PNETCDF_ROLE(role)                                                \
	bool weir_pnetcdf_##role##_before(struct weir_layer *on,               \
					  struct weir_pnetcdf_args *args);     \
	void weir_pnetcdf_##role##_after(struct weir_layer *on,                \
					 struct weir_pnetcdf_args *args)

WEIR_PNETCDF_ROLE(open);
WEIR_PNETCDF_ROLE(close);
WEIR_PNETCDF_ROLE(file);      /* something of the file as a whole */
WEIR_PNETCDF_ROLE(name);      /* of a file that is not open */
WEIR_PNETCDF_ROLE(object);    /* of a variable, or of the file */
WEIR_PNETCDF_ROLE(rename);    /* the variable has a new name after it */
WEIR_PNETCDF_ROLE(attribute); /* the value of an attribute */
WEIR_PNETCDF_ROLE(fill);      /* one record of a variable */
WEIR_PNETCDF_ROLE(transfer);
WEIR_PNETCDF_ROLE(several); /* variables in one call */
WEIR_PNETCDF_ROLE(submit);
WEIR_PNETCDF_ROLE(wait);

/* A station of a plan; see `adjust` in spec/README.md. */
void weir_pnetcdf_adjust_open_before(struct weir_pnetcdf_args *args);
bool weir_pnetcdf_adjust_open_again(struct weir_pnetcdf_args *args);
void weir_pnetcdf_adjust_open_after(struct weir_layer *on,
				    struct weir_pnetcdf_args *args, long ret);

/* What a call returns when the library is not there: NC_ENOTNC. */
int weir_pnetcdf_missing(void);

#endif
