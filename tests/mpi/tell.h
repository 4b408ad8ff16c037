/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what must be recorded of an MPI program: a line of JSON a call. */
#ifndef TESTS_MPI_TELL_H
#define TESTS_MPI_TELL_H

#define NOWHERE (-1) /* the offset cannot be known */

struct told {
	const char *call;
	long size;
	long off;
	long ret;     /* -1: it fails */
	int together; /* all ranks make the call together */
	int child;    /* it is told below the call before it */
};

/* Lines go to the file NAME.RANK; without NAME nowhere. */
void tell_begin(const char *name, int rank);
void tell(struct told told);
void tell_end(void);

/* A call on a file that moves nothing and works. */
void tell_plain(const char *call);
void tell_together(const char *call);

/* What the program saw, for a comparison with itself: on standard output. */
void saw(const char *what, const void *bytes, unsigned long len);

#endif
