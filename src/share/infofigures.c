/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the figures of a trace from the sums that reports show. */
#include "share/infofigures.h"

#include "analyse/findings/runfacts.h"
#include "trace/read/reader.h"

#include <stdio.h>

static void add_layer(struct weir_infofigures *figures,
		      const struct weir_totals *totals, const char *name)
{
	struct weir_look_layer *layer =
		&figures->layers[figures->layer_count++];

	snprintf(layer->name, sizeof(layer->name), "%s", name);
	layer->calls = weir_totals_layer_digest(totals, &totals->total, name)
			       .calls;
}

/* Calls without a layer are of traces that do not tell it. */
static void add_layers(struct weir_infofigures *figures,
		       const struct weir_totals *totals)
{
	uint64_t told = 0;
	const char *name;

	for (unsigned i = 0; i + 1 < WEIR_LOOK_LAYERS &&
			     (name = weir_totals_layer(totals, i)); i++) {
		add_layer(figures, totals, name);
		told += figures->layers[i].calls;
	}
	if (told == figures->headline.calls)
		return;
	add_layer(figures, totals, "other");
	figures->layers[figures->layer_count - 1].calls =
		figures->headline.calls - told;
}

/* As reports count them: threads of those that made calls. */
static void count_processes(struct weir_infofigures *figures,
			    const struct weir_totals *totals,
			    const struct weir_reader *reader)
{
	figures->threads = totals->threads;
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_procinfo_is_server(process))
			figures->servers++;
		else
			figures->processes++;
	}
}

int weir_infofigures_gather(const char *trace,
			    struct weir_infofigures *ret_figures)
{
	static const struct weir_callviews_filter all;
	struct weir_infofigures figures = { .known = true };
	struct weir_runfacts facts = { .size = 0 };
	struct weir_reader *reader;
	int err = weir_reader_open(trace, &reader);

	if (err)
		return err;
	err = weir_runfacts_gather(&facts, reader, &all, 0);
	if (!err) {
		figures.headline = weir_headline_of(&facts.totals);
		figures.unreturned = facts.totals.entered;
		add_layers(&figures, &facts.totals);
		count_processes(&figures, &facts.totals, reader);
		*ret_figures = figures;
	}
	weir_runfacts_fini(&facts);
	weir_reader_close(reader);
	return err;
}
