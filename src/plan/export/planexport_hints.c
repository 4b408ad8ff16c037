/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes hints of MPI-IO and PnetCDF for who reads them from outside. */
#include "plan/export/planexport.h"

#include <string.h>

#define BLANKS " \t\r\n\v\f"

/* What the table says of it: others' hints would only be ignored. */
static int is_unknown_to_romio(const struct weir_plan_item *item)
{
	return !strncmp(item->param->inert, "with ROMIO", 10);
}

/*
 * A line of ROMIO_HINTS is a key, a blank and a value, and cannot say for which
 * file.
 */
const char *weir_planexport_hints_judge_romio(const struct weir_plan_item *item)
{
	if (item->param->target != WEIR_PLAN_HINT)
		return weir_planexport_elsewhere(item->param->target);
	if (!weir_planexport_is_general(item))
		return "ROMIO_HINTS is for every file: --to mpich-hints or c";
	if (is_unknown_to_romio(item))
		return "ROMIO does not know it: --to c";
	if (!*item->value || strpbrk(item->value, BLANKS))
		return "no blanks can be in a value there: --to c";
	return NULL;
}

void weir_planexport_hints_write_romio(struct weir_planexport *export)
{
	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (!weir_planexport_has(export, item))
			continue;
		weir_text_string(export->out, item->param->via);
		weir_text_char(export->out, ' ');
		weir_text_string(export->out, item->value);
		weir_text_char(export->out, '\n');
	}
}

/*
 * MPICH_MPIIO_HINTS parts patterns by commas and hints by colons; it has a
 * fence for values (#), but none for patterns.
 */
const char *weir_planexport_hints_judge_mpich(const struct weir_plan_item *item)
{
	if (item->param->target != WEIR_PLAN_HINT)
		return weir_planexport_elsewhere(item->param->target);
	if (strpbrk(item->file, ",:#"))
		return "no comma, colon or # can be in a pattern there: "
		       "--to c";
	if (strchr(item->value, '#'))
		return "no # can be in a value there: --to c";
	return NULL;
}

/* Whether a hint of this plan holds for the files of a pattern. */
static int holds(const struct weir_planexport *export, size_t at,
		 const char *pattern)
{
	const struct weir_plan_item *item = &export->plan->items[at], *other;
	int own = !strcmp(item->file, pattern);

	if (!weir_planexport_has(export, item) || (!own && *item->file))
		return 0;
	for (size_t i = 0; i < export->plan->count; i++) {
		int others;

		other = &export->plan->items[i];
		others = !strcmp(other->file, pattern);
		if (i == at || other->param != item->param ||
		    !weir_planexport_has(export, other))
			continue;
		if (others > own || (others == own && i > at &&
				     !strcmp(other->file, item->file)))
			return 0;
	}
	return 1;
}

/* Where colons and commas part hints, a value with such is between #. */
static void put_pair(struct weir_text *out, const struct weir_plan_item *item)
{
	const char *fence = strpbrk(item->value, ",:") ? "#" : "";

	weir_text_char(out, ':');
	weir_text_string(out, item->param->via);
	weir_text_char(out, '=');
	weir_text_string(out, fence);
	weir_planexport_word_part(out, item->value);
	weir_text_string(out, fence);
}

/* All hints for the files of a pattern: the first that matches is taken. */
static void put_pattern(struct weir_planexport *export, const char *before,
			const char *pattern)
{
	weir_text_string(export->out, before);
	weir_planexport_word_part(export->out, *pattern ? pattern : "*");
	for (size_t i = 0; i < export->plan->count; i++)
		if (holds(export, i, pattern))
			put_pair(export->out, &export->plan->items[i]);
}

/* The last hint with its pattern: of two rules the later goes first. */
static int is_last(const struct weir_planexport *export, size_t at)
{
	const struct weir_plan_item *items = export->plan->items;

	if (!weir_planexport_has(export, &items[at]))
		return 0;
	for (size_t i = at + 1; i < export->plan->count; i++)
		if (weir_planexport_has(export, &items[i]) &&
		    !strcmp(items[i].file, items[at].file))
			return 0;
	return 1;
}

/* The patterns but for that of all files. */
static unsigned count_patterns(const struct weir_planexport *export)
{
	unsigned count = 0;

	for (size_t i = 0; i < export->plan->count; i++)
		count += is_last(export, i) && *export->plan->items[i].file;
	return count;
}

/* Patterns without a slash are also for the last part of a path. */
static void put_patterns(struct weir_planexport *export, int general,
			 unsigned *count)
{
	for (size_t i = export->plan->count; i-- > 0;) {
		const char *pattern = export->plan->items[i].file;

		if (!is_last(export, i) || (*pattern == 0) != general)
			continue;
		put_pattern(export, (*count)++ ? "," : "", pattern);
		if (*pattern && !strchr(pattern, '/'))
			put_pattern(export, ",*/", pattern);
	}
}

void weir_planexport_hints_write_mpich(struct weir_planexport *export)
{
	unsigned count = 0;

	if (count_patterns(export) > 1)
		weir_planexport_remark(export,
				       "a file that matches several patterns "
				       "gets the hints of the first alone");
	weir_text_string(export->out, "export MPICH_MPIIO_HINTS='");
	put_patterns(export, 0, &count);
	put_patterns(export, 1, &count);
	weir_text_string(export->out, "'\n");
}

const char *
weir_planexport_hints_judge_pnetcdf(const struct weir_plan_item *item)
{
	if (item->param->target != WEIR_PLAN_HINT &&
	    item->param->target != WEIR_PLAN_PNETCDF)
		return weir_planexport_elsewhere(item->param->target);
	if (!weir_planexport_is_general(item))
		return "PNETCDF_HINTS is for every file: --to c";
	if (!*item->value || strpbrk(item->value, ";=" BLANKS))
		return "no blank, semicolon or = can be in a value there: "
		       "--to c";
	return NULL;
}

/* KEY=VALUE;KEY=VALUE, of all that a judge lets pass. */
void weir_planexport_hints_write_pnetcdf(struct weir_planexport *export)
{
	unsigned count = 0;

	weir_text_string(export->out, "export PNETCDF_HINTS='");
	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (weir_planexport_hints_judge_pnetcdf(item) ||
		    !weir_planexport_has(export, item))
			continue;
		if (count++)
			weir_text_char(export->out, ';');
		weir_text_string(export->out, item->param->via);
		weir_text_char(export->out, '=');
		weir_planexport_word_part(export->out, item->value);
	}
	weir_text_string(export->out, "'\n");
}
