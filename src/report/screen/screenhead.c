/* SPDX-License-Identifier: BSD-3-Clause */
/* Says of a run what ran, when, where, and how much it moved. */
#include "report/screen/screen.h"

#include "analyse/sums/headline.h"
#include "analyse/view/who.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <string.h>

static const char *plural(uint64_t count, const char *more)
{
	return count == 1 ? "" : more;
}

/* Of a parallel program the first rank's: all ranks have the same. */
static void say_command(const struct weir_screen *s)
{
	const struct weir_procinfo *first;

	weir_who_own(s->reader, &first);
	weir_screen_print(s, "command   ");
	for (size_t i = 0; first && i < first->arg_count; i++) {
		weir_screen_print(s, " ");
		weir_text_safe(s->out, first->args[i], strlen(first->args[i]));
	}
	weir_screen_print(s, first && first->arg_count ? "\n" : " not known\n");
}

/* Without calls there is no first moment to count from. */
static void say_time(const struct weir_screen *s)
{
	const struct weir_row *total = &s->totals->total;
	char stamp[WEIR_MEASURES_ROOM];

	if (!total->first)
		return;
	weir_screen_print(
		s,
		"when       %s, for %.3f s from the first call to the last\n",
		weir_measures_moment(stamp, total->first),
		(double)(total->last - total->first) / 1e9);
}

/* Servers are no processes of the program: they are left out of the count. */
static void say_place(const struct weir_screen *s)
{
	uint64_t processes = weir_who_own(s->reader, NULL);
	const struct weir_nodeinfo *node;
	uint32_t hosts = 0;

	weir_screen_print(s,
			  "where      %" PRIu64 " process%s with %" PRIu64
			  " thread%s on",
			  processes, plural(processes, "es"),
			  s->totals->threads, plural(s->totals->threads, "s"));
	for (; (node = weir_reader_node(s->reader, hosts)); hosts++) {
		if (hosts < 8) {
			weir_screen_print(s, "%s ", hosts ? "," : "");
			weir_text_safe(s->out, node->host, strlen(node->host));
		}
	}
	if (hosts > 8)
		weir_screen_print(s, ", and %" PRIu32 " more", hosts - 8);
	weir_screen_print(s, "\n");
}

static void say_amounts(const struct weir_screen *s,
			const struct weir_headline *h)
{
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char copied[WEIR_MEASURES_ROOM];
	const struct {
		uint64_t count;
		const char *what;
	} others[] = { { h->objects, "dataset" }, { h->channels, "pipe" } };

	weir_screen_print(s,
			  "moved      %s read, %s written%s%s, by %" PRIu64
			  " call%s on %" PRIu64 " file%s",
			  weir_measures_bytes(read, h->read),
			  weir_measures_bytes(written, h->written),
			  h->copied ? ", copied " : "",
			  h->copied ? weir_measures_bytes(copied, h->copied)
				    : "",
			  h->calls, plural(h->calls, "s"), h->files,
			  plural(h->files, "s"));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].count)
			weir_screen_print(s, ", %" PRIu64 " %s%s",
					  others[i].count, others[i].what,
					  plural(others[i].count, "s"));
	weir_screen_print(s, "\n");
}

static void say_shared(const struct weir_screen *s,
		       const struct weir_filesum *sum)
{
	weir_screen_print(s, "; %" PRIu64 " used by several processes",
			  sum->shared);
	if (sum->across)
		weir_screen_print(s, ", %" PRIu64 " of them across nodes",
				  sum->across);
	if (!s->totals->has_sums && sum->shared)
		weir_screen_print(s,
				  ", %" PRIu64 " written by one and read by "
				  "another",
				  sum->passed_on);
}

/* All of them together: how large, how shared, how often used again. */
static void say_files(const struct weir_screen *s)
{
	struct weir_filesum sum = weir_filesum_of(s->totals, &s->facts->files);
	char size[WEIR_MEASURES_ROOM], again[WEIR_MEASURES_ROOM];

	if (!sum.files)
		return;
	weir_screen_print(s, "files      %s in %" PRIu64 " file%s",
			  weir_measures_bytes(size, sum.size), sum.files,
			  plural(sum.files, "s"));
	say_shared(s, &sum);
	if (sum.again)
		weir_screen_print(s, "; %s read once more",
				  weir_measures_bytes(again, sum.again));
	weir_screen_print(s, "\n");
}

/* Whose time it is, where there are several. */
static void say_whose(const struct weir_screen *s, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(s->reader, proc);

	if (s->totals->processes.count < 2 || !process)
		return;
	if (weir_procinfo_rank(process) >= 0)
		weir_screen_print(s, " of rank %" PRIi64,
				  weir_procinfo_rank(process));
	else
		weir_screen_print(s, " of process %" PRIu32, process->pid);
	weir_screen_print(s, ", the slowest");
}

/* What is no I/O is told beside it, by its own name. */
static void say_other_times(const struct weir_screen *s,
			    const struct weir_headline *h)
{
	char time[WEIR_MEASURES_ROOM];

	for (int i = WEIR_IOTIME_IO + 1; i < WEIR_IOTIME_PARTS; i++)
		if (h->parts[i].time)
			weir_screen_print(
				s, "           %9s %s\n",
				weir_measures_time(time, h->parts[i].time),
				weir_headline_title(i));
}

static void say_totals(const struct weir_screen *s)
{
	struct weir_headline h = weir_headline_of(s->totals);
	const struct weir_headline_part *io = &h.parts[WEIR_IOTIME_IO];
	char time[WEIR_MEASURES_ROOM];

	say_amounts(s, &h);
	say_files(s);
	if (s->totals->is_untimed) {
		weir_screen_print(s, "in I/O     not known: records of --ring "
				     "do not tell how long calls took\n");
		return;
	}
	weir_screen_print(s, "in I/O     %s",
			  weir_measures_time(time, io->time));
	if (io->proc)
		say_whose(s, io->proc);
	if (h.span)
		weir_screen_print(s, ", %.1f%% of the run",
				  100.0 * (double)io->time / (double)h.span);
	weir_screen_print(s, "\n");
	say_other_times(s, &h);
	if (s->totals->has_sums)
		weir_screen_print(s, "           sums do not tell which calls "
				     "overlapped: threads are added up\n");
	if (h.timed < h.calls)
		weir_screen_print(s,
				  "           times are estimated: %" PRIu64
				  " of %" PRIu64 " calls were timed\n",
				  h.timed, h.calls);
}

/* First of all: whoever reads on knows that it is of a part only. */
static void say_damage(const struct weir_screen *s)
{
	const struct weir_reader_losses *l = &s->totals->losses;

	if (!weir_reader_is_damaged(s->reader))
		return;
	weir_text_paint(s->out, WEIR_TEXT_RED);
	weir_screen_print(s,
			  "damaged    only the intact part of the trace is in "
			  "these figures");
	weir_text_paint(s->out, WEIR_TEXT_PLAIN);
	weir_screen_print(s, "\n           ");
	if (l->damaged_blocks)
		weir_screen_print(
			s,
			"%" PRIu64 " damaged part%s, with %" PRIu64 " call%s; ",
			l->damaged_blocks, plural(l->damaged_blocks, "s"),
			l->damaged_events, plural(l->damaged_events, "s"));
	if (l->unended)
		weir_screen_print(s, "%" PRIu32 " file%s cut short; ",
				  l->unended, plural(l->unended, "s"));
	if (l->refused)
		weir_screen_print(s, "%" PRIu32 " file%s that %s no trace%s; ",
				  l->refused, plural(l->refused, "s"),
				  l->refused == 1 ? "is" : "are",
				  plural(l->refused, "s"));
	weir_screen_print(s, "weir info tells more\n");
}

void weir_screenhead_write(const struct weir_screen *screen)
{
	say_damage(screen);
	say_command(screen);
	say_time(screen);
	say_place(screen);
	weir_screenends_write(screen);
	say_totals(screen);
}
