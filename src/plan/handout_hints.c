/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints of MPI-IO and PnetCDF for who reads them from outside a program. */
#include "plan/handout.h"

#include <string.h>

#define BLANKS " \t\r\n\v\f"

/* What the table says of it: others' hints would only be ignored. */
static int is_unknown_to_romio(const struct weir_plan_item *item)
{
	return !strncmp(item->param->inert, "with ROMIO", 10);
}

const char *weir_handout_hints_judge_romio(const struct weir_plan_item *item)
{
	if (item->param->layer != WEIR_PLAN_HINT)
		return weir_handout_elsewhere(item->param->layer);
	if (!weir_handout_is_general(item))
		return "ROMIO_HINTS is for every file: --to mpich-hints or c";
	if (is_unknown_to_romio(item))
		return "ROMIO does not know it: --to c";
	if (!*item->value || strpbrk(item->value, BLANKS))
		return "no blanks can be in a value there: --to c";
	return NULL;
}

void weir_handout_hints_write_romio(struct weir_handout *handout)
{
	for (size_t i = 0; i < handout->plan->count; i++) {
		const struct weir_plan_item *item = &handout->plan->items[i];

		if (!weir_handout_has(handout, item))
			continue;
		weir_text_string(handout->out, item->param->via);
		weir_text_char(handout->out, ' ');
		weir_text_string(handout->out, item->value);
		weir_text_char(handout->out, '\n');
	}
}

const char *weir_handout_hints_judge_mpich(const struct weir_plan_item *item)
{
	if (item->param->layer != WEIR_PLAN_HINT)
		return weir_handout_elsewhere(item->param->layer);
	if (strpbrk(item->file, ",:#"))
		return "no comma, colon or # can be in a pattern there: "
		       "--to c";
	if (strchr(item->value, '#'))
		return "no # can be in a value there: --to c";
	return NULL;
}

/* Whether a hint of this plan holds for the files of a pattern. */
static int holds(const struct weir_handout *handout, size_t at,
		 const char *pattern)
{
	const struct weir_plan_item *item = &handout->plan->items[at], *other;
	int own = !strcmp(item->file, pattern);

	if (!weir_handout_has(handout, item) || (!own && *item->file))
		return 0;
	for (size_t i = 0; i < handout->plan->count; i++) {
		int others;

		other = &handout->plan->items[i];
		others = !strcmp(other->file, pattern);
		if (i == at || other->param != item->param ||
		    !weir_handout_has(handout, other))
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
	weir_handout_word_part(out, item->value);
	weir_text_string(out, fence);
}

/* All hints for the files of a pattern: the first that matches is taken. */
static void put_pattern(struct weir_handout *handout, const char *before,
			const char *pattern)
{
	weir_text_string(handout->out, before);
	weir_handout_word_part(handout->out, *pattern ? pattern : "*");
	for (size_t i = 0; i < handout->plan->count; i++)
		if (holds(handout, i, pattern))
			put_pair(handout->out, &handout->plan->items[i]);
}

/* The last hint with its pattern: of two rules the later goes first. */
static int is_last(const struct weir_handout *handout, size_t at)
{
	const struct weir_plan_item *items = handout->plan->items;

	if (!weir_handout_has(handout, &items[at]))
		return 0;
	for (size_t i = at + 1; i < handout->plan->count; i++)
		if (weir_handout_has(handout, &items[i]) &&
		    !strcmp(items[i].file, items[at].file))
			return 0;
	return 1;
}

/* The patterns but for that of all files. */
static unsigned count_patterns(const struct weir_handout *handout)
{
	unsigned count = 0;

	for (size_t i = 0; i < handout->plan->count; i++)
		count += is_last(handout, i) && *handout->plan->items[i].file;
	return count;
}

/* Patterns without a slash are also for the last part of a path. */
static void put_patterns(struct weir_handout *handout, int general,
			 unsigned *count)
{
	for (size_t i = handout->plan->count; i-- > 0;) {
		const char *pattern = handout->plan->items[i].file;

		if (!is_last(handout, i) || (*pattern == 0) != general)
			continue;
		put_pattern(handout, (*count)++ ? "," : "", pattern);
		if (*pattern && !strchr(pattern, '/'))
			put_pattern(handout, ",*/", pattern);
	}
}

void weir_handout_hints_write_mpich(struct weir_handout *handout)
{
	unsigned count = 0;

	if (count_patterns(handout) > 1)
		weir_handout_remark(handout,
				    "a file that matches several patterns "
				    "gets the hints of the first alone");
	weir_text_string(handout->out, "export MPICH_MPIIO_HINTS='");
	put_patterns(handout, 0, &count);
	put_patterns(handout, 1, &count);
	weir_text_string(handout->out, "'\n");
}

const char *weir_handout_hints_judge_pnetcdf(const struct weir_plan_item *item)
{
	if (item->param->layer != WEIR_PLAN_HINT &&
	    item->param->layer != WEIR_PLAN_PNETCDF)
		return weir_handout_elsewhere(item->param->layer);
	if (!weir_handout_is_general(item))
		return "PNETCDF_HINTS is for every file: --to c";
	if (!*item->value || strpbrk(item->value, ";=" BLANKS))
		return "no blank, semicolon or = can be in a value there: "
		       "--to c";
	return NULL;
}

/* KEY=VALUE;KEY=VALUE, of all that a judge lets pass. */
void weir_handout_hints_write_pnetcdf(struct weir_handout *handout)
{
	unsigned count = 0;

	weir_text_string(handout->out, "export PNETCDF_HINTS='");
	for (size_t i = 0; i < handout->plan->count; i++) {
		const struct weir_plan_item *item = &handout->plan->items[i];

		if (weir_handout_hints_judge_pnetcdf(item) ||
		    !weir_handout_has(handout, item))
			continue;
		if (count++)
			weir_text_char(handout->out, ';');
		weir_text_string(handout->out, item->param->via);
		weir_text_char(handout->out, '=');
		weir_handout_word_part(handout->out, item->value);
	}
	weir_text_string(handout->out, "'\n");
}
