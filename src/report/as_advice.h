/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes findings in words, with their evidence. */
#ifndef WEIR_REPORT_AS_ADVICE_H
#define WEIR_REPORT_AS_ADVICE_H

#include "analyse/findings/findings.h"
#include "base/text.h"

/* How much is said of them. */
struct weir_as_advice_form {
	uint64_t listed; /* of more it is told how many there are */
	uint64_t whole;	 /* of the first: what it is, on which file, a remedy */
	int is_short;	 /* of these: not how it is known, nor which calls */
};

void weir_as_advice_text(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_as_advice_form *form);

/* The first of them in two lines each, as the end of a run has room for. */
void weir_as_advice_brief(struct weir_text *out,
			  const struct weir_findings *findings, size_t most);

/* `,"findings":[...]`: all of them. */
void weir_as_advice_json(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings);

#endif
