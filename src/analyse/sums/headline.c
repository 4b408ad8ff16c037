/* SPDX-License-Identifier: BSD-3-Clause */
/* The few figures of a run that every screen shows, so that they agree. */
#include "analyse/sums/headline.h"

#include "analyse/calls/callviews.h"

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

static enum weir_iotime_part part_of(const struct weir_totals *totals,
				     const struct weir_row *row, uint16_t call)
{
	const struct weir_call *known = totals->calls[call];

	if (totals->classes[call] == WEIR_CLASS_LIBRARY)
		return WEIR_IOTIME_LIBRARY;
	if (totals->classes[call] == WEIR_CLASS_PROCESS)
		return WEIR_IOTIME_STARTING;
	return row->is_channel && known &&
			       weir_callviews_layer_of(known) !=
				       WEIR_CALLVIEW_ASYNC ?
		       WEIR_IOTIME_WAITING : WEIR_IOTIME_IO;
}

/* What is in no layer, as it is no I/O. */
static void count_parts(const struct weir_totals *totals,
			const struct weir_row *row, struct weir_headline *to)
{
	for (uint32_t i = 0; i < row->count; i++) {
		const struct weir_cell *cell = &row->entries[i].cell;
		uint16_t call = row->entries[i].call;
		enum weir_callclass class = totals->classes[call];
		struct weir_headline_part *part =
			&to->parts[part_of(totals, row, call)];

		if (weir_callclass_is_inner(class))
			continue;
		part->calls += cell->calls;
		if (part == &to->parts[WEIR_IOTIME_IO])
			continue; /* bytes of several layers are the same */
		if (class == WEIR_CLASS_READ || class == WEIR_CLASS_GET)
			part->read += cell->bytes;
		if (class == WEIR_CLASS_WRITE || class == WEIR_CLASS_PUT)
			part->written += cell->bytes;
	}
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
		count_parts(totals, row, to);
	}
	count_parts(totals, &totals->others, to);
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
	headline.parts[WEIR_IOTIME_IO].read =
		headline.read - headline.parts[WEIR_IOTIME_WAITING].read;
	headline.parts[WEIR_IOTIME_IO].written =
		headline.written - headline.parts[WEIR_IOTIME_WAITING].written;
	for (int i = 0; i < WEIR_IOTIME_PARTS; i++) {
		struct weir_headline_part *part = &headline.parts[i];

		part->time = weir_iotime_most(&totals->times,
					      (enum weir_iotime_part)i,
					      &part->proc).time;
	}
	return headline;
}
