/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzzes the way from a .weir file to its report and page, by one thread and
 * two.
 */
#include "analyse/findings/findings.h"
#include "analyse/page/overviewbuild.h"
#include "report/as_json.h"
#include "report/as_screen.h"
#include "report/page/as_page.h"
#include "target.h"
#include "trace_shape.h"

#include <fcntl.h>
#include <stdio.h>

static void print(const struct weir_runfacts *facts,
		  const struct weir_findings *findings,
		  const struct weir_reader *reader)
{
	const struct weir_as_screen screen = {
		.facts = facts, .findings = findings, .reader = reader,
		.top = 3, .details = 1,
	};
	static int null = -1;
	struct weir_text out;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (weir_text_init(&out, null))
		return;
	weir_as_json_write(&out, facts, findings, reader);
	weir_as_screen_write(&out, &screen);
	weir_text_flush(&out);
	weir_text_fini(&out);
}

static void show(const char *path, struct weir_pagesource *page,
		 unsigned workers)
{
	struct weir_bytes bytes = { 0 };
	struct weir_outline outline;
	struct weir_overview overview;

	if (weir_outline_init(&outline, page->reader, page->facts,
			      page->findings))
		return;
	if (!weir_overviewbuild_read(&overview, path, &outline, page->filter,
				     workers)) {
		page->overview = &overview;
		weir_as_page_make(page, &bytes);
		weir_bytes_fini(&bytes);
		weir_overview_fini(&overview);
	}
	weir_outline_fini(&outline);
}

static void report(const char *path, unsigned workers)
{
	static const struct weir_callviews_filter all;
	struct weir_findings findings = { 0 };
	struct weir_runfacts facts = { 0 };
	struct weir_pagesource page = { .path = path,
					.facts = &facts,
					.findings = &findings,
					.filter = &all };
	struct weir_reader *reader;

	if (weir_reader_open(path, &reader))
		return;
	page.reader = reader;
	if (!weir_runfacts_gather(&facts, reader, &all, workers) &&
	    !weir_findings_conclude(&facts, &findings)) {
		print(&facts, &findings, reader);
		show(path, &page, workers);
	}
	weir_findings_fini(&findings);
	weir_runfacts_fini(&facts);
	weir_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = sealed_file(data, size);
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	report(path, 1 + size % 2);
	close(fd);
	return 0;
}
