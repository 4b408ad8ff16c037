/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes, and words for traces that cannot be used. */
#ifndef WEIR_CMDS_VERDICT_H
#define WEIR_CMDS_VERDICT_H

#include <stdint.h>

enum weir_verdict {
	WEIR_VERDICT_INTERNAL = 1,
	WEIR_VERDICT_USAGE = 2,
	WEIR_VERDICT_DAMAGED = 4,
	WEIR_VERDICT_REFUSED = 5,
};

/* Says on stderr why a trace cannot be used, and returns what to exit with. */
int weir_verdict_refuse(const char *path, int err);

/* The same of a place to write to. */
int weir_verdict_refuse_output(const char *path, int err);

/* "weir: WHAT: COUNT" on stderr; nothing when there are none. */
void weir_verdict_tell(const char *what, uint64_t count);

#endif
