/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in a few lines what a run left behind. */
#include "launch/run/summary.h"

#include "analyse/findings/runfacts.h"
#include "base/clock.h"
#include "launch/collect/collector_report.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Nobody should wait for figures: a long trace is not read to its end. */
#define PATIENCE UINT64_C(150000000)

#define MOST_LAYERS 8

struct figures {
	uint64_t threads, files, bytes_read, bytes_written, span;
	uint64_t marks; /* what is said by programs and by us: no calls */
	uint64_t passed; /* what became of calls that were forwarded: neither */
	uint64_t servers; /* processes of ours, that did it */
	struct weir_pending pending;
	struct {
		char name[16]; /* beside those of libc */
		uint64_t calls;
	} layers[MOST_LAYERS];
	bool whole; /* the trace was read to its end */
};

uint64_t weir_summary_missing(const struct weir_collector_report *report)
{
	struct weir_unrecorded_count none =
		weir_unrecorded_sum(&report->unrecorded);

	return report->dropped + report->lost + none.processes + none.calls;
}

/* Bytes moved by the application's own calls, not by those inside others. */
static void add_event(struct figures *figures, const struct weir_call *call,
		      const struct weir_event *event)
{
	uint64_t bytes;

	if (!call || event->depth || event->ret < 0 || call->is_served)
		return;
	bytes = weir_dictionary_moved(call, event);
	if (weir_call_is(call, WEIR_MEANS_READ) ||
	    weir_call_is(call, WEIR_MEANS_STREAM_READ))
		figures->bytes_read += bytes;
	else if (weir_call_is(call, WEIR_MEANS_WRITE) ||
		 weir_call_is(call, WEIR_MEANS_STREAM_WRITE))
		figures->bytes_written += bytes;
}

/* How the tables are called whose calls every program makes. */
static bool is_of_libc(const char *layer)
{
	static const char *const plain[] = {"posix", "stdio", "async"};

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (!strcmp(layer, plain[i]))
			return true;
	return false;
}

static void count_layer(struct figures *figures, const struct weir_call *call)
{
	if (!call || !call->layer || is_of_libc(call->layer))
		return;
	if (!strcmp(call->layer, "mark")) {
		figures->marks++;
		return;
	}
	if (call->is_served || !strcmp(call->layer, "client")) {
		figures->passed++;
		return;
	}
	for (int i = 0; i < MOST_LAYERS; i++) {
		if (!figures->layers[i].calls)
			snprintf(figures->layers[i].name,
				 sizeof(figures->layers[i].name), "%s",
				 call->layer);
		if (!strcmp(figures->layers[i].name, call->layer)) {
			figures->layers[i].calls++;
			return;
		}
	}
}

static void read_events(struct weir_reader *reader, struct figures *figures)
{
	uint64_t until = weir_clock_ns(CLOCK_MONOTONIC) + PATIENCE;
	uint64_t first = weir_reader_begin(reader), end;
	const struct weir_call *call;
	struct weir_event event;
	unsigned count = 0;
	int more;

	while ((more = weir_reader_next(reader, &event)) > 0) {
		count++;
		/* By the time of day: each host counts from its own start. */
		end = weir_reader_real(reader, &event) + event.dur;
		if (end - first > figures->span)
			figures->span = end - first;
		call = weir_reader_call(reader, &event);
		add_event(figures, call, &event);
		count_layer(figures, call);
		if (weir_pending_add(&figures->pending, &event, call))
			return;
		if (!(count % 4096) && weir_clock_ns(CLOCK_MONOTONIC) > until)
			return;
	}
	figures->whole = !more;
}

/* The same from sums. */
static int add_sums(struct weir_reader *reader, struct figures *figures)
{
	const struct weir_callviews_filter all = { 0 };
	struct weir_runfacts facts = { 0 };
	const struct weir_totals *totals = &facts.totals;
	struct weir_digest digest;
	int err = weir_runfacts_gather(&facts, reader, &all, 1);

	if (!err) {
		digest = weir_totals_digest(totals, &totals->total);
		figures->bytes_read = digest.read;
		figures->bytes_written = digest.written;
		figures->span = totals->total.last - totals->total.first;
		figures->files = totals->folded +
				 weir_stock_files(&totals->files);
		figures->whole = true;
	}
	weir_runfacts_fini(&facts);
	return err;
}

static int read_figures(const char *dir, struct figures *figures)
{
	struct weir_reader *reader;
	int err = weir_reader_open(dir, &reader);

	if (err)
		return err;
	memset(figures, 0, sizeof(*figures));
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
	figures->files = weir_reader_names(reader);
	if (weir_reader_has_profiles(reader))
		add_sums(reader, figures);
	else
		read_events(reader, figures);
	figures->bytes_read += figures->pending.bytes_read;
	figures->bytes_written += figures->pending.bytes_written;
	weir_pending_fini(&figures->pending);
	weir_reader_close(reader);
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

/* What was recorded of other libraries. */
static void print_layers(const struct figures *figures)
{
	if (!figures->whole || !figures->layers[0].calls)
		return;
	fputs("weir: layers: ", stderr);
	for (int i = 0; i < MOST_LAYERS && figures->layers[i].calls; i++)
		fprintf(stderr, "%s%llu of %s", i ? ", " : "",
			(unsigned long long)figures->layers[i].calls,
			figures->layers[i].name);
	fputs(" among these calls\n", stderr);
}

/* How many are marks is only known of a trace that was read to its end. */
static void print_records(const struct weir_collector_report *report,
			  const struct figures *figures)
{
	uint64_t events = report->totals.events;
	uint64_t others = figures->marks + figures->passed;
	bool whole = figures->whole && others <= events;
	bool are_calls = !report->kept && (whole || !others);

	print_count(whole ? events - others : events,
		    are_calls ? "call" : "record", "s");
}

static void print_figures(const struct weir_collector_report *report,
			  const struct figures *figures)
{
	const struct weir_pack_totals *totals = &report->totals;

	fputs("weir: ", stderr);
	print_records(report, figures);
	fputs(" by ", stderr);
	print_count(totals->processes - figures->servers, "process", "es");
	fputs(" and ", stderr);
	print_count(figures->threads, "thread", "s");
	fputs(" on ", stderr);
	print_count(figures->files, "file", "s");
	if (figures->whole) {
		fprintf(stderr,
			" in %.3f s\nweir: ", (double)figures->span / 1e9);
		print_bytes(figures->bytes_read, " read, ");
		print_bytes(figures->bytes_written, " written");
	}
	fputs("\n", stderr);
	print_layers(figures);
	if (figures->whole && figures->passed) {
		fputs("weir: ", stderr);
		print_count(figures->passed, "record", "s");
		fputs(" of what became of calls that were forwarded\n",
		      stderr);
	}
	if (figures->whole && weir_pending_unseen(&figures->pending)) {
		fputs("weir: ", stderr);
		print_count(figures->pending.submitted,
			    "asynchronous operation", "s");
		fprintf(stderr, " submitted, %llu seen to complete\n",
			(unsigned long long)figures->pending.completed);
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
	struct figures figures;

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
	} else if (!report->pack_error && !read_figures(ask->dir, &figures)) {
		print_figures(report, &figures);
	}
	print_ring(report);
	print_hidden(report->hidden);
	weir_summary_warn(report);
	if (ask->advise && is_advisable(report))
		ask->advise(ask->dir,
			    report->sums ? 0 : report->totals.events);
	fputs("weir: ", stderr);
	if (report->totals.bytes)
		print_bytes(report->totals.bytes, " of trace; ");
	print_next(report, ask->dir, ask->command);
}
