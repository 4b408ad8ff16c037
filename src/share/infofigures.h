/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the figures of a trace from the sums that reports show. */
#ifndef WEIR_SHARE_INFOFIGURES_H
#define WEIR_SHARE_INFOFIGURES_H

#include "analyse/sums/headline.h"
#include "share/look.h"

#include <stdbool.h>

struct weir_infofigures {
	bool known; /* false: only some blocks were looked into */
	struct weir_headline headline;
	uint64_t processes, threads; /* of the program */
	uint64_t servers; /* processes of ours */
	uint64_t unreturned; /* calls that were under way */
	struct weir_look_layer layers[WEIR_LOOK_LAYERS];
	uint32_t layer_count;
};

/* Reads all of a trace. 0 or -errno; then nothing is known. */
int weir_infofigures_gather(const char *trace,
			    struct weir_infofigures *ret_figures);

#endif
