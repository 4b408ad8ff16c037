/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the processes that were killed or crashed, as JSON. */
#ifndef WEIR_REPORT_AS_ENDING_H
#define WEIR_REPORT_AS_ENDING_H

#include "analyse/view/who.h"
#include "base/text.h"

/* Members of JSON: all of them, and how one process ended. */
void weir_as_ending_json(struct weir_text *out,
			 const struct weir_reader *reader);
void weir_as_ending_members(struct weir_text *out,
			    const struct weir_procinfo *process);

#endif
