/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#include "report/as_screen.h"

#include "analyse/sums/headline.h"
#include "analyse/view/who.h"
#include "report/as_advice.h"
#include "report/as_plan.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR 40 /* letters of the longest */

/* One report being written. */
struct screen {
	struct weir_text *out;
	const struct weir_runfacts *facts;
	const struct weir_totals *totals; /* of the facts */
	const struct weir_reader *reader;
	uint64_t top;
	int details;
};

static void print_format(const struct screen *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void print_format(const struct screen *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	weir_text_format_list(s->out, format, args);
	va_end(args);
}

static const char *plural(uint64_t count, const char *more)
{
	return count == 1 ? "" : more;
}

/* Of a parallel program the first rank's: all ranks have the same. */
static void say_command(const struct screen *s)
{
	const struct weir_procinfo *first;

	weir_who_own(s->reader, &first);
	print_format(s, "command   ");
	for (size_t i = 0; first && i < first->arg_count; i++) {
		print_format(s, " ");
		weir_text_safe(s->out, first->args[i], strlen(first->args[i]));
	}
	print_format(s, first && first->arg_count ? "\n" : " not known\n");
}

/* Without calls there is no first moment to count from. */
static void say_time(const struct screen *s)
{
	const struct weir_row *total = &s->totals->total;
	char stamp[WEIR_MEASURES_ROOM];

	if (!total->first)
		return;
	print_format(
		s,
		"when       %s, for %.3f s from the first call to the last\n",
		weir_measures_moment(stamp, total->first),
		(double)(total->last - total->first) / 1e9);
}

/* Servers are no processes of the program: they are left out of the count. */
static void say_place(const struct screen *s)
{
	uint64_t processes = weir_who_own(s->reader, NULL);
	const struct weir_nodeinfo *node;
	uint32_t hosts = 0;

	print_format(s,
		     "where      %" PRIu64 " process%s with %" PRIu64
		     " thread%s on",
		     processes, plural(processes, "es"), s->totals->threads,
		     plural(s->totals->threads, "s"));
	for (; (node = weir_reader_node(s->reader, hosts)); hosts++) {
		if (hosts < 8) {
			print_format(s, "%s ", hosts ? "," : "");
			weir_text_safe(s->out, node->host, strlen(node->host));
		}
	}
	if (hosts > 8)
		print_format(s, ", and %" PRIu32 " more", hosts - 8);
	print_format(s, "\n");
}

static void say_amounts(const struct screen *s, const struct weir_headline *h)
{
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char copied[WEIR_MEASURES_ROOM];
	const struct {
		uint64_t count;
		const char *what;
	} others[] = { { h->objects, "dataset" }, { h->channels, "pipe" } };

	print_format(s,
		     "moved      %s read, %s written%s%s, by %" PRIu64
		     " call%s on %" PRIu64 " file%s",
		     weir_measures_bytes(read, h->read),
		     weir_measures_bytes(written, h->written),
		     h->copied ? ", copied " : "",
		     h->copied ? weir_measures_bytes(copied, h->copied) : "",
		     h->calls, plural(h->calls, "s"), h->files,
		     plural(h->files, "s"));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].count)
			print_format(s, ", %" PRIu64 " %s%s", others[i].count,
				     others[i].what,
				     plural(others[i].count, "s"));
	print_format(s, "\n");
}

/* Whose time it is, where there are several. */
static void say_whose(const struct screen *s, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(s->reader, proc);

	if (s->totals->processes.count < 2 || !process)
		return;
	if (weir_procinfo_rank(process) >= 0)
		print_format(s, " of rank %" PRIi64,
			     weir_procinfo_rank(process));
	else
		print_format(s, " of process %" PRIu32, process->pid);
	print_format(s, ", the slowest");
}

/* What is no I/O is told beside it, by its own name. */
static void say_other_times(const struct screen *s,
			    const struct weir_headline *h)
{
	char time[WEIR_MEASURES_ROOM];

	for (int i = WEIR_IOTIME_IO + 1; i < WEIR_IOTIME_PARTS; i++)
		if (h->parts[i].time)
			print_format(s, "           %9s %s\n",
				     weir_measures_time(time,
							h->parts[i].time),
				     weir_headline_title(i));
}

static void say_totals(const struct screen *s)
{
	struct weir_headline h = weir_headline_of(s->totals);
	const struct weir_headline_part *io = &h.parts[WEIR_IOTIME_IO];
	char time[WEIR_MEASURES_ROOM];

	say_amounts(s, &h);
	print_format(s, "in I/O     %s", weir_measures_time(time, io->time));
	if (io->proc)
		say_whose(s, io->proc);
	if (h.span)
		print_format(s, ", %.1f%% of the run",
			     100.0 * (double)io->time / (double)h.span);
	print_format(s, "\n");
	say_other_times(s, &h);
	if (s->totals->has_sums)
		print_format(s, "           sums do not tell which calls "
			     "overlapped: threads are added up\n");
	if (h.timed < h.calls)
		print_format(s,
			     "           times are estimated: %" PRIu64
			     " of %" PRIu64 " calls were timed\n",
			     h.timed, h.calls);
}

/* Failed calls moved nothing: the mean size is that of the others. */
static void say_cell(const struct screen *s, enum weir_callclass class,
		     const char *name, struct weir_cell sum)
{
	char bytes[WEIR_MEASURES_ROOM] = "", mean[WEIR_MEASURES_ROOM] = "";
	char time[WEIR_MEASURES_ROOM], longest[WEIR_MEASURES_ROOM];
	char each[WEIR_MEASURES_ROOM];
	uint64_t good = sum.calls - sum.failed;

	if (!sum.calls)
		return;
	if (weir_callclass_moves(class)) {
		weir_measures_bytes(bytes, sum.bytes);
		weir_measures_bytes(mean, good ? sum.bytes / good : 0);
	}
	print_format(
		s, "  %-12s %11" PRIu64 " %8" PRIu64 " %10s %10s %9s %9s %9s\n",
		name, sum.calls, sum.failed, bytes, mean,
		weir_measures_time(time, sum.time),
		weir_measures_time(each, sum.time / sum.calls),
		weir_measures_time(longest, sum.longest));
}

/* What waits for others stands by itself, whatever its calls do. */
static int say_classes(const struct screen *s)
{
	struct weir_cell all = { 0 };
	struct weir_row others, waits;
	int err = weir_totals_apart(s->totals, &others, &waits);

	print_format(s, "\n  %-12s %11s %8s %10s %10s %9s %9s %9s\n", "what",
		     "calls", "failed", "bytes", "mean size", "time", "mean",
		     "slowest");
	for (int class = 0; !err && class < WEIR_CLASS_COUNT; class++) {
		struct weir_cell sum =
			weir_totals_sum(s->totals, &waits, class);

		if (!weir_callclass_is_inner(class))
			weir_cell_merge(&all, &sum);
		say_cell(s, class, weir_callclass_name(class),
			 weir_totals_sum(s->totals, &others, class));
	}
	if (!err)
		say_cell(s, WEIR_CLASS_READ, "on pipes", all);
	weir_row_fini(&others);
	weir_row_fini(&waits);
	return err;
}

/* Thousandths of the calls that took no longer; the last is the slowest. */
static void say_spread(const struct screen *s, unsigned layer, int class)
{
	static const unsigned parts[] = { 100, 500, 900, 990, 999, 1000 };
	const struct weir_spread *times =
		&s->facts->spreads.times[layer][class];
	char time[WEIR_MEASURES_ROOM];

	if (!times->count)
		return;
	print_format(s, "  %-8s %-12s %10" PRIu64,
		     weir_callviews_layer_name(layer),
		     weir_callclass_name(class), times->count);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		print_format(s, " %9s",
			     weir_measures_time(
				     time, weir_spread_at(times, parts[i])));
	print_format(s, "\n");
}

static void say_spreads(const struct screen *s)
{
	if (s->totals->has_sums)
		return; /* which have classes of fours only */
	print_format(s,
		     "\nhow long calls took (within 0.4%%)\n"
		     "  %-8s %-12s %10s %9s %9s %9s %9s %9s %9s\n",
		     "layer", "what", "calls", "10%", "half", "90%", "99%",
		     "99.9%", "slowest");
	for (unsigned layer = WEIR_CALLVIEW_LAYERS; layer-- > 1;)
		for (int class = 0; class < WEIR_CLASS_COUNT; class++)
			say_spread(s, layer, class);
}

/* Bars are rounded up: a size that occurred at all is seen. */
static void say_bars(const struct screen *s, enum weir_callclass class)
{
	struct weir_cell sum = weir_totals_sum(
		s->totals, &s->totals->total, class);
	uint64_t most = 1;
	int first = 1;

	if (!sum.calls || !weir_callclass_has_size(class))
		return;
	for (int i = 0; i < WEIR_SUM_SIZES; i++)
		most = sum.sizes[i] > most ? sum.sizes[i] : most;
	for (int i = 0; i < WEIR_SUM_SIZES; i++) {
		char bar[BAR + 1];
		size_t length = (size_t)((double)sum.sizes[i] * BAR /
						 (double)most + 0.999);

		if (!sum.sizes[i])
			continue;
		memset(bar, '#', sizeof(bar));
		bar[length < BAR ? length : BAR] = 0;
		print_format(s, "  %-12s %9s %11" PRIu64 " %s\n",
			     first ? weir_callclass_name(class) : "",
			     weir_measures_size_class(i), sum.sizes[i], bar);
		first = 0;
	}
}

static void say_sizes(const struct screen *s)
{
	print_format(s, "\nsizes that calls asked for\n");
	for (int class = 0; class < WEIR_CLASS_COUNT; class++)
		say_bars(s, class);
}

static void say_digest(const struct screen *s, const struct weir_digest *d)
{
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char time[WEIR_MEASURES_ROOM], longest[WEIR_MEASURES_ROOM];

	print_format(s, "  %9s %9s %10s %10s %10" PRIu64 "  ",
		     weir_measures_time(time, d->time),
		     weir_measures_time(longest, d->longest),
		     weir_measures_bytes(read, d->read),
		     weir_measures_bytes(written, d->written), d->calls);
}

static void say_heading(const struct screen *s, const char *title,
			const char *last)
{
	print_format(s, "\n%s\n  %9s %9s %10s %10s %10s  %s\n", title, "time",
		     "slowest", "read", "written", "calls", last);
}

static void say_file(const struct screen *s, const struct weir_digest *d)
{
	size_t len = 0;
	const char *name = weir_names_get(&s->totals->names,
					  (uint32_t)d->row->key, &len);

	say_digest(s, d);
	if (name)
		weir_text_safe(s->out, name, len);
	else
		print_format(s, "(no file, or an unknown one)");
	if (d->row->processes > 1)
		print_format(s, " (%" PRIu32 " processes)", d->row->processes);
	print_format(s, "\n");
}

static void say_rows(const struct screen *s, const uint32_t *files,
		     size_t count)
{
	const struct weir_totals *f = s->totals;

	for (size_t i = 0; i < count && i < s->top; i++) {
		struct weir_digest file = weir_totals_digest(
			f, weir_stock_at(&f->files, files[i]));

		say_file(s, &file);
	}
	if (count > s->top)
		print_format(s, "  and %zu more\n", count - (size_t)s->top);
}

/*
 * What did not fit into memory was added up; it stands in one row at the end,
 * so that the sums of the table are those of the run. What waits for others
 * tells nothing of the storage, and stands behind the files.
 */
static int say_files(const struct screen *s, enum weir_totals_order order)
{
	const struct weir_totals *f = s->totals;
	struct weir_digest file;
	uint32_t *files;
	int err = weir_totals_sort_files(f, order, &files);
	size_t count = f->files.count;

	if (err)
		return err;
	while (order == WEIR_ORDER_TIME && count &&
	       weir_stock_at(&f->files, files[count - 1])->is_channel)
		count--;
	say_heading(s, order == WEIR_ORDER_TIME ? "files by time"
						: "files by bytes moved",
		    "file");
	say_rows(s, files, count);
	if (f->folded) {
		file = weir_totals_digest(f, &f->others);
		say_digest(s, &file);
		print_format(s, "(%" PRIu64 " files added up)\n", f->folded);
	}
	if (count < f->files.count && s->details) {
		say_heading(s, "pipes, sockets and terminals by time", "name");
		say_rows(s, files + count, f->files.count - count);
	} else if (count < f->files.count) {
		print_format(s, "  and %zu pipes, sockets and terminals "
			     "(--details)\n", f->files.count - count);
	}
	free(files);
	return 0;
}

/* Of a profile it is not known which layer called which. */
static void say_sum_layers(const struct screen *s)
{
	const struct weir_totals *f = s->totals;
	const char *layer;

	if (!weir_totals_layer(f, 0))
		return; /* the trace does not tell */
	say_heading(s, "layers", "layer");
	for (unsigned i = 0; (layer = weir_totals_layer(f, i)); i++) {
		struct weir_digest digest =
			weir_totals_layer_digest(f, &f->total, layer);

		say_digest(s, &digest);
		weir_text_safe(s->out, layer, strlen(layer));
		print_format(s, "\n");
	}
}

static const char *rate(char to[WEIR_MEASURES_ROOM + 2], uint64_t bytes,
			uint64_t ns)
{
	char amount[WEIR_MEASURES_ROOM];
	double each = ns ? (double)bytes * 1e9 / (double)ns : 0;

	to[0] = 0;
	if (each > 0 && each < 0x1p64) /* else nobody measured it */
		snprintf(to, WEIR_MEASURES_ROOM + 2, "%s/s",
			 weir_measures_bytes(amount, (uint64_t)each));
	return to;
}

/*
 * Own time is without that of the layers below, of all processes added up; the
 * rate is that of all of them together, as the program itself tells it.
 */
static void say_layer(const struct screen *s, unsigned layer, uint64_t all)
{
	const struct weir_layer_sum *sum = &s->facts->layers[layer];
	uint64_t self = weir_layer_sum_self(sum);
	uint64_t busy = s->totals->times.layers[layer].time;
	char own[WEIR_MEASURES_ROOM], whole[WEIR_MEASURES_ROOM];
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char speed[WEIR_MEASURES_ROOM + 2];

	if (!sum->calls)
		return;
	print_format(s, "  %-8s %9s", weir_callviews_layer_name(layer),
		     weir_measures_time(own, self));
	if (weir_callviews_is_far(layer))
		print_format(s, " %5s", ""); /* nobody waits for all of it */
	else
		print_format(s, " %4.0f%%",
			     all ? 100.0 * (double)self / (double)all : 0.0);
	print_format(s, " %9s %10s %10s %11s %11" PRIu64 "\n",
		     weir_measures_time(whole, busy),
		     weir_measures_bytes(read, sum->read),
		     weir_measures_bytes(written, sum->written),
		     rate(speed, sum->read + sum->written, busy),
		     sum->calls);
}

/* From the application down: who reads finds the layer that is called first. */
static void say_layers(const struct screen *s)
{
	uint64_t all = 0;

	if (s->totals->has_sums) {
		say_sum_layers(s);
		return;
	}
	for (unsigned i = 0; i < WEIR_CALLVIEW_LAYERS; i++)
		if (!weir_callviews_is_far(i))
			all += weir_layer_sum_self(&s->facts->layers[i]);
	print_format(s, "\n  %-8s %9s %5s %9s %10s %10s %11s %11s\n", "layer",
		     "own time", "", "busy", "read", "written", "rate",
		     "calls");
	for (unsigned i = WEIR_CALLVIEW_LAYERS; i-- > 1;)
		say_layer(s, i, all);
}

/* A process whose description was lost still has its figures. */
static int say_processes(const struct screen *s)
{
	const struct weir_totals *f = s->totals;
	struct weir_digest *all;
	int err = weir_totals_sort(f, WEIR_ORDER_TIME, &all);

	if (err)
		return err;
	say_heading(s, "processes by time", "pid and program");
	for (size_t i = 0; i < f->processes.count && i < s->top; i++) {
		const struct weir_procinfo *process = weir_reader_process(
			s->reader, (uint32_t)all[i].row->key);

		say_digest(s, &all[i]);
		print_format(s, "%" PRIu32 " ", process ? process->pid : 0);
		if (process && weir_procinfo_rank(process) >= 0)
			print_format(s, "rank %" PRIi64 " ",
				     weir_procinfo_rank(process));
		if (process && process->exe)
			weir_text_safe(s->out, process->exe,
				       strlen(process->exe));
		print_format(s, "\n");
	}
	if (f->processes.count > s->top)
		print_format(s, "  and %zu more\n",
			     f->processes.count - (size_t)s->top);
	free(all);
	return 0;
}

static void say_count(const struct screen *s, uint64_t count, const char *what)
{
	if (count)
		print_format(s, "  %10" PRIu64 " %s\n", count, what);
}

/*
 * Told even when there is nothing to tell: silence would not say whether
 * anybody has looked.
 */
static void say_unseen(const struct screen *s)
{
	const struct weir_reader_losses *l = &s->totals->losses;
	struct weir_unrecorded_count none =
		weir_unrecorded_sum(&l->unrecorded);

	print_format(s, "\nnot in these figures\n");
	say_count(s, l->hidden[0],
		  "polls of unfinished operations (weir run "
		  "--all)");
	say_count(s, l->hidden[1], "calls on files of the system and of "
				   "languages (weir run --all)");
	say_count(s, l->hidden[2], "calls on files that were left out");
	say_count(s, l->hidden[3], "calls while recording was switched off");
	say_count(s, l->dropped, "calls that found the buffer full "
				 "(weir run --buffer)");
	say_count(s, l->lost, "calls that could not be stored");
	say_count(s, s->totals->entered, "calls that never returned");
	say_count(s, none.processes, "processes that could not be recorded");
	say_count(s, l->damaged_blocks, "damaged parts of the trace");
	say_count(s, l->unended, "files of the trace that were cut short");
	say_count(s, l->refused, "files in the directory that are not traces");
	if (!l->hidden[0] && !l->hidden[1] && !l->hidden[2] && !l->hidden[3] &&
	    !l->dropped && !l->lost && !s->totals->entered &&
	    !none.processes && !l->damaged_blocks && !l->unended && !l->refused)
		print_format(s, "  nothing known\n");
}

int weir_as_screen_write(struct weir_text *out,
			 const struct weir_as_screen *what)
{
	const struct screen s = { out, what->facts, &what->facts->totals,
				  what->reader, what->top, what->details };
	int err;

	say_command(&s);
	say_time(&s);
	say_place(&s);
	say_totals(&s);
	say_layers(&s);
	weir_as_plan_text(out, what->facts);
	weir_as_advice_text(out, what->facts, what->findings,
			    what->details ? UINT64_MAX : what->top);
	if (what->details) {
		err = say_classes(&s);
		if (err)
			return err;
		say_spreads(&s);
		say_sizes(&s);
	}
	err = say_files(&s, WEIR_ORDER_TIME);
	if (!err && what->details)
		err = say_files(&s, WEIR_ORDER_BYTES);
	err = err ? err : say_processes(&s);
	say_unseen(&s);
	return err;
}
