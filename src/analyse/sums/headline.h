/* SPDX-License-Identifier: BSD-3-Clause */
/* The few figures of a run that every screen shows, so that they agree. */
#ifndef WEIR_SUMS_HEADLINE_H
#define WEIR_SUMS_HEADLINE_H

#include "analyse/sums/totals.h"

#include <stdint.h>

/* Times are nanoseconds, amounts bytes. */
struct weir_headline {
	uint64_t calls, failed, timed; /* of all layers, returned */
	uint64_t read, written, copied; /* by the system; each byte once */
	uint64_t files;	   /* without the next two */
	uint64_t objects;  /* in files, as datasets of HDF5 are */
	uint64_t channels; /* pipes, sockets, terminals */
	uint64_t span;	   /* from the first call to the last */
	struct weir_headline_part {
		uint64_t time;
		uint32_t proc; /* whose it is; 0: nobody's */
		uint64_t calls, read, written; /* of all processes */
	} parts[WEIR_IOTIME_PARTS];
};

struct weir_headline weir_headline_of(const struct weir_totals *totals);

/* How a part is called, for people and in JSON. */
const char *weir_headline_title(enum weir_iotime_part part);
const char *weir_headline_key(enum weir_iotime_part part);

#endif
