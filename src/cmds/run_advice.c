/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells at the end of a run what would save most. */
#include "cmds/run_advice.h"

#include "analyse/findings/findings.h"
#include "report/as_advice.h"

#include <unistd.h>

#define MOST_FINDINGS 2

static void print_advice(const struct weir_findings *findings)
{
	struct weir_text out;

	if (weir_text_init(&out, STDERR_FILENO))
		return;
	weir_as_advice_brief(&out, findings, MOST_FINDINGS);
	weir_text_flush(&out);
	weir_text_fini(&out);
}

void weir_run_advice_tell(const struct weir_runfacts *facts)
{
	struct weir_findings findings = { 0 };

	if (!weir_findings_conclude(facts, &findings))
		print_advice(&findings);
	weir_findings_fini(&findings);
}
