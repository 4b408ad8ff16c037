/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares values of hints and variables, however they are written. */
#ifndef WEIR_MPI_MPI_VALUE_H
#define WEIR_MPI_MPI_VALUE_H

#include <stdbool.h>

/* Both say the same, in whichever way. */
bool weir_mpi_value_agree(const char *asked, const char *got);

/* 1: it is to be done; 0: it is not; -1: it says something else. */
int weir_mpi_value_switch(const char *text);

#endif
