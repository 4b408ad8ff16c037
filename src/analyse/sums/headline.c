/* SPDX-License-Identifier: BSD-3-Clause */
/* The few figures of a run that every screen shows, so that they agree. */
#include "analyse/sums/headline.h"

static const struct {
	const char *title, *key;
} parts[WEIR_IOTIME_PARTS] = {
	[WEIR_IOTIME_IO] = { "in I/O", "io" },
	[WEIR_IOTIME_WAITING] = { "waiting on pipes, sockets and terminals",
				  "waiting" },
	[WEIR_IOTIME_STARTING] = { "starting processes", "starting" },
	[WEIR_IOTIME_LIBRARY] = { "starting and ending MPI", "library" },
};

const char *weir_headline_title(enum weir_iotime_part part)
{
	return parts[part].title;
}

const char *weir_headline_key(enum weir_iotime_part part)
{
	return parts[part].key;
}

/* What has a row of its own, and is no file. */
static void count_others(const struct weir_totals *totals,
			 struct weir_headline *to)
{
	for (size_t i = 0; i < totals->files.count; i++) {
		const struct weir_row *row = weir_stock_at(&totals->files, i);

		if (weir_totals_is_object(totals, row))
			to->objects++;
		else if (row->key && row->is_channel)
			to->channels++;
	}
}

struct weir_headline weir_headline_of(const struct weir_totals *totals)
{
	const struct weir_row *total = &totals->total;
	struct weir_digest all = weir_totals_digest(totals, total);
	struct weir_headline headline = {
		.calls = all.calls, .failed = all.failed, .timed = all.timed,
		.read = all.read, .written = all.written,
		.copied = weir_totals_sum(totals, total,
					  WEIR_CLASS_COPY).bytes,
		.files = totals->folded + weir_stock_files(&totals->files),
		.span = total->last - total->first,
	};

	count_others(totals, &headline);
	headline.files -= headline.objects + headline.channels;
	for (int i = 0; i < WEIR_IOTIME_PARTS; i++) {
		struct weir_headline_part *part = &headline.parts[i];

		part->time = weir_iotime_most(&totals->times,
					      (enum weir_iotime_part)i,
					      &part->proc).time;
	}
	return headline;
}
