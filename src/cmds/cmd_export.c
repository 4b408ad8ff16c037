/* SPDX-License-Identifier: BSD-3-Clause */
/* weir export: converts a trace for other tools. */
#include "base/options.h"
#include "cmds/progress.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "export/export.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Even with --force only an earlier export is replaced: that folder may be
 * somebody's work.
 */
static int refuse_place(const struct weir_export_wish *wish)
{
	if (wish->force)
		fprintf(stderr,
			"weir: %s exists and was not written by weir "
			"export: name another place, or remove it first\n",
			wish->out);
	else
		fprintf(stderr,
			"weir: %s already exists: name another place, "
			"or replace it with --force\n",
			wish->out);
	return WEIR_EXIT_USAGE;
}

static int tell_failure(const struct weir_export_wish *wish,
			const struct weir_export *told, int err)
{
	if (err == -EEXIST)
		return refuse_place(wish);
	if (err == -ESTALE)
		fprintf(stderr, "weir: %s: changed while it was read; try "
			"again\n", wish->trace);
	else
		fprintf(stderr, "weir: cannot write %s: %s%s%s\n", wish->out,
			strerror(-err), told->error[0] ? ": " : "",
			told->error);
	return WEIR_EXIT_INTERNAL;
}

/* Told here and in the export itself, which may be passed on alone. */
static void tell_gaps(const struct weir_reader *reader,
		      const struct weir_export_wish *wish,
		      const struct weir_export *told)
{
	const struct weir_dump_filter *filter = wish->filter;

	if (weir_reader_has_profiles(reader))
		fprintf(stderr,
			"weir: some of %s has sums instead of calls: weir "
			"report shows them\n",
			wish->trace);
	weir_verdict_tell_unknown(reader, filter->relations);
	weir_verdict_tell_losses(reader);
	weir_verdict_tell("times adjusted so that calls lie within their "
			  "callers",
			  told->changed);
	if (filter->pending)
		weir_verdict_tell("asynchronous operations without a recorded "
				  "end",
				  weir_pending_unseen(filter->pending));
}

static int export(struct weir_export_wish *wish, bool quiet)
{
	struct weir_pending pending = { 0 };
	struct weir_relations relations;
	struct weir_export told;
	struct weir_progress progress = { 0 };
	struct weir_reader *reader;
	int status, err = weir_reader_open(wish->trace, &reader);

	if (err)
		return weir_verdict_refuse(wish->trace, err);
	status = weir_verdict_refuse_sums(reader, wish->trace);
	if (!status)
		status = weir_unmatched_tell(reader, wish->trace,
					     wish->filter->process,
					     wish->filter->file);
	if (status) {
		weir_reader_close(reader);
		return status;
	}
	wish->filter->relations = &relations;
	if (!wish->filter->process && !wish->filter->file &&
	    !wish->filter->from && wish->filter->to == UINT64_MAX)
		wish->filter->pending = &pending; /* else ends are left out */
	err = weir_relations_init(&relations, reader, NULL);
	if (err)
		return weir_verdict_refuse(wish->trace, err);
	if (!quiet)
		weir_progress_begin(&progress, "exporting the trace", reader);
	err = weir_export_write(reader, wish, &told);
	weir_progress_end(&progress);
	tell_gaps(reader, wish, &told);
	status = weir_verdict_tell_damage(reader, wish->trace);
	if (err)
		status = tell_failure(wish, &told, err);
	else if (!quiet)
		printf("%s: %" PRIu64 " events%s\n", wish->out, told.events,
		       status ? ", of a damaged trace" : "");
	weir_pending_fini(&pending);
	weir_relations_fini(&relations);
	weir_reader_close(reader);
	return status;
}

/* Endings of names, and the format that they say; NULL: none of ours. */
static const struct ending {
	const char *ending, *format;
} endings[] = {
	{ ".db", "sqlite" },	      { ".db3", "sqlite" },
	{ ".sqlite", "sqlite" },      { ".sqlite3", "sqlite" },
	{ ".pftrace", "perfetto" },   { ".perfetto", "perfetto" },
	{ ".perfetto-trace", "perfetto" },
	{ ".otf2", "otf2" },	      { ".csv", "csv" },
	{ ".json", NULL },	      { ".jsonl", NULL },
	{ ".ndjson", NULL },	      { ".xml", NULL },
	{ ".txt", NULL },	      { ".html", NULL },
	{ ".h5", NULL },	      { ".parquet", NULL },
	{ ".weir", NULL },	      { ".otf", NULL },
};

/* NULL: it says nothing. */
static const struct ending *find_ending(const char *out)
{
	size_t len = strlen(out);

	while (len > 1 && out[len - 1] == '/') /* a folder's */
		len--;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t tail = strlen(endings[i].ending);

		if (len > tail && !strncasecmp(out + len - tail,
					       endings[i].ending, tail))
			return &endings[i];
	}
	return NULL;
}

/* A name that lies about its content misleads whoever gets it. */
static int refuse_ending(const char *out, const struct ending *ending,
			 const char *format)
{
	fprintf(stderr, "weir export: %s ends in %s, which is no name for ",
		out, ending->ending);
	if (format)
		fprintf(stderr, "%s: leave out --to, or choose another OUT\n",
			format);
	else
		fputs("what it writes: end OUT in .db (sqlite), .csv, .pftrace "
		      "(perfetto) or .otf2; weir dump --format jsonl and weir "
		      "report --html, --json write other forms\n",
		      stderr);
	return WEIR_EXIT_USAGE;
}

/* The one that was named, else that of the ending, else the default. */
static int choose_format(const struct weir_options *o, const char *out,
			 const char **ret_name)
{
	const struct weir_option *to = &o->verb->options[WEIR_EXPORT_TO];
	const struct ending *ending = find_ending(out);

	*ret_name = to->choices[weir_options_choice(o, WEIR_EXPORT_TO)];
	if (!ending)
		return 0;
	if (!ending->format)
		return refuse_ending(out, ending, NULL);
	if (!weir_options_flag(o, WEIR_EXPORT_TO))
		*ret_name = ending->format;
	return strcmp(*ret_name, ending->format) ?
		       refuse_ending(out, ending, *ret_name) : 0;
}

/* Before the trace is read: that may take minutes. */
static int find_format(const struct weir_options *o,
		       struct weir_export_wish *wish)
{
	const char *name;
	int status;

	if (!wish->out) {
		fputs("weir export: -o OUT is missing\nTry: weir export "
		      "--help\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	status = choose_format(o, wish->out, &name);
	if (status)
		return status;
	wish->format = weir_export_format(name);
	if (!wish->format->lacks)
		return 0;
	fprintf(stderr, "weir export: this weir was built without %s, which "
		"--to %s needs\n", wish->format->lacks, name);
	return WEIR_EXIT_REFUSED;
}

int weir_cmd_export(int argc, char **argv)
{
	struct weir_dump_filter filter = { 0 };
	struct weir_export_wish wish = { .filter = &filter };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_EXPORT], argc, argv,
				&status))
		return status;
	wish.trace = o.operands[0];
	wish.out = weir_options_text(&o, WEIR_EXPORT_OUTPUT);
	wish.force = weir_options_flag(&o, WEIR_EXPORT_FORCE);
	filter.process = weir_options_text(&o, WEIR_EXPORT_PROCESS);
	filter.file = weir_options_text(&o, WEIR_EXPORT_FILE);
	weir_options_span(&o, WEIR_EXPORT_TIME, &filter.from, &filter.to);
	status = find_format(&o, &wish);
	if (!status)
		status = export(&wish,
				weir_options_flag(&o, WEIR_EXPORT_QUIET));
	weir_options_fini(&o);
	return status;
}
