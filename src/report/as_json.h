/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes all totals as one JSON object. */
#ifndef WEIR_REPORT_AS_JSON_H
#define WEIR_REPORT_AS_JSON_H

#include "analyse/findings/findings.h"
#include "base/text.h"

#include <stddef.h>

/* 0 or -ENOMEM; what cannot be written is told by the text's flush. */
int weir_as_json_write(struct weir_text *out, const struct weir_runfacts *facts,
		       const struct weir_findings *findings,
		       const struct weir_reader *reader);

/* The same with at most so many files and processes, the first of them. */
int weir_as_json_write_part(struct weir_text *out,
			    const struct weir_runfacts *facts,
			    const struct weir_findings *findings,
			    const struct weir_reader *reader, size_t most);

#endif
