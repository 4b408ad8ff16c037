/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a trace directory, or leaves nothing behind. */
#ifndef WEIR_SHARE_OUTDIR_H
#define WEIR_SHARE_OUTDIR_H

#include <stdbool.h>
#include <stddef.h>

struct weir_outdir {
	const char *path; /* borrowed */
	bool made;	  /* it was not there before */
	char **files;	  /* made in it */
	size_t count;
};

/* Makes the directory; -EEXIST when there is something in it already. */
int weir_outdir_open(struct weir_outdir *out, const char *path);

/* What was made stays. */
void weir_outdir_close(struct weir_outdir *out);

/* What was made is removed; close comes next. */
void weir_outdir_abandon(struct weir_outdir *out);

/*
 * Makes a new file HOST.weir, or HOST.1.weir and so on when there is one.
 * Anything in the host's name that is not good in a file name becomes `_`.
 */
int weir_outdir_create(struct weir_outdir *out, const char *host, int *ret_fd);

/* The same, but another name of a file that is there. */
int weir_outdir_link(struct weir_outdir *out, const char *host,
		     const char *source);

/* An empty directory lost-PID-REASON-N, with the next N that is free. */
int weir_outdir_mark(struct weir_outdir *out, const char *name);

#endif
