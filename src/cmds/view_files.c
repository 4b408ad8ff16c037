/* SPDX-License-Identifier: BSD-3-Clause */
/* weir view files: how large files are, who uses them, what is used again. */
#include "cmds/view_files.h"

#include "analyse/findings/runfacts.h"
#include "cmds/progress.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "report/as_files.h"
#include "spec/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum form { TEXT, CSV, JSONL }; /* as --format has them */

bool weir_view_files_takes(const struct weir_options *o)
{
	static const unsigned others[] = {
		WEIR_VIEW_LAYER, WEIR_VIEW_READ, WEIR_VIEW_WRITE,
		WEIR_VIEW_TIME,	 WEIR_VIEW_SVG,	 WEIR_VIEW_PNG,
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (weir_options_flag(o, others[i]))
			return false;
	return true;
}

static int print_files(const struct weir_runfacts *facts, enum form form)
{
	struct weir_text out;
	int flushed, err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (form == TEXT)
		err = weir_as_files_text(&out, facts);
	else
		err = weir_as_files_rows(&out,
					 form == CSV ? WEIR_FIELDS_CSV :
						       WEIR_FIELDS_JSONL,
					 facts);
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

static int show_read(const char *trace, struct weir_reader *reader,
		     enum form form,
		     const struct weir_callviews_filter *filter)
{
	struct weir_runfacts facts = { 0 };
	struct weir_progress progress;
	int err;

	weir_progress_begin(&progress, "reading the trace", reader);
	err = weir_runfacts_gather(&facts, reader, filter, 0);
	weir_progress_end(&progress);
	if (!err)
		err = print_files(&facts, form);
	weir_runfacts_fini(&facts);
	if (!err)
		return weir_verdict_tell_damage(reader, trace);
	fprintf(stderr, "weir: %s: %s\n", trace, strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

int weir_view_files_show(const char *trace, const struct weir_options *o)
{
	const struct weir_callviews_filter filter = {
		.process = weir_options_text(o, WEIR_VIEW_PROCESS),
		.file = weir_options_text(o, WEIR_VIEW_FILE),
	};
	enum form form = (enum form)weir_options_choice(o, WEIR_VIEW_FORMAT);
	struct weir_reader *reader;
	int status, err = weir_reader_open(trace, &reader);

	if (err)
		return weir_verdict_refuse(trace, err);
	status = weir_unmatched_tell(reader, trace, filter.process,
				     filter.file);
	if (!status)
		status = show_read(trace, reader, form, &filter);
	weir_reader_close(reader);
	return status;
}
