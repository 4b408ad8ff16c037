/* SPDX-License-Identifier: BSD-3-Clause */
/* weir dump: prints each recorded call. */
#include "base/options.h"
#include "cmds/progress.h"
#include "cmds/trace_choice.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "export/dump/dump.h"
#include "export/dump/lexicon.h"
#include "export/tree/treeline.h"
#include "export/tree/as_tree.h"
#include "spec/options.h"
#include "trace/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the user wants to see. */
struct asked {
	const struct weir_dump_format *format;
	struct weir_dump_filter filter;
	struct weir_as_tree_wish wish;
	bool tree, links, sites;
};

/* A trace without one is damaged: the first block of every file has it. */
static int dump_dictionary(const char *path, const char *format)
{
	const struct weir_lexicon_format *form = weir_lexicon_format(format);
	struct weir_reader *reader;
	uint32_t count = 0;
	int status, err;

	if (!form) {
		fprintf(stderr,
			"weir dump: --dictionary does not print %s, "
			"only text, jsonl or csv\n",
			format);
		return WEIR_EXIT_USAGE;
	}
	err = weir_reader_open(path, &reader);
	if (err)
		return weir_verdict_refuse(path, err);
	err = weir_lexicon_write(reader, form, STDOUT_FILENO, &count);
	status = weir_verdict_tell_damage(reader, path);
	weir_reader_close(reader);
	if (err) {
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (!count)
		fprintf(stderr, "weir: %s: has no dictionary\n", path);
	return count ? status : WEIR_EXIT_DAMAGED;
}

/* Why some sites are shown as an object and an offset. */
static void tell_sites(const struct weir_sites *sites)
{
	const char *path;
	int err;

	if (!weir_sites_count(sites))
		fputs("weir: the trace has no call sites: record with weir run "
		      "--backtrace\n",
		      stderr);
	for (uint32_t n = 0; (path = weir_sites_trouble(sites, n, &err)); n++) {
		if (err == -ENOTSUP) {
			fputs("weir: this weir was built without libdw: call "
			      "sites are shown as offsets in objects\n",
			      stderr);
			return;
		}
		fprintf(stderr,
			"weir: call sites are shown as offsets in %s: "
			"%s\n",
			path,
			err == -ESTALE ? "it has changed since it was "
					 "recorded"
				       : strerror(-err));
	}
}

/* Also that all is well: who looks for a hole wants to know. */
static void tell_causes(const struct weir_as_tree_told *told)
{
	if (!told->caused && !told->nobodys)
		return;
	fprintf(stderr,
		"weir: %" PRIu64 " calls served calls of other "
		"processes, %" PRIu64 " of them calls that are not in the "
		"trace; %" PRIu64 " served no known call\n",
		told->caused, told->uncaused, told->nobodys);
}

/* Limits of memory are told: a tree in parts looks like several. */
static int tell_tree(const struct weir_as_tree_wish *wish,
		     const struct weir_as_tree_told *told, const char *path)
{
	weir_verdict_tell("trees shown in parts for lack of memory",
			  told->parted);
	weir_verdict_tell("calls of several processes not joined for lack of "
			  "memory",
			  told->unjoined);
	tell_causes(told);
	if (!wish->of.proc || told->found)
		return 0;
	fprintf(stderr,
		"weir: %s: there is no event %" PRIu32 ".%" PRIu32 ".%" PRIu64
		" among those selected; weir dump --tree shows the ids\n",
		path, wish->of.proc, wish->of.thread, wish->of.index);
	return WEIR_EXIT_USAGE;
}

/*
 * Read twice: who took part in a collective call is known only when all
 * processes were read.
 */
static int write_tree(const char *path, struct weir_reader *reader,
		      struct asked *asked, int *ret_status)
{
	struct weir_as_tree_told told = { .found = false };
	int err = weir_reader_open(path, &asked->wish.first);

	if (err)
		return err;
	err = weir_as_tree_write(reader, &asked->filter, &asked->wish,
				 STDOUT_FILENO, &told);
	weir_reader_close(asked->wish.first);
	*ret_status = err ? 0 : tell_tree(&asked->wish, &told, path);
	return err;
}

/*
 * Links between events cost memory, so they are followed only when asked for.
 */
static int write_events(const char *path, struct weir_reader *reader,
			struct asked *asked, int *ret_status)
{
	struct weir_relations relations;
	int err;

	*ret_status = 0;
	if (!asked->tree && !asked->links)
		return weir_dump_write(reader, asked->format, &asked->filter,
				       STDOUT_FILENO);
	err = weir_relations_init(&relations, reader,
				  asked->tree ? weir_treeline_end_frame : NULL);
	if (err)
		return err;
	asked->filter.relations = &relations;
	err = asked->tree ? write_tree(path, reader, asked, ret_status) :
			    weir_dump_write(reader, asked->format,
					    &asked->filter, STDOUT_FILENO);
	weir_verdict_tell_unknown(reader, &relations);
	weir_relations_fini(&relations);
	return err;
}

/* 0, or what to exit with where nothing could be printed. */
static int refuse_asked(const struct weir_reader *reader, const char *path,
			const struct weir_dump_filter *filter)
{
	int status = weir_verdict_refuse_sums(reader, path);

	return status ? status : weir_unmatched_tell(reader, path,
						     filter->process,
						     filter->file);
}

static int dump(const char *path, struct asked *asked)
{
	struct weir_dump_filter *filter = &asked->filter;
	struct weir_pending pending = { 0 };
	struct weir_progress progress = { 0 };
	struct weir_reader *reader;
	int found, status, err = weir_reader_open(path, &reader);

	if (err)
		return weir_verdict_refuse(path, err);
	status = refuse_asked(reader, path, filter);
	if (status) {
		weir_reader_close(reader);
		return status;
	}
	if (!filter->process && !filter->file && !filter->from &&
	    filter->to == UINT64_MAX)
		filter->pending = &pending; /* else ends are filtered out */
	weir_verdict_warn_damage(reader, path);
	if (asked->sites)
		err = weir_sites_new(path, &filter->sites);
	found = 0;
	if (!isatty(STDOUT_FILENO)) /* else the lines are the progress */
		weir_progress_begin(&progress, "reading the trace", reader);
	if (!err)
		err = write_events(path, reader, asked, &found);
	weir_progress_end(&progress);
	if (weir_reader_has_profiles(reader))
		fprintf(stderr,
			"weir: some of %s has sums instead of calls: weir "
			"report shows them\n",
			path);
	if (filter->sites)
		tell_sites(filter->sites);
	weir_sites_free(filter->sites);
	weir_verdict_tell_losses(reader);
	weir_verdict_tell("asynchronous operations without a recorded end",
			  weir_pending_unseen(&pending));
	status = weir_verdict_tell_damage(reader, path);
	weir_pending_fini(&pending);
	weir_reader_close(reader);
	if (!err)
		return found ? found : status;
	fprintf(stderr, "weir: %s: %s\n", path,
		err == -ESTALE ? "changed while it was read; try again" :
				 strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

/* Options that say nothing without others are mistakes. */
static const char *find_mistake(const struct asked *asked, const char *of)
{
	if (of && !asked->wish.of.proc)
		return "--of takes an id like 1.1.0, as --tree prints them";
	if (asked->tree && strcmp(asked->format->name, "text"))
		return "--tree and --of print text, no other format";
	if (asked->wish.depth && !asked->tree)
		return "--depth is for --tree";
	if (asked->sites && (asked->tree || !asked->format->shows_sites))
		return "--backtrace prints text or jsonl, and not with "
		       "--tree";
	if (asked->links && strcmp(asked->format->name, "jsonl"))
		return "--links is for --format jsonl";
	return NULL;
}

/* An id that cannot be read leaves `of` zero, which find_mistake() sees. */
static bool read_options(const struct weir_options *o, struct asked *asked)
{
	const struct weir_option *format =
		&o->verb->options[WEIR_DUMP_FORMAT];
	const char *of = weir_options_text(o, WEIR_DUMP_OF), *mistake;

	asked->format = weir_dump_format(
		format->choices[weir_options_choice(o, WEIR_DUMP_FORMAT)]);
	asked->filter.process = weir_options_text(o, WEIR_DUMP_PROCESS);
	asked->filter.file = weir_options_text(o, WEIR_DUMP_FILE);
	weir_options_span(o, WEIR_DUMP_TIME, &asked->filter.from,
			  &asked->filter.to);
	asked->tree = of || weir_options_flag(o, WEIR_DUMP_TREE);
	asked->links = weir_options_flag(o, WEIR_DUMP_LINKS);
	asked->sites = weir_options_flag(o, WEIR_DUMP_BACKTRACE);
	asked->wish.depth = weir_options_number(o, WEIR_DUMP_DEPTH);
	if (of)
		weir_tree_id_parse(of, &asked->wish.of);
	mistake = find_mistake(asked, of);
	if (mistake)
		fprintf(stderr, "weir dump: %s\n", mistake);
	return !mistake;
}

int weir_cmd_dump(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_DUMP];
	struct asked asked = { .format = NULL };
	const char *trace = NULL;
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	if (read_options(&o, &asked))
		trace = weir_trace_choice("dump", o.operands[0]);
	if (!trace)
		status = WEIR_EXIT_USAGE;
	else if (weir_options_flag(&o, WEIR_DUMP_DICTIONARY))
		status = dump_dictionary(trace, asked.format->name);
	else
		status = dump(trace, &asked);
	weir_options_fini(&o);
	return status;
}
