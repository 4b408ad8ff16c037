/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes plans, spaces and parameters as JSON. */
#include "report/plan/plan_json.h"

#include "report/output/jsonout.h"

#include <stdlib.h>

/* As spec/params spells them. */
static const char *const targets[] = {
	[WEIR_PLAN_ENVIRONMENT] = "environment",
	[WEIR_PLAN_FILE_ACCESS] = "file_access",
	[WEIR_PLAN_FILE_CREATE] = "file_create",
	[WEIR_PLAN_DATASET_CREATE] = "dataset_create",
	[WEIR_PLAN_DATASET_ACCESS] = "dataset_access",
	[WEIR_PLAN_TRANSFER] = "transfer",
	[WEIR_PLAN_HINT] = "hint",
	[WEIR_PLAN_PNETCDF] = "pnetcdf",
	[WEIR_PLAN_NAME_PREFIX] = "name_prefix",
	[WEIR_PLAN_STRIPE] = "stripe",
	[WEIR_PLAN_OPEN] = "open",
	[WEIR_PLAN_STREAM] = "stream",
};

static const char *const changes[] = {
	[WEIR_PARAM_CHANGES_NONE] = "none",
	[WEIR_PARAM_CHANGES_LAYOUT] = "layout",
	[WEIR_PARAM_CHANGES_CONTENT] = "content",
};

static void put_quoted(struct weir_text *out, const char *text)
{
	weir_text_json(out, text, strlen(text));
}

static void put_bool(struct weir_text *out, const char *key, bool is_so)
{
	weir_jsonout_key(out, key, 0);
	weir_text_string(out, is_so ? "true" : "false");
}

/* "" says nothing: null. */
static void put_given(struct weir_text *out, const char *key, const char *text)
{
	weir_jsonout_string(out, key, text && *text ? text : NULL);
}

static void begin_object(struct weir_text *out, const char *key,
			 const char *value)
{
	weir_text_char(out, '{');
	weir_jsonout_key(out, key, 1);
	put_quoted(out, value);
}

/* A list of objects: each on a line of its own. */
static void next_object(struct weir_text *out, bool is_first)
{
	weir_text_string(out, is_first ? "\n" : ",\n");
}

/* --- check -------------------------------------------------------------- */

/* A line `PATH:LINE: warning: what`; what has no such head is all text. */
static void put_message(struct weir_text *out, const char *path,
			const char *line, size_t len)
{
	static const char warning[] = "warning: ";
	size_t head = strlen(path);
	unsigned long number = 0;
	const char *end = line + len;
	char *after;
	bool warns;

	if (len > head && !strncmp(line, path, head) && line[head] == ':') {
		number = strtoul(line + head + 1, &after, 10);
		line = after + strspn(after, ": ");
	}
	warns = !strncmp(line, warning, strlen(warning));
	line += warns ? strlen(warning) : 0;
	weir_text_char(out, '{');
	weir_jsonout_key(out, "line", 1);
	if (number)
		weir_text_unsigned(out, number);
	else
		weir_text_string(out, "null");
	put_bool(out, "warning", warns);
	weir_jsonout_key(out, "text", 0);
	weir_text_json(out, line, (size_t)(end - line));
	weir_text_char(out, '}');
}

void weir_plan_json_check(struct weir_text *out,
			  const struct weir_plan_json_verdict *verdict)
{
	const char *line = verdict->messages, *end;

	begin_object(out, "file", verdict->path);
	weir_jsonout_string(out, "kind", verdict->is_space ? "space" : "plan");
	put_bool(out, "good", verdict->is_good);
	weir_jsonout_number(out, verdict->is_space ? "platforms" : "settings",
			    verdict->count);
	weir_jsonout_key(out, "messages", 0);
	weir_text_char(out, '[');
	for (; (end = strchr(line, '\n')); line = end + 1) {
		next_object(out, line == verdict->messages);
		put_message(out, verdict->path, line, (size_t)(end - line));
	}
	weir_text_string(out, "]}\n");
}

/* --- show --------------------------------------------------------------- */

static void put_scope(struct weir_text *out, const struct weir_plan_item *item)
{
	put_given(out, "file", item->file);
	put_given(out, "dataset", item->dataset);
	put_bool(out, "force", item->flags & WEIR_PLAN_FORCE);
}

void weir_plan_json_show(struct weir_text *out, const struct weir_plan *plan)
{
	begin_object(out, "file", plan->path);
	weir_jsonout_key(out, "settings", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < plan->count; i++) {
		const struct weir_plan_item *item = &plan->items[i];

		next_object(out, !i);
		begin_object(out, "name", item->param->name);
		weir_jsonout_string(out, "value", item->value);
		weir_jsonout_number(out, "line", item->line);
		put_scope(out, item);
		put_given(out, "proof", item->proof);
		weir_text_char(out, '}');
	}
	weir_text_string(out, "]}\n");
}

static void put_axis(struct weir_text *out,
		     const struct weir_space_platform *platform,
		     const struct weir_space_axis *axis)
{
	begin_object(out, "name", axis->param->name);
	weir_jsonout_string(
		out, "tied_to",
		axis->tied_to ? platform->axes[axis->other].param->name : NULL);
	put_scope(out, axis->values);
	weir_jsonout_key(out, "values", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < axis->count; i++) {
		weir_text_string(out, i ? "," : "");
		put_quoted(out, axis->values[i].value);
	}
	weir_text_string(out, "]}");
}

static void put_platform(struct weir_text *out,
			 const struct weir_space_platform *platform)
{
	begin_object(out, "name", platform->name);
	put_given(out, "about", platform->about);
	weir_jsonout_number(out, "points", platform->points);
	weir_jsonout_key(out, "parameters", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < platform->count; i++) {
		next_object(out, !i);
		put_axis(out, platform, &platform->axes[i]);
	}
	weir_text_string(out, "]}");
}

void weir_plan_json_space(struct weir_text *out, const struct weir_space *space)
{
	begin_object(out, "file", space->path);
	weir_jsonout_key(out, "platforms", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < space->count; i++) {
		next_object(out, !i);
		put_platform(out, &space->platforms[i]);
	}
	weir_text_string(out, "]}\n");
}

/* --- params ------------------------------------------------------------- */

static void put_param(struct weir_text *out, const struct weir_param_row *row)
{
	begin_object(out, "name", row->name);
	weir_jsonout_key(out, "also", 0);
	weir_text_char(out, '[');
	for (const char *const *also = row->also; *also; also++) {
		weir_text_string(out, also == row->also ? "" : ",");
		put_quoted(out, *also);
	}
	weir_text_char(out, ']');
	weir_jsonout_string(out, "part", row->part);
	weir_jsonout_string(out, "target", targets[row->target]);
	weir_jsonout_string(out, "type", row->type);
	put_given(out, "range", row->range);
	weir_jsonout_string(out, "default", row->initial);
	weir_jsonout_string(out, "via", row->via);
	weir_jsonout_string(out, "changes", changes[row->bytes]);
	/* "": with every value; null: it needs none */
	weir_jsonout_string(out, "opt_in", row->opt_in);
	put_given(out, "risk", row->risk);
	put_given(out, "inert", row->inert);
	put_given(out, "seen", row->seen);
	put_given(out, "stand_in", row->stand_in);
	weir_jsonout_string(out, "about", row->about);
	weir_text_char(out, '}');
}

static unsigned put_excluded(struct weir_text *out, const char *part_of_name)
{
	unsigned count = 0;

	for (int i = 0; i < WEIR_PARAM_EXCLUDED; i++) {
		const struct weir_param_excluded *row =
			&weir_params_excluded[i];

		if (!strcasestr(row->name, part_of_name))
			continue;
		next_object(out, !count++);
		begin_object(out, "name", row->name);
		weir_jsonout_string(out, "value", row->value);
		weir_jsonout_string(out, "why", row->why);
		weir_text_char(out, '}');
	}
	return count;
}

unsigned weir_plan_json_params(struct weir_text *out, const char *part_of_name)
{
	unsigned count = 0;

	weir_text_string(out, "{\"parameters\":[");
	for (int i = 0; i < WEIR_PARAM_ROWS; i++) {
		if (!strcasestr(weir_params[i].name, part_of_name))
			continue;
		next_object(out, !count++);
		put_param(out, &weir_params[i]);
	}
	weir_text_string(out, "],\n\"excluded\":[");
	count += put_excluded(out, part_of_name);
	weir_text_string(out, "]}\n");
	return count;
}
