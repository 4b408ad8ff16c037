/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report: where the time of a run went, and what would save some. */
#include "analyse/findings.h"
#include "base/options.h"
#include "cmds/verdict.h"
#include "export/evidence.h"
#include "report/as_json.h"
#include "report/as_screen.h"
#include "spec/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
	const char *path;
	bool as_json, details;
	uint64_t top;
	enum weir_level fail_on;
	struct weir_sights_filter filter;
};

static int print(const struct request *request,
		 const struct weir_runfacts *facts,
		 const struct weir_findings *findings,
		 const struct weir_reader *reader)
{
	const struct weir_as_screen screen = {
		.facts = facts, .findings = findings, .reader = reader,
		.top = request->top, .details = request->details,
	};
	struct weir_text out;
	int flushed, err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (request->as_json)
		err = weir_as_json_write(&out, facts, findings, reader);
	else
		err = weir_as_screen_write(&out, &screen);
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

static int report(const struct request *request)
{
	struct weir_findings findings = { 0 };
	struct weir_runfacts facts = { 0 };
	struct weir_reader *reader;
	enum weir_level level;
	int damaged, err = weir_reader_open(request->path, &reader);

	if (err)
		return weir_verdict_refuse(request->path, err);
	err = weir_runfacts_gather(&facts, reader, &request->filter, 0);
	err = err ? err : weir_findings_conclude(&facts, &findings);
	if (!err && facts.has_sites)
		err = weir_evidence_locate(request->path, &findings);
	err = err ? err : print(request, &facts, &findings, reader);
	damaged = weir_reader_is_damaged(reader);
	level = weir_findings_level(&findings);
	weir_findings_fini(&findings);
	weir_runfacts_fini(&facts);
	weir_reader_close(reader);
	if (err) {
		fprintf(stderr, "weir: %s: %s\n", request->path,
			strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (damaged) {
		fprintf(stderr, "weir: %s: damaged; what is whole was read\n",
			request->path);
		return WEIR_EXIT_DAMAGED;
	}
	return request->fail_on && level >= request->fail_on ?
		       WEIR_EXIT_FOUND : 0;
}

int weir_cmd_report(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_REPORT];
	struct request request = { 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	request.path = o.operands[0];
	request.as_json = weir_options_choice(&o, WEIR_REPORT_FORMAT) == 1 ||
			  weir_options_flag(&o, WEIR_REPORT_JSON);
	request.details = weir_options_flag(&o, WEIR_REPORT_DETAILS);
	request.fail_on = (enum weir_level)weir_options_choice(
		&o, WEIR_REPORT_FAIL_ON);
	request.top = weir_options_number(&o, WEIR_REPORT_TOP);
	request.filter.process = weir_options_text(&o, WEIR_REPORT_PROCESS);
	request.filter.file = weir_options_text(&o, WEIR_REPORT_FILE);
	status = report(&request);
	weir_options_fini(&o);
	return status;
}
