/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells who started a service that it has begun, and how it ended. */
#ifndef WEIR_DAEMON_STARTNOTICE_H
#define WEIR_DAEMON_STARTNOTICE_H

#include <stdint.h>
#include <stdio.h>

struct weir_startnotice {
	int32_t err;	   /* 0 or -errno */
	uint32_t unstored; /* entries of the ledger that were not stored */
	uint32_t sessions; /* that are in use still; the service goes on */
	uint32_t restarts; /* daemons that ended before their time */
	uint32_t size;	   /* of the text that follows, for people */
	/* since its start: what programs wrote, and what it became */
	uint64_t requests_in, bytes_in, requests_out, bytes_out;
	uint64_t bypassed; /* files that were left to the kernel */
	uint64_t materialised, materialised_bytes; /* that were created late */
	uint64_t never_created, never_created_bytes; /* and not at all */
};

/* What there is to tell is in the state. */
void weir_startnotice_tell(int fd, int err, uint32_t sessions);

/* The next one; its text goes to `out` (NULL: nowhere). 0 or -EPIPE. */
int weir_startnotice_read(int fd, struct weir_startnotice *ret_notice,
			  FILE *out);

#endif
