/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over a whole trace: all that a report tells. */
#ifndef WEIR_SUMS_TOTALS_H
#define WEIR_SUMS_TOTALS_H

#include "analyse/calls/callclass.h"
#include "analyse/calls/iotime.h"
#include "analyse/sums/ledger.h"
#include "analyse/sums/stock.h"
#include "trace/event/names.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* Zero it to begin. Times are nanoseconds, moments of CLOCK_REALTIME. */
struct weir_totals {
	struct weir_names names;
	struct weir_stock files;      /* by number of the name; 0: no file */
	struct weir_ledger processes; /* by number in the trace */
	struct weir_row others; /* of files without a row */
	uint64_t folded; /* those files: of profiles, of each process */
	struct weir_row total;
	struct weir_iotime times; /* of processes and layers */
	const struct weir_call **calls; /* by id; NULL: not known */
	uint8_t *classes;		/* by id */
	uint64_t submitted, completed; /* asynchronous operations */
	uint64_t entered;   /* calls that never returned, not in the sums */
	struct weir_row unreturned; /* which calls these are */
	uint64_t behind;    /* no calls: WEIR_CALLVIEW_BEHIND */
	uint64_t threads;   /* without those of signal handlers */
	int has_sums;	    /* not every call was recorded by itself */
	int is_untimed;	    /* nobody knows how long calls of rings took */
	struct weir_reader_losses losses;
};

void weir_totals_fini(struct weir_totals *totals);

/* The sum of a row's calls of one class. */
struct weir_cell weir_totals_sum(const struct weir_totals *totals,
				   const struct weir_row *row,
				   enum weir_callclass class);

/*
 * Calls on pipes and the like, which wait for others, apart from all others.
 * 0 or -ENOMEM; both rows are to be given back.
 */
int weir_totals_apart(const struct weir_totals *totals,
		      struct weir_row *ret_others, struct weir_row *ret_waits);

/* Whether a row is of an object in a file, as datasets of HDF5 are. */
int weir_totals_is_object(const struct weir_totals *totals,
			  const struct weir_row *row);

/* A row in a few figures. */
struct weir_digest {
	const struct weir_row *row;
	uint64_t calls, failed; /* of the application */
	uint64_t read, written; /* by its calls on descriptors and streams */
	uint64_t time, timed, longest;
};

struct weir_digest weir_totals_digest(const struct weir_totals *totals,
					const struct weir_row *row);

/* The same of the calls of one layer alone. */
struct weir_digest
weir_totals_layer_digest(const struct weir_totals *totals,
			   const struct weir_row *row, const char *layer);

/* Layers that have calls, from 0 on; NULL after the last. */
const char *weir_totals_layer(const struct weir_totals *totals,
				unsigned number);

enum weir_totals_order {
	WEIR_ORDER_TIME,
	WEIR_ORDER_BYTES,
	WEIR_ORDER_KEY,
};

/* Digests of all processes, the most first; to be freed. */
int weir_totals_sort(const struct weir_totals *totals,
		       enum weir_totals_order order,
		       struct weir_digest **ret_digests);

/* Numbers of all rows of files, the most first; to be freed. */
int weir_totals_sort_files(const struct weir_totals *totals,
			   enum weir_totals_order order,
			   uint32_t **ret_numbers);

#endif
