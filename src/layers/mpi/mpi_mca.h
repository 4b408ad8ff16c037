/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the variables of Open MPI (OMPI_MCA_...) in this process. */
#ifndef WEIR_MPI_MPI_MCA_H
#define WEIR_MPI_MPI_MCA_H

#include "layers/mpi/mpi.h"

/*
 * Open MPI is asked where it keeps them, by functions of its own that do
 * nothing but look. MPI_T would do for any MPI; but its beginning loads every
 * component that there is, some sixty files, in the midst of the program.
 */

/* A variable that is there while OMPIO is. */
#define WEIR_MPI_MCA_OMPIO_SIGN "io_ompio_num_aggregators"

enum weir_mpi_mca {
	WEIR_MPI_MCA_THERE,
	WEIR_MPI_MCA_NOT_THERE, /* or of a component that is not used */
	WEIR_MPI_MCA_UNKNOWN,	/* nobody can be asked */
};

enum weir_mpi_mca weir_mpi_mca_look(const char *name, const void *from);

/*
 * Once a process, after a file was opened: whether the variables that the
 * launcher set for a plan are what they were set to.
 */
bool weir_mpi_mca_is_due(void);
void weir_mpi_mca_tell(struct weir_layer *on, const struct weir_mpi_args *args);

#endif
