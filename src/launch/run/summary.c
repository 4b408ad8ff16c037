/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in a few lines what a run left behind. */
#include "launch/run/summary.h"

#include "analyse/findings/runfacts.h"
#include "analyse/sums/headline.h"
#include "launch/collect/collector_report.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * Nobody should wait for figures: as many events are judged within 0.3 s on a
 * slow machine. Of a longer trace only that is told which needs no look into
 * its calls.
 */
#define MOST_EVENTS UINT64_C(1000000)
#define MOST_KILLED 3 /* processes that are named */

struct figures {
	uint64_t threads, files;
	uint64_t passed; /* what became of forwarded calls: no calls */
	uint64_t servers; /* processes of ours, that did it */
	struct weir_runfacts facts;
	struct weir_headline headline; /* as reports have it */
	bool whole; /* the calls were looked into */
};

uint64_t weir_summary_missing(const struct weir_collector_report *report)
{
	struct weir_unrecorded_count none =
		weir_unrecorded_sum(&report->unrecorded);

	return report->dropped + report->lost + none.processes + none.calls;
}

static void count_processes(struct weir_reader *reader,
			    struct figures *figures)
{
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_procinfo_is_server(process)) {
			figures->servers++;
			continue;
		}
		for (size_t t = 0; process && t < process->thread_count; t++)
			figures->threads += !process->threads[t].level;
	}
}

static void count_calls(struct weir_reader *reader, struct figures *figures)
{
	static const struct weir_callviews_filter all;
	struct weir_runfacts *facts = &figures->facts;
	const struct weir_totals *totals = &facts->totals;

	if (weir_reader_calls(reader) > MOST_EVENTS &&
	    !weir_reader_has_profiles(reader))
		return;
	if (weir_runfacts_gather(facts, reader, &all, 0))
		return;
	figures->headline = weir_headline_of(totals);
	figures->files = figures->headline.files;
	figures->threads = totals->threads;
	figures->passed = totals->behind;
	figures->whole = true;
}

/* To be given back with the reader. */
static int read_figures(const char *dir, struct figures *figures,
			struct weir_reader **ret_reader)
{
	int err = weir_reader_open(dir, ret_reader);

	if (err)
		return err;
	memset(figures, 0, sizeof(*figures));
	figures->files = weir_reader_names(*ret_reader);
	count_processes(*ret_reader, figures);
	count_calls(*ret_reader, figures);
	return 0;
}

static void print_count(uint64_t count, const char *thing, const char *more)
{
	fprintf(stderr, "%llu %s%s", (unsigned long long)count, thing,
		count == 1 ? "" : more);
}

static void print_bytes(uint64_t bytes, const char *what)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	double number = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		print_count(bytes, "byte", "s");
		fprintf(stderr, "%s", what);
		return;
	}
	for (; number >= 1024 && unit < 3; unit++)
		number /= 1024;
	fprintf(stderr, "%.1f %s%s", number, units[unit], what);
}

static void print_own(const struct weir_pack_totals *totals)
{
	fputs("weir: ", stderr);
	print_count(totals->events, "record", "s");
	fputs(" by ", stderr);
	print_count(totals->processes, "process", "es");
	fputs("\n", stderr);
}

static void print_killed_one(const struct weir_procinfo *process)
{
	char words[WEIR_PROCEND_WORDS];

	fputs("weir: ", stderr);
	if (weir_procinfo_rank(process) >= 0)
		fprintf(stderr, "rank %lld, ",
			(long long)weir_procinfo_rank(process));
	fprintf(stderr, "%s (pid %u) %s\n", weir_procinfo_program(process),
		process->pid, weir_procend_words(&process->end, words));
}

/* Who crashed comes first: a launcher may have killed all the others. */
static void print_killed(const struct weir_reader *reader)
{
	uint32_t all = weir_reader_processes(reader), count = 0;

	for (uint32_t i = 0; i < 2 * all; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i % all + 1);

		if (process && weir_procinfo_was_killed(process) &&
		    weir_procend_is_crash(&process->end) == (i < all) &&
		    count++ < MOST_KILLED)
			print_killed_one(process);
	}
	if (count > MOST_KILLED)
		fprintf(stderr, "weir: and %u more\n", count - MOST_KILLED);
}

/* What was recorded of other libraries than libc. */
static void print_layers(const struct figures *figures)
{
	const char *before = "weir: layers: ";

	for (unsigned i = WEIR_CALLVIEW_LAYERS; i-- > WEIR_CALLVIEW_COMM;) {
		uint64_t calls = figures->facts.layers[i].calls;

		if (!calls)
			continue;
		fprintf(stderr, "%s%llu of %s", before,
			(unsigned long long)calls,
			weir_callviews_layer_name(i));
		before = ", ";
	}
	if (*before == ',')
		fputs(" among these calls\n", stderr);
}

/* Which of the records are calls is only known when they were looked into. */
static void print_records(const struct weir_collector_report *report,
			  const struct figures *figures)
{
	bool are_calls = !report->kept && figures->whole;

	print_count(are_calls ? figures->headline.calls
			      : report->totals.events,
		    are_calls ? "call" : "record", "s");
}

/* Whose end nobody saw is told: what it moved is not known. */
static void print_asynchronous(const struct weir_totals *totals)
{
	if (totals->submitted == totals->completed)
		return;
	fputs("weir: ", stderr);
	print_count(totals->submitted, "asynchronous operation", "s");
	fprintf(stderr, " submitted, %llu seen to complete\n",
		(unsigned long long)totals->completed);
}

static void print_times(const struct weir_headline *headline)
{
	fprintf(stderr, ", %.3f s in I/O",
		(double)headline->parts[WEIR_IOTIME_IO].time / 1e9);
	for (int i = WEIR_IOTIME_IO + 1; i < WEIR_IOTIME_PARTS; i++)
		if (headline->parts[i].time >= 500000)
			fprintf(stderr, ", %.3f s %s",
				(double)headline->parts[i].time / 1e9,
				weir_headline_title(i));
}

static void print_figures(const struct weir_collector_report *report,
			  const struct figures *figures)
{
	const struct weir_headline *headline = &figures->headline;

	fputs("weir: ", stderr);
	print_records(report, figures);
	fputs(" by ", stderr);
	print_count(report->totals.processes - figures->servers, "process",
		    "es");
	fputs(" and ", stderr);
	print_count(figures->threads, "thread", "s");
	fputs(" on ", stderr);
	print_count(figures->files, figures->whole ? "file" : "name", "s");
	if (figures->whole) {
		fprintf(stderr, " in %.3f s\nweir: ",
			(double)headline->span / 1e9);
		print_bytes(headline->read, " read, ");
		print_bytes(headline->written, " written");
		if (headline->copied) {
			fputs(", ", stderr);
			print_bytes(headline->copied, " copied");
		}
		print_times(headline);
	}
	fputs("\n", stderr);
	print_layers(figures);
	print_asynchronous(&figures->facts.totals);
	if (figures->passed) {
		fputs("weir: ", stderr);
		print_count(figures->passed, "record", "s");
		fputs(" of what became of calls that were forwarded\n",
		      stderr);
	}
}

/* Of short records the oldest go: that is no loss, but to be known. */
static void print_ring(const struct weir_collector_report *report)
{
	if (!report->kept && !report->overwritten)
		return;
	fputs("weir: ", stderr);
	print_count(report->kept, "record", "s");
	fprintf(stderr, " kept, %llu older overwritten\n",
		(unsigned long long)report->overwritten);
}

static void warn_about_unrecorded(const struct weir_unrecorded *all)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		const struct weir_unrecorded_count *count = &all->by[i];

		if (!count->processes && !count->calls)
			continue;
		fputs("weir: ", stderr);
		print_count(count->processes, "process", "es");
		fprintf(stderr, " not recorded: %s", weir_unrecorded_why(i));
		if (count->calls) {
			fputs(" (", stderr);
			print_count(count->calls, "call", "s");
			fputs(" seen)", stderr);
		}
		fputs("\n", stderr);
	}
}

void weir_summary_warn(const struct weir_collector_report *report)
{
	if (report->dropped) {
		fputs("weir: ", stderr);
		print_count(report->dropped, "call", "s");
		fputs(" not recorded: the buffer was full; try a larger "
		      "--buffer\n",
		      stderr);
	}
	if (report->lost) {
		fputs("weir: ", stderr);
		print_count(report->lost, "call", "s");
		fprintf(stderr, " recorded but not stored: %s\n",
			report->limited ?
				"the trace has reached its --max-size" :
				"no room in the trace directory");
	}
	warn_about_unrecorded(&report->unrecorded);
	if (report->apart)
		fprintf(stderr,
			"weir: all.weir cannot be locked here (%s): each "
			"process has a file of its own\n",
			strerror(-report->apart));
	if (report->single_error)
		fprintf(stderr,
			"weir: could not append to all.weir (%s): this run "
			"has a file of its own beside it\n",
			strerror(-report->single_error));
	if (report->left)
		fputs("weir: memory files of this run could not be removed; "
		      "they are in /dev/shm\n",
		      stderr);
	if (report->raw_error)
		fprintf(stderr, "weir: the trace is not complete: %s\n",
			strerror(-report->raw_error));
	if (report->pack_error)
		fprintf(stderr,
			"weir: the trace could not be packed (%s); it is kept "
			"as captured and can be read\n",
			strerror(-report->pack_error));
}

/* Left out on purpose, so no reason to warn. */
static void print_hidden(const uint64_t *hidden)
{
	static const char *const why[4] = {
		"of operations that were still under way (--all records them)",
		"on files of the system and of languages (--all records them)",
		"on files that --include and --exclude leave out",
		"while recording was switched off",
	};

	for (int i = 0; i < 4; i++) {
		if (!hidden[i])
			continue;
		fputs("weir: ", stderr);
		print_count(hidden[i], i ? "call" : "poll", "s");
		fprintf(stderr, " counted, not recorded: %s\n", why[i]);
	}
}

/* A word as a shell takes it. */
static void print_word(const char *word)
{
	static const char harmless[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_./=:,+-@%";

	if (*word && !word[strspn(word, harmless)]) {
		fputs(word, stderr);
		return;
	}
	fputc('\'', stderr);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", stderr);
		fputc(*word, stderr);
	}
	fputc('\'', stderr);
}

/* Where to go on: to what was seen, or to why nothing was. */
static void print_next(const struct weir_collector_report *report,
		       const char *dir, char **command)
{
	if (report->news != WEIR_COLLECTOR_DONE || report->pack_error ||
	    report->totals.events) {
		fputs("to see it: weir report ", stderr);
		print_word(dir);
		fputc('\n', stderr);
		return;
	}
	fprintf(stderr, "nothing was recorded; to see why: weir doctor "
		"--trace %s --", dir);
	for (; *command; command++) {
		fputc(' ', stderr);
		print_word(*command);
	}
	fputc('\n', stderr);
}

/* Of a trace that is whole, and nobody else's. */
static bool is_advisable(const struct weir_collector_report *report)
{
	return report->news == WEIR_COLLECTOR_DONE && !report->pack_error &&
	       !report->single && report->totals.events;
}

void weir_summary_print(const struct weir_collector_report *report,
			const struct weir_summary_ask *ask)
{
	struct weir_reader *reader = NULL;
	struct figures figures = { 0 };

	if (report->news == WEIR_COLLECTOR_WAITS) {
		fputs("weir: ", stderr);
		if (report->running)
			print_count(report->running, "process", "es");
		else /* one that has not made a call yet */
			fputs("a process", stderr);
		fputs(" still running in the background; recording goes on "
		      "until the last has ended\n",
		      stderr);
	} else if (!report->pack_error && report->single) {
		print_own(&report->totals); /* others are in there too */
	} else if (!report->pack_error &&
		   !read_figures(ask->dir, &figures, &reader)) {
		print_figures(report, &figures);
		print_killed(reader);
	}
	print_ring(report);
	print_hidden(report->hidden);
	weir_summary_warn(report);
	if (ask->advise && figures.whole && is_advisable(report))
		ask->advise(&figures.facts);
	weir_runfacts_fini(&figures.facts);
	weir_reader_close(reader);
	fputs("weir: ", stderr);
	if (report->totals.bytes)
		print_bytes(report->totals.bytes, " of trace; ");
	print_next(report, ask->dir, ask->command);
}
