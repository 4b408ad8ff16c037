/* SPDX-License-Identifier: BSD-3-Clause */
/* weir query: prints metrics of calls, by layer, client and more. */
#include "analyse/query/answer.h"
#include "base/options.h"
#include "cmds/progress.h"
#include "cmds/trace_choice.h"
#include "cmds/verdict.h"
#include "export/sites/sites.h"
#include "report/query/query_rows.h"
#include "report/query/query_text.h"
#include "spec/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODEL (64 << 10) /* bytes of a disk's file, at most */

enum format { TEXT, CSV, JSONL };

struct asked {
	const char *trace;
	enum format format;
	struct weir_query query;
	struct weir_diskmodel disk;
};

/* Words behind each other are a query, too. */
static char *join_words(char **words)
{
	size_t len = 1;
	char *text;

	for (char **word = words; *word; word++)
		len += strlen(*word) + 1;
	text = calloc(len, 1);
	for (char **word = words; text && *word; word++) {
		if (word != words)
			strcat(text, " ");
		strcat(text, *word);
	}
	return text;
}

/* Mistakes are told by their column: a query is one line. */
static int read_query(char **words, struct weir_query *ret_query)
{
	struct weir_query_mistake mistake;
	char *text = *words ? join_words(words) : strdup("latency");
	int err = text ? weir_queryparse_read(text, ret_query, &mistake) :
			 -ENOMEM;

	free(text);
	if (!err)
		return 0;
	if (err == -ENOMEM)
		fputs("weir query: out of memory\n", stderr);
	else if (mistake.column)
		fprintf(stderr, "weir query: column %u: %s\n", mistake.column,
			mistake.text);
	else
		fprintf(stderr, "weir query: %s\n", mistake.text);
	return err == -ENOMEM ? WEIR_EXIT_INTERNAL : WEIR_EXIT_USAGE;
}

/*
 * With the names that are built in: a name is more often mistyped than a file.
 */
static int refuse_disk(const char *name, int err)
{
	fprintf(stderr, "weir query: %s: %s; known disks:", name,
		err == -ENOENT ? "no such disk or file" : strerror(-err));
	for (const struct weir_diskmodel_text *it = weir_diskmodel_texts;
	     it->name; it++)
		fprintf(stderr, " %s", it->name);
	fputc('\n', stderr);
	return WEIR_EXIT_USAGE;
}

/* Built-in models pass here, too: they are texts like files. */
static int parse_disk(const char *name, const char *text, size_t len,
		      struct weir_diskmodel *ret_model)
{
	const char *why;
	unsigned line;

	if (!weir_diskmodel_parse(text, len, ret_model, &line, &why))
		return 0;
	if (line)
		fprintf(stderr, "weir query: %s:%u: %s\n", name, line, why);
	else
		fprintf(stderr, "weir query: %s: %s\n", name, why);
	return WEIR_EXIT_USAGE;
}

/* A built-in name goes before a file of that name. */
static int read_disk(const char *name, struct weir_diskmodel *ret_model)
{
	static char bytes[MODEL + 1];
	const char *known = weir_diskmodel_find(name);
	FILE *file;
	size_t len;
	int failed;

	if (known)
		return parse_disk(name, known, strlen(known), ret_model);
	file = fopen(name, "re");
	if (!file)
		return refuse_disk(name, -errno);
	len = fread(bytes, 1, sizeof(bytes), file);
	failed = ferror(file) ? errno : 0;
	fclose(file);
	if (failed || len > MODEL)
		return refuse_disk(name, failed ? -failed : -EFBIG);
	return parse_disk(name, bytes, len, ret_model);
}

static bool is_at(void *context, const struct weir_event *event,
		  const struct weir_query_value *line)
{
	return weir_sites_is_at(context, event, line->text, line->from,
				line->to);
}

/* Debug information is slow to read: only a query about lines needs it. */
static int find_sites(const struct asked *asked, struct weir_sites **ret_sites)
{
	const struct weir_query *query = &asked->query;

	for (unsigned i = 0; i < query->condition_count; i++)
		if (query->conditions[i].key == WEIR_QUERY_LINE)
			return weir_sites_new(asked->trace, ret_sites);
	return 0;
}

static int print_answer(const struct asked *asked,
			const struct weir_answer *answer)
{
	struct weir_text out;
	int err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (asked->format == TEXT)
		weir_query_text_write(&out, answer);
	else
		weir_query_rows_write(&out, asked->format == CSV ?
						    WEIR_FIELDS_CSV :
						    WEIR_FIELDS_JSONL, answer);
	if (asked->format == TEXT && weir_reader_is_damaged(answer->reader))
		weir_text_string(&out, "\nThis is incomplete: the trace is "
				       "damaged.\n");
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}

/* What would record a layer that is missing. */
static const char *recorder_of(const char *layer)
{
	static const struct {
		const char *layer, *how;
	} known[] = {
		{ "mpiio", "weir run --layers mpi records it, of a program "
			   "that uses MPI-IO" },
		{ "hdf5", "weir run --layers hdf5 records it, of a program "
			  "that uses HDF5" },
		{ "pnetcdf", "weir run --layers pnetcdf records it, of a "
			     "program that uses PnetCDF" },
		{ "server", "I/O servers must be instrumented and name the "
			    "call they work for (weir-query(1), SERVERS)" },
		{ "disk", "I/O servers must be instrumented and record their "
			  "disk accesses (weir-query(1), SERVERS)" },
		{ "comm", "communication must be instrumented; for collective "
			  "MPI-IO calls (weir run --layers mpi) it can be "
			  "estimated" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].layer, layer))
			return known[i].how;
	return "weir dump --dictionary lists all possible layers";
}

/* An empty table would look like an answer. */
static int tell_lack(const struct asked *asked,
		     const struct weir_answer *answer)
{
	static const char *const words[WEIR_QUERY_LACKS] = {
		[WEIR_QUERY_LACKS_CALLS] = "has sums instead of calls: weir "
					   "report shows them",
		[WEIR_QUERY_LACKS_TIMES] =
			"has short records (weir run "
			"--ring), without durations and layers",
		[WEIR_QUERY_LACKS_MARKS] = "no process has marked a region or "
					   "a phase (weir-mark(7))",
		[WEIR_QUERY_LACKS_SITES] = "has no call sites: record with "
					   "weir run --backtrace",
	};

	if (answer->lack == WEIR_QUERY_LACKS_LAYER)
		fprintf(stderr, "weir: %s: has no calls of layer %s: %s\n",
			asked->trace, answer->lacks,
			recorder_of(answer->lacks));
	else if (answer->lack == WEIR_QUERY_LACKS_CLIENT)
		fprintf(stderr, "weir: %s: layer %s is not called by "
			"applications: `of' takes one that is\n", asked->trace,
			answer->lacks);
	else
		fprintf(stderr, "weir: %s: %s\n", asked->trace,
			words[answer->lack]);
	return WEIR_EXIT_REFUSED;
}

/* Names of layers come from the query here, and may be anything. */
static int tell_failure(const struct asked *asked, int err)
{
	if (err == -E2BIG) {
		fprintf(stderr,
			"weir query: more than %u rows, or percentiles of "
			"more than %u calls: choose with `where', or group by "
			"less\n",
			WEIR_QUERYROWS_MOST, WEIR_QUERYROWS_FIGURES);
		return WEIR_EXIT_USAGE;
	}
	fprintf(stderr, "weir: %s: %s\n", asked->trace,
		err == -ESTALE ? "changed while it was read; try again" :
				 strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

/* All that may be missing from the figures, after them. */
static void tell_losses(const struct weir_answer *answer)
{
	const struct weir_callunits *units = &answer->units;

	weir_verdict_tell_losses(answer->reader);
	weir_verdict_tell("calls that never returned, left out", units->open);
	weir_verdict_tell("calls with unknown callers, counted as the "
			  "application's",
			  units->orphans);
	weir_verdict_tell("calls of servers for unknown calls, left out",
			  units->uncaused);
	weir_verdict_tell("calls across processes, too many to remember",
			  answer->causes.left_out);
	weir_verdict_tell("collective calls, too many to join",
			  answer->causes.collective.left_out);
}

static int conclude_query(const struct asked *asked,
			  const struct weir_answer *answer, int err)
{
	if (err == -ENODATA)
		return tell_lack(asked, answer);
	if (!err)
		err = print_answer(asked, answer);
	if (err)
		return tell_failure(asked, err);
	tell_losses(answer);
	return weir_verdict_tell_damage(answer->reader, asked->trace);
}

static int answer_query(const struct asked *asked)
{
	struct weir_query_means means = { .disk = &asked->disk,
					  .is_at = is_at };
	struct weir_answer answer;
	struct weir_progress progress;
	struct weir_sites *sites = NULL;
	struct weir_reader *reader;
	int status, err = weir_reader_open(asked->trace, &reader);

	if (!err)
		err = find_sites(asked, &sites);
	if (err)
		return weir_verdict_refuse(asked->trace, err);
	means.context = sites;
	weir_progress_begin(&progress, "reading the trace", reader);
	err = weir_answer_gather(&answer, reader, &asked->query, &means);
	weir_progress_end(&progress);
	status = conclude_query(asked, &answer, err);
	weir_answer_fini(&answer);
	weir_sites_free(sites);
	weir_reader_close(reader);
	return status;
}

/* A query may stand alone: a file that has its name is still a trace. */
static bool names_trace(const char *word)
{
	return word && (!weir_queryparse_begins(word) || !access(word, F_OK));
}

int weir_cmd_query(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_QUERY];
	struct asked asked = { 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	asked.format = weir_options_choice(&o, WEIR_QUERY_FORMAT);
	status = read_query(o.operands + names_trace(o.operands[0]),
			    &asked.query);
	if (!status)
		status = read_disk(weir_options_text(&o, WEIR_QUERY_DISK),
				   &asked.disk);
	if (!status) {
		asked.trace = weir_trace_choice("query",
			names_trace(o.operands[0]) ? o.operands[0] : NULL);
		status = asked.trace ? 0 : WEIR_EXIT_USAGE;
	}
	if (!status)
		status = answer_query(&asked);
	weir_queryparse_fini(&asked.query);
	weir_options_fini(&o);
	return status;
}
