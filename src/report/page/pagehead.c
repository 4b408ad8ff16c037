/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the head of the page's data: what its columns are about. */
#include "report/page/pagehead.h"

#include "analyse/calls/stack.h"
#include "analyse/query/diskmodel.h"
#include "report/as_json.h"
#include "report/output/jsonout.h"
#include "report/page/pagelists.h"

#include <stdio.h>
#include <string.h>

/*
 * All moments of the page count from the first event; `utc` tells when that
 * was.
 */
static void put_times(const struct weir_pagesource *page, struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;
	const struct weir_outline *outline = overview->outline;
	const struct weir_cube *fine = &overview->cubes[WEIR_OVERVIEW_CELLS];
	unsigned coarse = overview->cubes[WEIR_OVERVIEW_PATHS].folds;

	weir_jsonout_key(out, "span", 1);
	weir_text_string(out, "{\"begin\":0");
	weir_jsonout_number(out, "end", outline->span);
	weir_text_char(out, '}');
	weir_jsonout_number(out, "utc", outline->begin);
	weir_jsonout_key(out, "timeless", 0);
	weir_text_string(out, outline->is_timeless ? "true" : "false");
	weir_jsonout_key(out, "bins", 0);
	weir_text_string(out, "{\"count\":");
	weir_text_unsigned(out, WEIR_CUBE_BINS >> fine->folds);
	weir_jsonout_number(out, "width_ns", fine->width << fine->folds);
	weir_jsonout_number(out, "coarse",
			    UINT64_C(1) << (coarse - fine->folds));
	weir_text_char(out, '}');
	weir_jsonout_number(
		out, "access_bins",
		WEIR_CUBE_BINS >> overview->cubes[WEIR_OVERVIEW_ACCESS].folds);
}

static bool is_of_server(const char *layer)
{
	return weir_stack_is_server(weir_stack_find(layer).role);
}

/*
 * The last one is the lowest that has calls: the page begins with it, as all
 * bytes go through it once.
 */
static void put_layers(const struct weir_pageindex *index,
		       struct weir_text *out)
{
	weir_jsonout_key(out, "layers", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < index->layer_count; i++) {
		const char *name = weir_callviews_layer_name(index->layers[i]);
		int is_os = index->layers[i] == WEIR_OVERVIEW_OS;

		weir_text_string(out, i ? ",{\"id\":\"" : "{\"id\":\"");
		weir_text_string(out, is_os ? "os" : name);
		weir_text_char(out, '"');
		weir_jsonout_string(out, "name",
				    is_os ? "operating system" : name);
		weir_jsonout_string(out, "side",
				    is_of_server(name) ? "server" : "client");
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
	if (index->layer_count)
		weir_jsonout_number(out, "layer", index->layer_count - 1);
}

/* By what power of disks is told, where there are servers. */
static void put_disk(const struct weir_overview *overview,
		     struct weir_text *out)
{
	const char *text = weir_diskmodel_texts[0].text, *why;
	struct weir_diskmodel model;
	unsigned line;
	char watts[96];

	if (!overview->layers[WEIR_CALLVIEW_SERVER] ||
	    weir_diskmodel_parse(text, strlen(text), &model, &line, &why))
		return;
	weir_jsonout_key(out, "disk", 0);
	weir_text_string(out, "{\"name\":");
	weir_text_json(out, model.name, strlen(model.name));
	snprintf(watts, sizeof(watts),
		 ",\"active_watts\":%g,\"idle_watts\":%g}",
		 model.active_watts, model.idle_watts);
	weir_text_string(out, watts);
}

/* The few words by which pictures tell classes apart, and how bytes go. */
static const struct {
	const char *group, *moves;
} words[WEIR_OVERVIEW_CLASSES] = {
	[WEIR_CLASS_OPEN] = { "open", NULL },
	[WEIR_CLASS_CLOSE] = { "close", NULL },
	[WEIR_CLASS_READ] = { "read", "read" },
	[WEIR_CLASS_WRITE] = { "write", "write" },
	[WEIR_CLASS_GET] = { "read", "read" },
	[WEIR_CLASS_PUT] = { "write", "write" },
	[WEIR_CLASS_FILL] = { "read", "read" },
	[WEIR_CLASS_DRAIN] = { "write", "write" },
	[WEIR_CLASS_COPY] = { "other", NULL },
	[WEIR_CLASS_SUBMIT] = { "other", NULL },
	[WEIR_CLASS_DONE] = { "other", NULL },
	[WEIR_CLASS_SEEK] = { "seek", NULL },
	[WEIR_CLASS_STAT] = { "meta", NULL },
	[WEIR_CLASS_SYNC] = { "sync", NULL },
	[WEIR_CLASS_MAP] = { "other", NULL },
	[WEIR_CLASS_LIST] = { "meta", NULL },
	[WEIR_CLASS_PROCESS] = { "wait", NULL },
	[WEIR_CLASS_LIBRARY] = { "wait", NULL },
	[WEIR_CLASS_OTHER] = { "other", NULL },
	[WEIR_OVERVIEW_WAITS] = { "wait", NULL },
};

/* The page has colours for few groups; it need not know what classes mean. */
static void put_classes(struct weir_text *out)
{
	weir_jsonout_key(out, "classes", 0);
	weir_text_char(out, '[');
	for (int i = 0; i < WEIR_OVERVIEW_CLASSES; i++) {
		int waits = i == WEIR_OVERVIEW_WAITS;

		weir_text_string(out, i ? ",{\"name\":\"" : "{\"name\":\"");
		weir_text_string(out, waits ? "wait" : weir_callclass_name(i));
		weir_text_char(out, '"');
		weir_jsonout_string(out, "group", words[i].group);
		weir_jsonout_string(out, "moves", words[i].moves);
		weir_jsonout_key(out, "inner", 0);
		weir_text_string(out, !waits && weir_callclass_is_inner(i) ?
					      "true}" : "false}");
	}
	weir_text_char(out, ']');
}

/* Columns name calls by their place in this list, which is shorter than ids. */
static void put_calls(const struct weir_pagesource *page,
		      const struct weir_pageindex *index, struct weir_text *out)
{
	const struct weir_totals *totals = &page->facts->totals;
	int some = 0;

	weir_jsonout_key(out, "calls", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < WEIR_OVERVIEW_CALLS; i++) {
		const struct weir_call *call = totals->calls[(uint16_t)i];

		if (!page->overview->calls[i])
			continue;
		weir_text_string(out, some ? ",{\"id\":" : "{\"id\":");
		weir_text_unsigned(out, (uint16_t)i);
		weir_jsonout_key(out, "name", 0);
		if (call)
			weir_text_json(out, call->name, strlen(call->name));
		else
			weir_text_format(out, "\"call#%u\"", (uint16_t)i);
		weir_jsonout_number(
			out, "layer",
			index->layer_of[weir_callviews_layer_of(call)]);
		weir_jsonout_number(
			out, "class",
			i > UINT16_MAX ? WEIR_OVERVIEW_WAITS
				       : (uint64_t)weir_callclass_of(call));
		weir_text_char(out, '}');
		some = 1;
	}
	weir_text_char(out, ']');
}

/* A call path is a node with the number of its parent: parents come first. */
static void put_nodes(const struct weir_pagesource *page,
		      const struct weir_pageindex *index, struct weir_text *out)
{
	const struct weir_callpaths *paths = &page->overview->nodes;

	weir_jsonout_key(out, "nodes", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < paths->count; i++) {
		const struct weir_callpath *node = &paths->nodes[i];

		weir_text_string(out, i ? ",{\"call\":" : "{\"call\":");
		weir_text_signed(out,
				 node->call == WEIR_CALLPATHS_OTHERS ?
					 -1 : index->call_of[node->call]);
		weir_jsonout_key(out, "parent", 0);
		weir_text_signed(out, node->above == WEIR_CALLPATHS_NONE ?
					      -1 : (int64_t)node->above);
		weir_jsonout_number(out, "depth", node->depth);
		if (node->call == WEIR_CALLPATHS_OTHERS)
			weir_jsonout_string(out, "name", "others");
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

/* Where phases have no steps, or steps no phase, the one says it all. */
static void put_label(const struct weir_overview_step *step, const char *phase,
		      size_t len, struct weir_text *out)
{
	char text[256];
	int used = 0;

	if (!phase && !step->has_step)
		used = snprintf(text, sizeof(text), "before any mark");
	if (phase)
		used = snprintf(text, sizeof(text), "%.*s%s",
				len < 200 ? (int)len : 200, phase,
				step->has_step ? " " : "");
	if (step->has_step)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 "%lld", (long long)step->step);
	weir_text_json(out, text, (size_t)used);
}

/* One step is all of the run, which needs no table. */
static void put_steps(const struct weir_pagesource *page, struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;
	int marked = overview->steps_in_all > 1;

	weir_jsonout_key(out, "steps", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; marked && i < overview->step_count; i++) {
		const struct weir_overview_step *step = &overview->steps[i];
		size_t len = 0;
		const char *phase = weir_names_get(&overview->marks.names,
						   step->phase, &len);

		weir_text_string(out, i ? ",{\"label\":" : "{\"label\":");
		put_label(step, phase, len, out);
		weir_jsonout_key(out, "phase", 0);
		if (phase)
			weir_text_json(out, phase, len);
		else
			weir_text_string(out, "null");
		weir_jsonout_key(out, "step", 0);
		if (step->has_step)
			weir_text_signed(out, step->step);
		else
			weir_text_string(out, "null");
		weir_jsonout_number(out, "begin", step->begin);
		weir_jsonout_number(out, "end", step->end);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
	if (marked)
		weir_jsonout_string(out, "steps_are", "marked by the program");
}

/* Where the calls of the sample are that show each finding. */
static int put_evidence(const struct weir_pagesource *page,
			struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;
	struct weir_map index = { 0 };
	int err = 0;

	for (uint32_t i = 0; !err && i < overview->chosen_count; i++) {
		const struct weir_tree_id *id = &overview->chosen[i].id;

		err = weir_map_put(&index, weir_outline_key(id->proc,
							    id->thread,
							    id->index),
				   i + UINT64_C(1));
	}
	weir_jsonout_key(out, "findings_events", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; !err && i < page->findings->count; i++) {
		const struct weir_finding *f = &page->findings->list[i];
		int some = 0;

		weir_text_string(out, i ? ",[" : "[");
		for (unsigned k = 0; k < f->evidence_count; k++) {
			const struct weir_witness *w = &f->evidence[k];
			uint64_t at = weir_map_get(
				&index, weir_outline_key(w->proc, w->thread,
							 w->index));

			if (at && some)
				weir_text_char(out, ',');
			if (at)
				weir_text_unsigned(out, at - 1);
			some |= at != 0;
		}
		weir_text_char(out, ']');
	}
	weir_text_char(out, ']');
	weir_map_fini(&index);
	return err;
}

/* `even` is how many were chosen by chance: only these may be scaled up. */
static void put_sample(const struct weir_pagesource *page,
		       struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;
	uint64_t chance = 0;

	for (uint32_t i = 0; i < overview->chosen_count; i++)
		chance += (overview->chosen[i].why & WEIR_SAMPLE_CHANCE) != 0;
	weir_jsonout_key(out, "sample", 0);
	weir_text_string(out, "{\"events\":");
	weir_text_unsigned(out, overview->outline->calls);
	weir_jsonout_number(out, "chosen", overview->chosen_count);
	weir_jsonout_number(out, "even", chance);
	weir_jsonout_key(out, "complete", 0);
	weir_text_string(out, overview->outline->calls <= WEIR_SAMPLE_MOST
				      ? "true}"
				      : "false}");
}

/*
 * The report comes last: it is the longest, and the page reads the others
 * first.
 */
int weir_pagehead_put(const struct weir_pagesource *page,
		      struct weir_pageindex *index, struct weir_text *out)
{
	int err;

	weir_text_char(out, '{');
	put_times(page, out);
	put_layers(index, out);
	put_disk(page->overview, out);
	put_classes(out);
	put_calls(page, index, out);
	put_nodes(page, index, out);
	put_steps(page, out);
	put_sample(page, out);
	err = put_evidence(page, out);
	err = err ? err : weir_pagelists_put(page, index, out);
	if (err)
		return err;
	weir_jsonout_key(out, "report", 0);
	return weir_as_json_write_part(out, page->facts, page->findings,
				       page->reader, WEIR_PAGESOURCE_LISTED);
}
