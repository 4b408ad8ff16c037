/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report: sum up what was recorded, by file and process. */
#include "analyse/totals.h"
#include "base/options.h"
#include "cmds/verdict.h"
#include "report/as_json.h"
#include "report/as_screen.h"
#include "spec/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
	const char *path;
	bool as_json;
	uint64_t top;
	struct weir_totals_filter filter;
};

static int print(const struct request *request,
		 const struct weir_totals *totals,
		 const struct weir_reader *reader)
{
	struct weir_text out;
	int flushed, err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (request->as_json)
		err = weir_as_json_write(&out, totals, reader);
	else
		err = weir_as_screen_write(&out, totals, reader,
					   request->top);
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

static int report(const struct request *request)
{
	struct weir_totals totals = { 0 };
	struct weir_reader *reader;
	int damaged, err = weir_reader_open(request->path, &reader);

	if (err)
		return weir_verdict_refuse(request->path, err);
	err = weir_totals_gather(&totals, reader, &request->filter);
	err = err ? err : print(request, &totals, reader);
	damaged = weir_reader_is_damaged(reader);
	weir_totals_fini(&totals);
	weir_reader_close(reader);
	if (err) {
		fprintf(stderr, "weir: %s: %s\n", request->path,
			strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (!damaged)
		return 0;
	fprintf(stderr, "weir: %s: damaged; what is whole was read\n",
		request->path);
	return WEIR_EXIT_DAMAGED;
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
	request.as_json = weir_options_choice(&o, WEIR_REPORT_FORMAT) == 1;
	request.top = weir_options_number(&o, WEIR_REPORT_TOP);
	request.filter.process = weir_options_text(&o, WEIR_REPORT_PROCESS);
	request.filter.file = weir_options_text(&o, WEIR_REPORT_FILE);
	status = report(&request);
	weir_options_fini(&o);
	return status;
}
