/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a plan for others: files, variables, commands, source. */
#include "plan/export/planexport.h"

#include <string.h>

static const char *judge_nothing(const struct weir_plan_item *item)
{
	return NULL;
}

static const struct weir_planexport_format formats[] = {
	{"romio-hints",
	 {"# ", ""},
	 weir_planexport_hints_judge_romio,
	 weir_planexport_hints_write_romio,
	 "what the program sets itself goes before it there",
	 "set ROMIO_HINTS to the name of this file"},
	{"mpich-hints",
	 {"# ", ""},
	 weir_planexport_hints_judge_mpich,
	 weir_planexport_hints_write_mpich,
	 NULL,
	 "for the MPI of Cray; a shell takes it by . FILE; it goes before "
	 "what a program sets itself"},
	{"ompi-mca",
	 {"# ", ""},
	 weir_planexport_variables_judge_mca,
	 weir_planexport_variables_write,
	 NULL,
	 "a shell takes it by . FILE"},
	{"ompi-conf",
	 {"# ", ""},
	 weir_planexport_variables_judge_mca,
	 weir_planexport_variables_write_conf,
	 "variables of the environment go before it there",
	 "as $HOME/.openmpi/mca-params.conf, or where "
	 "OMPI_MCA_mca_base_param_files says"},
	{"pnetcdf-hints",
	 {"# ", ""},
	 weir_planexport_hints_judge_pnetcdf,
	 weir_planexport_hints_write_pnetcdf,
	 NULL,
	 "a shell takes it by . FILE; it goes before what a program sets "
	 "itself"},
	{"lfs",
	 {"# ", ""},
	 weir_planexport_stripes_judge,
	 weir_planexport_stripes_write,
	 NULL,
	 "commands, to be run before the program; what is there already "
	 "keeps its stripes"},
	{"c",
	 {"/* ", " */"},
	 weir_planexport_source_judge,
	 weir_planexport_source_write,
	 NULL,
	 "call these functions where the lists, infos and streams are made"},
	{"env",
	 {"# ", ""},
	 weir_planexport_variables_judge_all,
	 weir_planexport_variables_write,
	 NULL,
	 "a shell takes it by . FILE"},
	{"xml",
	 {"<!-- ", " -->"},
	 judge_nothing,
	 weir_planexport_xml_write,
	 NULL,
	 "a plan for weir run"},
};

const struct weir_planexport_format *weir_planexport_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const char *weir_planexport_elsewhere(int target)
{
	static const char *const words[] = {
		[WEIR_PLAN_ENVIRONMENT] = "a variable of the environment: "
					  "--to env",
		[WEIR_PLAN_FILE_ACCESS] = "of HDF5: --to c",
		[WEIR_PLAN_FILE_CREATE] = "of HDF5: --to c",
		[WEIR_PLAN_DATASET_CREATE] = "of HDF5: --to c",
		[WEIR_PLAN_DATASET_ACCESS] = "of HDF5: --to c",
		[WEIR_PLAN_TRANSFER] = "of HDF5: --to c",
		[WEIR_PLAN_HINT] = "a hint of MPI-IO: --to romio-hints, "
				   "mpich-hints or c",
		[WEIR_PLAN_PNETCDF] = "of PnetCDF: --to pnetcdf-hints or c",
		[WEIR_PLAN_NAME_PREFIX] = "part of the names of files: --to c",
		[WEIR_PLAN_STRIPE] = "of Lustre: --to lfs",
		[WEIR_PLAN_OPEN] = "of open files: --to c",
		[WEIR_PLAN_STREAM] = "of streams: --to c",
	};

	return target > 0 && target < (int)(sizeof(words) / sizeof(*words))
		       ? words[target]
		       : "not of this kind";
}

int weir_planexport_has(const struct weir_planexport *export,
			const struct weir_plan_item *item)
{
	return !export->format->judge(item);
}

/*
 * Most formats know neither files nor datasets: they hold for the whole
 * program.
 */
int weir_planexport_is_general(const struct weir_plan_item *item)
{
	return !*item->file && !*item->dataset;
}

/* Where a comment ends by a mark, and not with its line, none may be in it. */
static void put_comment_text(struct weir_planexport *export, const char *text)
{
	const char *marks = *export->format->comment[1] ? "*-/" : "";

	while (*text) {
		size_t plain = strcspn(text, marks);

		weir_text_safe(export->out, text, plain);
		text += plain;
		if (!*text)
			return;
		weir_text_char(export->out, *text++);
		if (*text && strchr(marks, *text))
			weir_text_format(export->out, "\\x%02x", *text++);
	}
}

static void begin_remark(struct weir_planexport *export)
{
	weir_text_string(export->out, export->format->comment[0]);
}

static void end_remark(struct weir_planexport *export)
{
	weir_text_string(export->out, export->format->comment[1]);
	weir_text_char(export->out, '\n');
}

void weir_planexport_remark(struct weir_planexport *export, const char *text)
{
	begin_remark(export);
	put_comment_text(export, text);
	end_remark(export);
}

static void put_scope(struct weir_planexport *export, const char *what,
		      const char *pattern)
{
	if (!*pattern)
		return;
	weir_text_format(export->out, " %s ", what);
	put_comment_text(export, pattern);
}

/* Both to who asked, and into what is kept. */
static void remark_on(struct weir_planexport *export,
		      const struct weir_plan_item *item, const char *what,
		      const char *why)
{
	fprintf(export->complaints, "weir: %s:%u: %s is %s: %s\n",
		export->source, (unsigned)item->line, item->param->name, what,
		why);
	begin_remark(export);
	weir_text_format(export->out, "%s: %s=", what, item->param->name);
	put_comment_text(export, item->value);
	put_scope(export, "for file", item->file);
	put_scope(export, "for dataset", item->dataset);
	weir_text_format(export->out, " (%s)", why);
	end_remark(export);
}

void weir_planexport_leave_out(struct weir_planexport *export,
			       const struct weir_plan_item *item,
			       const char *why)
{
	remark_on(export, item, "left out", why);
	export->left_out++;
}

static void tell_gaps(struct weir_planexport *export,
		      const struct weir_plan_item *item)
{
	const char *why = export->format->judge(item);

	if (why) {
		weir_planexport_leave_out(export, item, why);
		return;
	}
	if (item->flags & WEIR_PLAN_FORCE && export->format->weak)
		remark_on(export, item, "weaker", export->format->weak);
}

size_t weir_planexport_write(struct weir_text *out,
			     const struct weir_planexport_format *format,
			     const struct weir_plan *plan, const char *source,
			     FILE *complaints)
{
	struct weir_planexport export = {
		.out = out,
		.plan = plan,
		.source = source,
		.complaints = complaints,
		.format = format,
	};

	weir_planexport_remark(&export, format->how);
	for (size_t i = 0; i < plan->count; i++)
		tell_gaps(&export, &plan->items[i]);
	format->write(&export);
	return export.left_out;
}

/*
 * For shells, between single quotes: a quote ends them, stands escaped, and
 * begins them again.
 */
void weir_planexport_word_part(struct weir_text *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			weir_text_string(out, "'\\'");
		weir_text_char(out, *text);
	}
}

void weir_planexport_word(struct weir_text *out, const char *text)
{
	weir_text_char(out, '\'');
	weir_planexport_word_part(out, text);
	weir_text_char(out, '\'');
}
