/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run left behind, in a few lines. */
#include "launch/summary.h"

#include "launch/collector.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

uint64_t weir_summary_missing(const struct weir_collector_report *report)
{
	return report->dropped + report->lost;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_losses(const struct weir_collector_report *report)
{
	if (report->dropped)
		fprintf(stderr,
			"weir: %llu call%s not recorded: the buffer was full; "
			"try a larger --buffer\n",
			(number)report->dropped, plural(report->dropped));
	if (report->lost)
		fprintf(stderr,
			"weir: %llu call%s recorded but not stored: no room "
			"in the trace directory\n",
			(number)report->lost, plural(report->lost));
	if (report->raw_error)
		fprintf(stderr, "weir: the trace is not complete: %s\n",
			strerror(-report->raw_error));
	if (report->pack_error)
		fprintf(stderr,
			"weir: the trace could not be packed (%s); it is kept "
			"as captured and can be read\n",
			strerror(-report->pack_error));
}

void weir_summary_print(const struct weir_collector_report *report,
			const char *dir)
{
	const struct weir_pack_totals *totals = &report->totals;

	if (report->news == WEIR_COLLECTOR_WAITS) {
		fprintf(stderr,
			"weir: %u process%s still running; recording goes on "
			"until the last has ended\n",
			report->running, report->running == 1 ? "" : "es");
	} else if (!report->pack_error) {
		fprintf(stderr, "weir: %llu call%s of %llu process%s in %.1f "
				"KiB\n",
			(number)totals->events, plural(totals->events),
			(number)totals->processes,
			totals->processes == 1 ? "" : "es",
			(double)totals->bytes / 1024);
	}
	print_losses(report);
	fprintf(stderr, "weir: next: weir dump %s\n", dir);
}
