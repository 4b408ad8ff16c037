/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report: shows where the time went and what would save some. */
#include "analyse/findings/findings.h"
#include "base/giveback.h"
#include "base/options.h"
#include "cmds/colours.h"
#include "cmds/progress.h"
#include "cmds/report_page.h"
#include "cmds/trace_choice.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "export/sites/evidence.h"
#include "report/as_json.h"
#include "report/as_remedy.h"
#include "report/as_screen.h"
#include "spec/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SCREEN_LINES 38 /* of 40: a message before it, and the prompt */

struct request {
	const char *path;
	const char *html; /* NULL: no page is to be written */
	const char *page_data; /* NULL: nor what it shows */
	bool as_json, details, browse, has_colours;
	uint64_t top, port;
	size_t lines; /* that there is room for; 0: any */
	enum weir_level fail_on;
	struct weir_callviews_filter filter;
};

static int print_report(const struct request *request,
			const struct weir_runfacts *facts,
			const struct weir_findings *findings,
			const struct weir_reader *reader)
{
	const struct weir_as_screen screen = {
		.facts = facts, .findings = findings, .reader = reader,
		.top = request->top, .details = request->details,
		.lines = request->lines,
	};
	struct weir_text out;
	int flushed, err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	out.has_colours = request->has_colours;
	if (request->as_json)
		err = weir_as_json_write(&out, facts, findings, reader);
	else
		err = weir_as_screen_write(&out, &screen);
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

/* What to exit with, or 0; what went wrong was told. */
static int show_report(const struct request *request,
		       struct weir_listener *listener,
		       const struct weir_pagesource *page)
{
	int err;

	if (request->html)
		return weir_report_page_write(page, request->html);
	if (request->browse)
		return weir_report_page_browse(page, listener);
	if (request->page_data)
		return weir_report_page_data(page, request->page_data);
	err = print_report(request, page->facts, page->findings, page->reader);
	if (!err)
		return 0;
	fprintf(stderr, "weir: %s: %s\n", request->path, strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

/* Told once, at the end of what was printed, and by the status. */
static int tell_damage(const struct request *request,
		       const struct weir_reader *reader)
{
	if (!weir_reader_is_damaged(reader))
		return 0;
	fprintf(stderr, "weir: %s: damaged; only the intact part was read\n",
		request->path);
	return WEIR_EXIT_DAMAGED;
}

static int gather_facts(const struct request *request,
			struct weir_reader *reader, struct weir_runfacts *facts)
{
	struct weir_progress progress;
	int err;

	/* for a page, the names are read once more */
	if (request->html || request->browse || request->page_data)
		facts->most_rows = WEIR_STOCK_MOST / 3;
	weir_progress_begin(&progress, "reading the trace", reader);
	err = weir_runfacts_gather(facts, reader, &request->filter, 0);
	weir_giveback_small();
	weir_progress_end(&progress);
	return err;
}

/* A finding changes the status only when all was well otherwise. */
static int make_report(const struct request *request,
		       struct weir_listener *listener)
{
	struct weir_findings findings = { .trace = request->path };
	struct weir_runfacts facts = { 0 };
	struct weir_pagesource page = { .path = request->path,
					.facts = &facts,
					.findings = &findings,
					.filter = &request->filter };
	enum weir_level level;
	int damage, status, err = weir_reader_open(request->path, &page.reader);

	if (err)
		return weir_verdict_refuse(request->path, err);
	status = weir_unmatched_tell(page.reader, request->path,
				     request->filter.process,
				     request->filter.file);
	if (status) {
		weir_reader_close(page.reader);
		return status;
	}
	findings.reader = page.reader;
	err = gather_facts(request, page.reader, &facts);
	err = err ? err : weir_findings_conclude(&facts, &findings);
	if (!err && facts.has_sites)
		err = weir_evidence_locate(request->path, &findings);
	if (!err)
		weir_as_remedy_keep(&facts, &findings);
	/* a listener reads parts of it again: what is damaged is known now */
	damage = request->browse ? tell_damage(request, page.reader) : 0;
	status = err ? WEIR_EXIT_INTERNAL
		     : show_report(request, listener, &page);
	if (err)
		fprintf(stderr, "weir: %s: %s\n", request->path,
			strerror(-err));
	if (!status && !request->browse)
		damage = tell_damage(request, page.reader);
	level = weir_findings_level(&findings);
	weir_findings_fini(&findings);
	weir_runfacts_fini(&facts);
	weir_reader_close(page.reader);
	if (status || damage)
		return status ? status : damage;
	return request->fail_on && level >= request->fail_on ?
		       WEIR_EXIT_FOUND : 0;
}

/* Before anything is read: whether a port can be had is known at once. */
static int report_to_browsers(const struct request *request)
{
	struct weir_listener listener;
	int err, status = weir_report_page_check();

	if (status)
		return status;
	if (!request->browse)
		return make_report(request, NULL);
	err = weir_listener_open(&listener, (uint16_t)request->port);
	if (err) {
		fprintf(stderr, "weir: cannot listen on port %u: %s\n",
			(unsigned)request->port, strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	status = make_report(request, &listener);
	weir_listener_close(&listener);
	return status;
}

/* Options that would be ignored are mistakes: nobody notices that otherwise. */
static const char *find_mistake(const struct request *request)
{
	if (request->html && request->browse)
		return "--html writes the page, --browse shows it: give only "
		       "one of them";
	if (request->as_json && (request->html || request->browse))
		return "--format json prints, which --html and --browse do "
		       "not";
	if (request->page_data &&
	    (request->as_json || request->html || request->browse))
		return "--page-data writes only the data of the page: give it "
		       "alone";
	if (request->port && !request->browse)
		return "--port is for --browse";
	if (request->port > UINT16_MAX)
		return "--port is a number up to 65535";
	return NULL;
}

static int obey(struct request *request)
{
	const char *mistake = find_mistake(request);

	if (mistake) {
		fprintf(stderr, "weir report: %s\n", mistake);
		return WEIR_EXIT_USAGE;
	}
	request->path = weir_trace_choice("report", request->path);
	if (!request->path)
		return WEIR_EXIT_USAGE;
	return request->html || request->browse ? report_to_browsers(request)
						: make_report(request, NULL);
}

/* Whoever says how much wants to see it all, also on a terminal. */
static void read_look(const struct weir_options *o, struct request *request)
{
	request->top = weir_options_number(o, WEIR_REPORT_TOP);
	request->details = weir_options_flag(o, WEIR_REPORT_DETAILS);
	request->has_colours = weir_colours_wanted(
		weir_options_choice(o, WEIR_REPORT_COLOR));
	if (isatty(STDOUT_FILENO) && !request->details &&
	    !weir_options_flag(o, WEIR_REPORT_TOP))
		request->lines = SCREEN_LINES;
}

int weir_cmd_report(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_REPORT];
	struct request request = { 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	weir_giveback_large();
	request.path = o.operands[0];
	request.as_json = weir_options_chose(&o, WEIR_REPORT_FORMAT, "json");
	request.fail_on = (enum weir_level)weir_options_choice(
		&o, WEIR_REPORT_FAIL_ON);
	request.page_data = weir_options_text(&o, WEIR_REPORT_PAGE_DATA);
	read_look(&o, &request);
	request.filter.process = weir_options_text(&o, WEIR_REPORT_PROCESS);
	request.filter.file = weir_options_text(&o, WEIR_REPORT_FILE);
	request.html = weir_options_text(&o, WEIR_REPORT_HTML);
	request.browse = weir_options_flag(&o, WEIR_REPORT_BROWSE);
	request.port = weir_options_number(&o, WEIR_REPORT_PORT);
	status = obey(&request);
	weir_options_fini(&o);
	return status;
}
