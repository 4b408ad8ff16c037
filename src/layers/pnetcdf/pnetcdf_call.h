/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what all roles of PnetCDF's calls have in common. */
#ifndef WEIR_PNETCDF_PNETCDF_CALL_H
#define WEIR_PNETCDF_PNETCDF_CALL_H

#include "layers/pnetcdf/pnetcdf.h"
#include "layers/pnetcdf/pnetcdf_file.h"

/*
 * Begin a call on a variable of args->ncid, or with `varid` below 0 on the
 * file, and number it if it is collective. False: it is passed on.
 */
bool weir_pnetcdf_call_begin(struct weir_layer *on,
			     struct weir_pnetcdf_args *args, int varid);

/* The call is over: the error as a positive number, or how many bytes. */
void weir_pnetcdf_call_result(struct weir_layer *on, uint64_t bytes);

/* The variable of the call, whose handle it is on from now on; or NULL. */
const struct weir_pnetcdf_var *
weir_pnetcdf_call_var(struct weir_layer *on,
		      const struct weir_pnetcdf_args *args);

/* A text to tell: of a call that failed it may be anywhere. */
const char *weir_pnetcdf_call_text(const struct weir_layer *on,
				   const char *text);

#endif
