/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the places in a program where all ranks make the same transfers. */
#ifndef WEIR_PROOF_PROVESITES_H
#define WEIR_PROOF_PROVESITES_H

#include "analyse/proof/provesteps.h"

/* What a trace, recorded with --backtrace, proves. */
struct weir_provesites {
	struct weir_provesteps steps; /* sites that are not bad are proven */
	uint32_t ranks;	 /* that share each file; 0: nothing is proven */
	uint32_t proven; /* sites */
	uint32_t job;	 /* ranks of the job */
	char why[512];	 /* of the first that is not; "": all are */
};

/*
 * Transfers from a place may become collective when, in all files that are
 * shared, all ranks make the same of them, in one order with whatever else
 * they do together, and when no message or collective call of MPI begins
 * before one of them and ends behind it (doc/plan-run.md). 0, -errno as of
 * weir_reader_open(); fini comes after success.
 */
int weir_provesites_find(struct weir_provesites *all, const char *trace,
			 const struct weir_provesteps_filter *filter);
void weir_provesites_fini(struct weir_provesites *all);

#endif
