/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of calls in the picture of a run: by all but time. */
#ifndef WEIR_ANALYSE_SCAPESUM_H
#define WEIR_ANALYSE_SCAPESUM_H

#include "analyse/row.h"
#include "analyse/scapetake.h"

/* Sums of calls on a file of the outline, of which nobody knows when. */
int weir_scapesum_add(struct weir_scapetake *take, uint32_t proc, uint32_t file,
		      const struct weir_row *row);

#endif
