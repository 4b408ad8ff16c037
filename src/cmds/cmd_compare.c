/* SPDX-License-Identifier: BSD-3-Clause */
/* weir compare: shows what changed from one run to another. */
#include "analyse/compare/compare.h"
#include "base/giveback.h"
#include "base/number.h"
#include "base/options.h"
#include "cmds/progress.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "report/compare/compare_json.h"
#include "report/compare/compare_text.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of names of files that both traces may have together. */
#define NAMES (UINT64_C(256) << 20)

struct request {
	const char *paths[2];
	bool as_json, may_fail;
	uint64_t top, least, fail_on;
	struct weir_callviews_filter filter;
};

/* One of the two runs. */
struct subject {
	struct weir_reader *reader;
	struct weir_runfacts facts;
	struct weir_findings findings;
};

/* Two runs share the memory that one report may use. */
static int gather_run(struct subject *subject, const struct request *request)
{
	struct weir_progress progress;
	int err;

	subject->facts.runs = 2;
	subject->facts.most_rows = WEIR_STOCK_MOST / 2;
	weir_progress_begin(&progress, "reading the traces", subject->reader);
	err = weir_runfacts_gather(&subject->facts, subject->reader,
				   &request->filter, 0);
	weir_giveback_small();
	weir_progress_end(&progress);
	return err ? err : weir_findings_conclude(&subject->facts,
						  &subject->findings);
}

static int print_comparison(const struct request *request,
			    const struct weir_compare *compare)
{
	struct weir_text out;
	int err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (request->as_json)
		weir_compare_json_write(&out, compare);
	else
		weir_compare_text_write(&out, compare, request->top);
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}

/* 0, WEIR_EXIT_FOUND or -errno. */
static int compare_runs(const struct request *request,
			const struct subject subjects[2])
{
	struct weir_compare compare = { 0 };
	struct weir_compare_run runs[2];
	int err, grew;

	for (int i = 0; i < 2; i++)
		runs[i] = (struct weir_compare_run){
			request->paths[i], subjects[i].reader,
			&subjects[i].facts, &subjects[i].findings
		};
	err = weir_compare_make(&compare, runs, request->least);
	err = err ? err : print_comparison(request, &compare);
	grew = !err && request->may_fail &&
	       weir_comparison_grew(&compare, request->fail_on);
	weir_compare_fini(&compare);
	return grew ? WEIR_EXIT_FOUND : err;
}

/* What to exit with; both are open. */
static int compare_opened(const struct request *request,
			  struct subject subjects[2])
{
	const char *what = request->paths[0];
	int damaged = 0, err = gather_run(&subjects[0], request);

	if (!err) {
		what = request->paths[1];
		err = gather_run(&subjects[1], request);
	}
	err = err ? err : compare_runs(request, subjects);
	if (err < 0) {
		fprintf(stderr, "weir: %s: %s\n", what, strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	for (int i = 0; i < 2; i++)
		damaged |= weir_verdict_tell_damage(subjects[i].reader,
						    request->paths[i]);
	return damaged ? damaged : err;
}

/* What to exit with. */
static int refuse_trace(const struct request *request, int which, int err)
{
	if (err != -EFBIG || !which)
		return weir_verdict_refuse(request->paths[which], err);
	fprintf(stderr,
		"weir: %s, %s: their file names take more than %" PRIu64 " MB, "
		"the limit for two traces; compare files of single hosts, or "
		"record fewer files (--include, --exclude)\n",
		request->paths[0], request->paths[1], (uint64_t)(NAMES >> 20));
	return WEIR_EXIT_REFUSED;
}

/*
 * Both are opened before either is read: a wrong name is told at once. The
 * second may use what the first left of the memory for names.
 */
static int open_and_work(const struct request *request)
{
	struct subject subjects[2] = { { 0 }, { 0 } };
	uint64_t names = NAMES;
	int status = 0, unmatched = 0;

	for (int i = 0; !status && i < 2; i++) {
		int err = weir_reader_open_within(request->paths[i], names,
						  &subjects[i].reader);

		if (err)
			status = refuse_trace(request, i, err);
		else
			names -= weir_names_bytes(weir_reader_all_names(
				subjects[i].reader));
	}
	for (int i = 0; !status && unmatched == i && i < 2; i++)
		unmatched += !!weir_unmatched_tell(subjects[i].reader,
						   request->paths[i],
						   request->filter.process,
						   request->filter.file);
	if (unmatched == 2)
		status = WEIR_EXIT_REFUSED;
	if (!status)
		status = compare_opened(request, subjects);
	for (int i = 0; i < 2; i++) {
		weir_findings_fini(&subjects[i].findings);
		weir_runfacts_fini(&subjects[i].facts);
		if (subjects[i].reader)
			weir_reader_close(subjects[i].reader);
	}
	return status;
}

/* 0, or what to exit with. */
static int read_request(struct request *request, const struct weir_options *o)
{
	const char *fail_on = weir_options_text(o, WEIR_COMPARE_FAIL_ON);

	request->paths[0] = o->operands[0];
	request->paths[1] = o->operands[1];
	request->as_json = weir_options_chose(o, WEIR_COMPARE_FORMAT, "json");
	request->top = weir_options_number(o, WEIR_COMPARE_TOP);
	request->least = weir_options_number(o, WEIR_COMPARE_LEAST_CHANGE);
	request->filter.process = weir_options_text(o, WEIR_COMPARE_PROCESS);
	request->filter.file = weir_options_text(o, WEIR_COMPARE_FILE);
	request->may_fail = fail_on != NULL;
	if (!fail_on || !weir_number_parse(fail_on, &request->fail_on))
		return 0;
	fprintf(stderr,
		"weir: --fail-on takes a whole percentage such as 20, "
		"not `%s'\nTry: weir compare --help\n",
		fail_on);
	return WEIR_EXIT_USAGE;
}

int weir_cmd_compare(int argc, char **argv)
{
	struct request request = { 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_COMPARE], argc, argv,
				&status))
		return status;
	weir_giveback_large();
	status = read_request(&request, &o);
	if (!status)
		status = open_and_work(&request);
	weir_options_fini(&o);
	return status;
}
