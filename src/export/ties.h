/* SPDX-License-Identifier: BSD-3-Clause */
/* Work for other processes: what is to come, and where it belongs. */
#ifndef WEIR_EXPORT_TIES_H
#define WEIR_EXPORT_TIES_H

#include "export/grove.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the call of this `cid' has come, and more is to come for it. */
bool weir_ties_has(const struct weir_grove *grove, uint64_t cid);

/* Below which line of another process a call stands; NULL: none. */
struct weir_grove_line *weir_ties_host(const struct weir_grove *grove,
				       const struct weir_grove_call *call);

/* Notes what is to come for a line that was added. 0 or -ENOMEM. */
int weir_ties_add(struct weir_grove *grove, struct weir_grove_line *line,
		  const struct weir_grove_call *call);

/* The line is shown: what is done for it comes too late. */
void weir_ties_leave(struct weir_grove_line *line);

void weir_ties_fini(struct weir_grove *grove);

#endif
