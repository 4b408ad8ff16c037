/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan in the languages of others: files, variables, commands, source. */
#include "plan/handout.h"

#include <string.h>

static const char *judge_nothing(const struct weir_plan_item *item)
{
	return NULL;
}

static const struct weir_handout_format formats[] = {
	{ "romio-hints", { "# ", "" }, weir_handout_hints_judge_romio,
	  weir_handout_hints_write_romio,
	  "what the program sets itself goes before it there",
	  "set ROMIO_HINTS to the name of this file" },
	{ "mpich-hints", { "# ", "" }, weir_handout_hints_judge_mpich,
	  weir_handout_hints_write_mpich, NULL,
	  "for the MPI of Cray; a shell takes it by . FILE; it goes before "
	  "what a program sets itself" },
	{ "ompi-mca", { "# ", "" }, weir_handout_variables_judge_mca,
	  weir_handout_variables_write, NULL, "a shell takes it by . FILE" },
	{ "ompi-conf", { "# ", "" }, weir_handout_variables_judge_mca,
	  weir_handout_variables_write_conf,
	  "variables of the environment go before it there",
	  "as $HOME/.openmpi/mca-params.conf, or where "
	  "OMPI_MCA_mca_base_param_files says" },
	{ "pnetcdf-hints", { "# ", "" }, weir_handout_hints_judge_pnetcdf,
	  weir_handout_hints_write_pnetcdf, NULL,
	  "a shell takes it by . FILE; it goes before what a program sets "
	  "itself" },
	{ "lfs", { "# ", "" }, weir_handout_stripes_judge,
	  weir_handout_stripes_write, NULL,
	  "commands, to be run before the program; what is there already "
	  "keeps its stripes" },
	{ "c", { "/* ", " */" }, weir_handout_source_judge,
	  weir_handout_source_write, NULL,
	  "call these functions where the lists, infos and streams are made" },
	{ "env", { "# ", "" }, weir_handout_variables_judge_all,
	  weir_handout_variables_write, NULL, "a shell takes it by . FILE" },
	{ "xml", { "<!-- ", " -->" }, judge_nothing, weir_handout_xml_write,
	  NULL, "a plan for weir run" },
};

const struct weir_handout_format *weir_handout_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const char *weir_handout_elsewhere(int layer)
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

	return layer > 0 && layer < (int)(sizeof(words) / sizeof(*words)) ?
		       words[layer] : "not of this kind";
}

int weir_handout_has(const struct weir_handout *handout,
		     const struct weir_plan_item *item)
{
	return !handout->format->judge(item);
}

int weir_handout_is_general(const struct weir_plan_item *item)
{
	return !*item->file && !*item->dataset;
}

/* Where a comment ends by a mark, and not with its line, none may be in it. */
static void put_comment_text(struct weir_handout *handout, const char *text)
{
	const char *marks = *handout->format->comment[1] ? "*-/" : "";

	while (*text) {
		size_t plain = strcspn(text, marks);

		weir_text_safe(handout->out, text, plain);
		text += plain;
		if (!*text)
			return;
		weir_text_char(handout->out, *text++);
		if (*text && strchr(marks, *text))
			weir_text_format(handout->out, "\\x%02x", *text++);
	}
}

static void begin_remark(struct weir_handout *handout)
{
	weir_text_string(handout->out, handout->format->comment[0]);
}

static void end_remark(struct weir_handout *handout)
{
	weir_text_string(handout->out, handout->format->comment[1]);
	weir_text_char(handout->out, '\n');
}

void weir_handout_remark(struct weir_handout *handout, const char *text)
{
	begin_remark(handout);
	put_comment_text(handout, text);
	end_remark(handout);
}

static void put_scope(struct weir_handout *handout, const char *what,
		      const char *pattern)
{
	if (!*pattern)
		return;
	weir_text_format(handout->out, " %s ", what);
	put_comment_text(handout, pattern);
}

/* Both to who asked, and into what is kept. */
static void tell(struct weir_handout *handout,
		 const struct weir_plan_item *item, const char *what,
		 const char *why)
{
	fprintf(handout->complaints, "weir: %s:%u: %s is %s: %s\n",
		handout->source, (unsigned)item->line, item->param->name, what,
		why);
	begin_remark(handout);
	weir_text_format(handout->out, "%s: %s=", what, item->param->name);
	put_comment_text(handout, item->value);
	put_scope(handout, "for file", item->file);
	put_scope(handout, "for dataset", item->dataset);
	weir_text_format(handout->out, " (%s)", why);
	end_remark(handout);
}

void weir_handout_leave_out(struct weir_handout *handout,
			    const struct weir_plan_item *item,
			    const char *why)
{
	tell(handout, item, "left out", why);
	handout->left_out++;
}

static void tell_gaps(struct weir_handout *handout,
		      const struct weir_plan_item *item)
{
	const char *why = handout->format->judge(item);

	if (why) {
		weir_handout_leave_out(handout, item, why);
		return;
	}
	if (item->flags & WEIR_PLAN_FORCE && handout->format->weak)
		tell(handout, item, "weaker", handout->format->weak);
}

size_t weir_handout_write(struct weir_text *out,
			  const struct weir_handout_format *format,
			  const struct weir_plan *plan, const char *source,
			  FILE *complaints)
{
	struct weir_handout handout = {
		.out = out, .plan = plan, .source = source,
		.complaints = complaints, .format = format,
	};

	weir_handout_remark(&handout, format->how);
	for (size_t i = 0; i < plan->count; i++)
		tell_gaps(&handout, &plan->items[i]);
	format->write(&handout);
	return handout.left_out;
}

void weir_handout_word_part(struct weir_text *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			weir_text_string(out, "'\\'");
		weir_text_char(out, *text);
	}
}

void weir_handout_word(struct weir_text *out, const char *text)
{
	weir_text_char(out, '\'');
	weir_handout_word_part(out, text);
	weir_text_char(out, '\'');
}
