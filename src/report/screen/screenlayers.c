/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of layers. */
#include "report/screen/screen.h"

#include "analyse/sums/headline.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>

/* Of a profile it is not known which layer called which, nor when. */
static void say_sum_layer(const struct weir_screen *s, unsigned layer)
{
	const struct weir_layer_sum *sum = &s->facts->layers[layer];
	char whole[WEIR_MEASURES_ROOM], read[WEIR_MEASURES_ROOM];
	char written[WEIR_MEASURES_ROOM];

	if (sum->calls)
		weir_screen_print(s, "  %-8s %9s %5s %9s %10s %10s %11s %11"
				  PRIu64 "\n",
				  weir_callviews_layer_name(layer), "", "",
				  weir_screen_time(s, whole, sum->time),
				  weir_measures_bytes(read, sum->read),
				  weir_measures_bytes(written, sum->written),
				  "", sum->calls);
}

/* With these the table has all calls, and all bytes that the system moved. */
static void say_parts(const struct weir_screen *s)
{
	struct weir_headline headline = weir_headline_of(s->totals);
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];

	for (int i = WEIR_IOTIME_IO + 1; i < WEIR_IOTIME_PARTS; i++) {
		const struct weir_headline_part *part = &headline.parts[i];

		if (!part->calls)
			continue;
		weir_screen_print(s, "  not above: %" PRIu64 " call%s %s",
				  part->calls, part->calls == 1 ? "" : "s",
				  weir_headline_title(
					  (enum weir_iotime_part)i));
		if (part->read || part->written)
			weir_screen_print(
				s, " (%s read, %s written)",
				weir_measures_bytes(read, part->read),
				weir_measures_bytes(written, part->written));
		weir_screen_print(s, "\n");
	}
	if (s->totals->behind)
		weir_screen_print(s, "  client and below: what became of calls "
				  "that were forwarded, no calls by "
				  "themselves\n");
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
static void say_layer(const struct weir_screen *s, unsigned layer, uint64_t all)
{
	const struct weir_layer_sum *sum = &s->facts->layers[layer];
	uint64_t self = weir_layer_sum_self(sum);
	uint64_t busy = weir_iotime_busy(&s->totals->times, layer);
	char own[WEIR_MEASURES_ROOM], whole[WEIR_MEASURES_ROOM];
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char speed[WEIR_MEASURES_ROOM + 2];

	if (!sum->calls)
		return;
	weir_screen_print(s, "  %-8s %9s", weir_callviews_layer_name(layer),
			  weir_screen_time(s, own, self));
	if (weir_callviews_is_far(layer) || s->totals->is_untimed)
		weir_screen_print(s, " %5s",
				  ""); /* nobody waits for all of it */
	else
		weir_screen_print(s, " %4.0f%%",
				  all ? 100.0 * (double)self / (double)all
				      : 0.0);
	weir_screen_print(s, " %9s %10s %10s %11s %11" PRIu64 "\n",
			  weir_screen_time(s, whole, busy),
			  weir_measures_bytes(read, sum->read),
			  weir_measures_bytes(written, sum->written),
			  rate(speed, sum->read + sum->written, busy),
			  sum->calls);
}

/* From the application down: who reads finds the layer that is called first. */
void weir_screenlayers_write(const struct weir_screen *screen)
{
	int has_sums = screen->totals->has_sums;
	uint64_t all = 0;

	for (unsigned i = 0; i < WEIR_CALLVIEW_LAYERS; i++)
		if (!weir_callviews_is_far(i))
			all += weir_layer_sum_self(
				&screen->facts->layers[i]);
	weir_screen_print(screen, "\n  %-8s %9s %5s %9s %10s %10s %11s %11s\n",
			  "layer", has_sums ? "" : "own time", "",
			  has_sums ? "added up" : "busy", "read", "written",
			  has_sums ? "" : "rate", "calls");
	for (unsigned i = WEIR_CALLVIEW_LAYERS; i-- > 1;) {
		if (has_sums)
			say_sum_layer(screen, i);
		else
			say_layer(screen, i, all);
	}
	say_parts(screen);
}
