/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what to try about a finding: a command, and the plan that it wants. */
#ifndef WEIR_REPORT_AS_REMEDY_H
#define WEIR_REPORT_AS_REMEDY_H

#include "analyse/findings/findings.h"
#include "base/text.h"

/* The command, to paste into a shell; nothing where there is none. */
void weir_as_remedy_command(struct weir_text *out,
			    const struct weir_findings *findings,
			    const struct weir_finding *finding);

/* The plan as XML, in one line; nothing where none is wanted. */
void weir_as_remedy_plan(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_finding *finding);

/* `,"try":"...","plan":"..."`: both, empty where there is none. */
void weir_as_remedy_json(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_finding *finding);

/*
 * Writes the plans into the directory of the trace: try-RULE.xml. What cannot
 * be written is left out: its finding says so by `remedy.is_kept`.
 */
void weir_as_remedy_keep(const struct weir_runfacts *facts,
			 struct weir_findings *findings);

#endif
