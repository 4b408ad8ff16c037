/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples some of a file's blocks of events. */
#ifndef WEIR_SHARE_LOOK_H
#define WEIR_SHARE_LOOK_H

#include <stdint.h>

#define WEIR_LOOK_LAYERS 16

/* How many calls of each layer were seen, and what they moved. Zero it. */
struct weir_look {
	uint64_t rows, calls, failed;	    /* rows: notes too */
	uint64_t unreturned; /* of the calls: they were under way */
	uint64_t bytes_read, bytes_written; /* by calls that wait for it, */
	uint64_t inner; /* which are no calls but parts of some */
	struct weir_look_layer {
		char name[24];
		uint64_t calls;
	} layers[WEIR_LOOK_LAYERS];
	uint32_t layer_count;
	uint64_t blocks; /* there were, looked into or not */
};

/* Adds what is seen in every n-th block of all packed files so far. */
int weir_look_file(struct weir_look *sample, int fd, uint64_t every);

#endif
