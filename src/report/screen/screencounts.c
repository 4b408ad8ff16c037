/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of calls: by kind, by how long they took, and by size. */
#include "report/screen/screen.h"

#include "report/output/measures.h"

#include <inttypes.h>
#include <string.h>

#define BAR 40 /* letters of the longest */

/* Failed calls moved nothing: the mean size is that of the others. */
static void say_cell(const struct weir_screen *s, enum weir_callclass class,
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
	weir_screen_print(
		s, "  %-12s %11" PRIu64 " %8" PRIu64 " %10s %10s %9s %9s %9s\n",
		name, sum.calls, sum.failed, bytes, mean,
		weir_screen_time(s, time, sum.time),
		weir_screen_time(s, each, sum.time / sum.calls),
		weir_screen_time(s, longest, sum.longest));
}

/* What waits for others stands by itself, whatever its calls do. */
static int say_classes(const struct weir_screen *s)
{
	struct weir_cell all = { 0 };
	struct weir_row others, waits;
	int err = weir_totals_apart(s->totals, &others, &waits);

	weir_screen_print(s, "\n  %-12s %11s %8s %10s %10s %9s %9s %9s\n",
			  "what", "calls", "failed", "bytes", "mean size",
			  "time", "mean", "slowest");
	for (int class = 0; !err && class < WEIR_CLASS_COUNT; class ++) {
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
static void say_spread(const struct weir_screen *s, unsigned layer, int class)
{
	static const unsigned parts[] = { 100, 500, 900, 990, 999, 1000 };
	const struct weir_spread *times =
		&s->facts->spreads.times[layer][class];
	char time[WEIR_MEASURES_ROOM];

	if (!times->count)
		return;
	weir_screen_print(s, "  %-8s %-12s %10" PRIu64,
			  weir_callviews_layer_name(layer),
			  weir_callclass_name(class), times->count);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		weir_screen_print(
			s, " %9s",
			weir_measures_time(time,
					   weir_spread_at(times, parts[i])));
	weir_screen_print(s, "\n");
}

static void say_spreads(const struct weir_screen *s)
{
	if (s->totals->has_sums || s->totals->is_untimed)
		return; /* sums have classes of fours only */
	weir_screen_print(s,
			  "\nhow long calls took (within 0.4%%)\n"
			  "  %-8s %-12s %10s %9s %9s %9s %9s %9s %9s\n",
			  "layer", "what", "calls", "10%", "half", "90%", "99%",
			  "99.9%", "slowest");
	for (unsigned layer = WEIR_CALLVIEW_LAYERS; layer-- > 1;)
		for (int class = 0; class < WEIR_CLASS_COUNT; class ++)
			say_spread(s, layer, class);
}

/* Bars are rounded up: a size that occurred at all is seen. */
static void say_bars(const struct weir_screen *s, enum weir_callclass class)
{
	struct weir_cell sum =
		weir_totals_sum(s->totals, &s->totals->total, class);
	uint64_t most = 1;
	int first = 1;

	if (!sum.calls || !weir_callclass_has_size(class))
		return;
	for (int i = 0; i < WEIR_SUM_SIZES; i++)
		most = sum.sizes[i] > most ? sum.sizes[i] : most;
	for (int i = 0; i < WEIR_SUM_SIZES; i++) {
		char bar[BAR + 1];
		size_t length =
			(size_t)((double)sum.sizes[i] * BAR / (double)most +
				 0.999);

		if (!sum.sizes[i])
			continue;
		memset(bar, '#', sizeof(bar));
		bar[length < BAR ? length : BAR] = 0;
		weir_screen_print(s, "  %-12s %9s %11" PRIu64 " %s\n",
				  first ? weir_callclass_name(class) : "",
				  weir_measures_size_class(i), sum.sizes[i],
				  bar);
		first = 0;
	}
}

static void say_sizes(const struct weir_screen *s)
{
	weir_screen_print(s, "\nsizes that calls asked for\n");
	for (int class = 0; class < WEIR_CLASS_COUNT; class ++)
		say_bars(s, class);
}

int weir_screencounts_write(const struct weir_screen *screen)
{
	int err = say_classes(screen);

	if (err)
		return err;
	say_spreads(screen);
	say_sizes(screen);
	return 0;
}
