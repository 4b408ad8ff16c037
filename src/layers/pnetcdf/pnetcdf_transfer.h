/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how much of a variable a call takes. */
#ifndef WEIR_PNETCDF_PNETCDF_TRANSFER_H
#define WEIR_PNETCDF_PNETCDF_TRANSFER_H

#include "layers/pnetcdf/pnetcdf.h"
#include "layers/pnetcdf/pnetcdf_file.h"

/*
 * After the call: find the variable, and tell which part of it the call takes
 * and how many bytes of the file that is. Returns it, or NULL.
 */
const struct weir_pnetcdf_var *
weir_pnetcdf_transfer_tell(struct weir_layer *on,
			   struct weir_pnetcdf_args *args);

/* One part of a variable, added to what was selected of others. */
void weir_pnetcdf_transfer_add(const struct weir_pnetcdf_args *args,
			       const struct weir_pnetcdf_var *var,
			       struct weir_pnetcdf_select *sel);

#endif
