/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs gnuplot, which draws into a file. */
#ifndef WEIR_OUTPUT_GNUPLOT_H
#define WEIR_OUTPUT_GNUPLOT_H

#include "base/text.h"

#include <stddef.h>
#include <sys/types.h>

struct weir_gnuplot {
	struct weir_text in; /* what it is told, by who wants a picture */
	pid_t pid;
};

enum weir_gnuplot_form { WEIR_GNUPLOT_SVG, WEIR_GNUPLOT_PNG };

/*
 * Starts it, without any settings of the user, its output going to `fd`. No
 * shell is between. 0; -ENOENT: there is none; -errno.
 */
int weir_gnuplot_start(struct weir_gnuplot *gnuplot,
		       enum weir_gnuplot_form form, int fd);

/* Waits until the picture is there. 0; -EPROTO: it could not be drawn. */
int weir_gnuplot_finish(struct weir_gnuplot *gnuplot);

/* Any bytes as a string that means nothing but itself. */
void weir_gnuplot_string(struct weir_text *in, const void *bytes, size_t len);

#endif
