/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells at the end of a run what would save most. */
#include "cmds/run_advice.h"

#include "analyse/findings/findings.h"
#include "report/as_advice.h"

#include <unistd.h>

/*
 * Nobody should wait for advice: as many events are judged within 0.3 s on a
 * slow machine, and the time of more is not known beforehand.
 */
#define MOST_EVENTS UINT64_C(1000000)

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

/* What cannot be read is for weir report to say. */
void weir_run_advice_tell(const char *trace, uint64_t events)
{
	const struct weir_callviews_filter all = { 0 };
	struct weir_findings findings = { 0 };
	struct weir_runfacts facts = { 0 };
	struct weir_reader *reader;

	if (events > MOST_EVENTS || weir_reader_open(trace, &reader))
		return;
	if (!weir_runfacts_gather(&facts, reader, &all, 0) &&
	    !weir_findings_conclude(&facts, &findings))
		print_advice(&findings);
	weir_findings_fini(&findings);
	weir_runfacts_fini(&facts);
	weir_reader_close(reader);
}
