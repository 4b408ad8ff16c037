/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the errors by which calls fail, as each layer numbers them. */
#ifndef WEIR_QUERY_ERRORNAMES_H
#define WEIR_QUERY_ERRORNAMES_H

#include <stdint.h>

#define WEIR_ERRORNAMES_ROOM 48

/* ENOENT, MPI_ERR_IO; the number of one that has no name, 0 for success. */
const char *weir_errornames_of(const char *layer, int32_t error,
			       char room[WEIR_ERRORNAMES_ROOM]);

#endif
