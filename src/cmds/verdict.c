/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for traces that cannot be used; with the codes to exit with. */
#include "cmds/verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int weir_verdict_refuse(const char *path, int err)
{
	switch (err) {
	case -EBADMSG:
		fprintf(stderr, "weir: %s: not a trace\n", path);
		break;
	case -ENOTSUP:
		fprintf(stderr,
			"weir: %s: made by a later version of weir; "
			"use that to read it\n",
			path);
		break;
	case -ENOMEM:
		fprintf(stderr, "weir: %s: out of memory\n", path);
		return WEIR_EXIT_INTERNAL;
	default:
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
	}
	return WEIR_EXIT_REFUSED;
}

int weir_verdict_refuse_output(const char *path, int err)
{
	if (err == -EEXIST) {
		fprintf(stderr,
			"weir: %s is already there: name another "
			"place, or remove it first\n",
			path);
		return WEIR_EXIT_USAGE;
	}
	fprintf(stderr, "weir: cannot write %s: %s\n", path, strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

void weir_verdict_tell(const char *what, uint64_t count)
{
	if (count)
		fprintf(stderr, "weir: %s: %" PRIu64 "\n", what, count);
}
