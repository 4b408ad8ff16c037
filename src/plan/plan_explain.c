/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains settings and parameters to people. */
#include "plan/plan.h"

#include "plan/complaint.h"
#include "plan/parameter.h"

#include <stdarg.h>
#include <string.h>

#define WIDTH 78

static const char *const places[] = {
	[WEIR_PLAN_ENVIRONMENT] = "before the program starts",
	[WEIR_PLAN_FILE_ACCESS] = "as HDF5 opens or makes a file",
	[WEIR_PLAN_FILE_CREATE] = "as HDF5 makes a file",
	[WEIR_PLAN_DATASET_CREATE] = "as HDF5 makes a dataset",
	[WEIR_PLAN_DATASET_ACCESS] = "as HDF5 opens or makes a dataset",
	[WEIR_PLAN_TRANSFER] = "as HDF5 reads or writes a dataset",
	[WEIR_PLAN_HINT] = "in the info of MPI_File_open and its like",
	[WEIR_PLAN_PNETCDF] = "in the info of ncmpi_create and ncmpi_open",
	[WEIR_PLAN_NAME_PREFIX] = "in the name that MPI_File_open is given",
	[WEIR_PLAN_STRIPE] = "as open() makes a file",
	[WEIR_PLAN_OPEN] = "after open() and its like",
	[WEIR_PLAN_STREAM] = "after fopen() and its like",
};

static const char *const changes[] = {
	[WEIR_PARAM_CHANGES_NONE] = "nothing in files",
	[WEIR_PARAM_CHANGES_LAYOUT] = "only where and how data lie in files",
	[WEIR_PARAM_CHANGES_CONTENT] = "what may be read from files",
};

/* Text in lines that are not too long, each after so many blanks. */
static void put_wrapped(FILE *to, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put_wrapped(FILE *to, unsigned indent, const char *format, ...)
{
	char text[4096];
	size_t column = 0;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *save, *word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (column && column + 1 + strlen(word) > WIDTH) {
			fputc('\n', to);
			column = 0;
		}
		fprintf(to, "%*s", column ? 1 : (int)indent, "");
		weir_complaint_show(to, word);
		column += (column ? 1 : indent) + strlen(word);
	}
	fputc('\n', to);
}

static void put_if(FILE *to, const char *before, const char *text)
{
	if (*text)
		put_wrapped(to, 4, "%s %s", before, text);
}

static void put_scope(FILE *to, const struct weir_plan_item *item)
{
	if (*item->file)
		put_wrapped(to, 4, "for files that match %s", item->file);
	if (*item->dataset)
		put_wrapped(to, 4, "for datasets that match %s", item->dataset);
	if (!*item->file && !*item->dataset &&
	    item->param->target != WEIR_PLAN_ENVIRONMENT)
		put_wrapped(to, 4, "for every file");
	if (item->flags & WEIR_PLAN_FORCE)
		put_wrapped(to, 4,
			    "also over what the program or its user set");
	if (item->proof)
		put_wrapped(to, 4,
			    "only where %s shows that every rank makes the "
			    "call",
			    item->proof);
}

/* What is so whatever the value. */
static void put_facts(FILE *to, const struct weir_param_row *row)
{
	put_wrapped(to, 4, "without a plan: %s", row->initial);
	put_wrapped(to, 4, "set by %s, %s", row->via, places[row->target]);
	put_wrapped(to, 4, "changes %s", changes[row->bytes]);
	put_if(to, "does nothing", row->inert);
	put_if(to, "seen by", row->seen);
	put_if(to, "not tested on the real system, only with", row->stand_in);
}

void weir_plan_explain(const struct weir_plan *plan, FILE *to)
{
	put_wrapped(to, 0, "%s: %zu setting%s", plan->path, plan->count,
		    plan->count == 1 ? "" : "s");
	for (size_t i = 0; i < plan->count; i++) {
		const struct weir_plan_item *item = &plan->items[i];

		fputc('\n', to);
		put_wrapped(to, 0, "%s = %s (line %u)", item->param->name,
			    item->value, item->line);
		put_wrapped(to, 4, "%s", item->param->about);
		put_scope(to, item);
		put_facts(to, item->param);
		if (weir_parameter_is_opt_in(item))
			put_wrapped(to, 4,
				    "opted in, not safe for every program: %s",
				    item->param->risk);
	}
}

static void put_names(FILE *to, const struct weir_param_row *row)
{
	for (const char *const *also = row->also; *also; also++)
		put_wrapped(to, 4, "also called %s", *also);
	if (!row->opt_in)
		return;
	put_wrapped(to, 4,
		    *row->opt_in ? "wants opt-in=\"yes\" with %s: %s"
				 : "wants opt-in=\"yes\"%s: %s",
		    row->opt_in, row->risk);
}

static unsigned list_excluded(const char *part_of_name, FILE *to,
			      bool is_first)
{
	const char *why = "";
	unsigned count = 0;

	for (int i = 0; i < WEIR_PARAM_EXCLUDED; i++) {
		const struct weir_param_excluded *row =
			&weir_params_excluded[i];

		if (!strcasestr(row->name, part_of_name))
			continue;
		if (!count++)
			fprintf(to, "%sExcluded\n", is_first ? "" : "\n");
		if (strcmp(why, row->why))
			put_wrapped(to, 4, "because %s:", row->why);
		why = row->why;
		put_wrapped(to, 6, "%s%s%s", row->name, row->value ? "=" : "",
			    row->value ? row->value : "");
	}
	return count;
}

static void list_row(FILE *to, const struct weir_param_row *row)
{
	fputc('\n', to);
	put_wrapped(to, 2, "%s: %s%s%s", row->name, row->type,
		    *row->range ? " of " : "", row->range);
	put_wrapped(to, 4, "%s", row->about);
	put_names(to, row);
	put_facts(to, row);
}

unsigned weir_plan_list(const char *part_of_name, FILE *to)
{
	const char *part = "";
	unsigned count = 0;

	for (int i = 0; i < WEIR_PARAM_ROWS; i++) {
		const struct weir_param_row *row = &weir_params[i];

		if (!strcasestr(row->name, part_of_name))
			continue;
		if (strcmp(part, row->part))
			fprintf(to, "%s%s\n", *part ? "\n" : "", row->part);
		part = row->part;
		list_row(to, row);
		count++;
	}
	return count + list_excluded(part_of_name, to, !count);
}
