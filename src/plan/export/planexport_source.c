/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a plan as functions in C that a program may call. */
#include "plan/export/planexport_calls.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* One function for each target. */
static const struct group {
	int target;
	const char *about, *head, *begin, *end;
	int by_file, by_dataset;
} groups[] = {
	{ WEIR_PLAN_ENVIRONMENT, "Before MPI_Init().",
	  "int plan_environment(void)", "\tint failed = 0;\n\n",
	  "\treturn failed;\n", 0, 0 },
	{ WEIR_PLAN_FILE_ACCESS, "For H5Fcreate() and H5Fopen().",
	  "int plan_file_access(hid_t fapl, const char *file)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 0 },
	{ WEIR_PLAN_FILE_CREATE, "For H5Fcreate().",
	  "int plan_file_create(hid_t fcpl, const char *file)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 0 },
	{ WEIR_PLAN_DATASET_CREATE, "For H5Dcreate().",
	  "int plan_dataset_create(hid_t dcpl, const char *file,\n"
	  "\t\t\tconst char *dataset)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 1 },
	{ WEIR_PLAN_DATASET_ACCESS, "For H5Dcreate() and H5Dopen().",
	  "int plan_dataset_access(hid_t dapl, const char *file,\n"
	  "\t\t\tconst char *dataset)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 1 },
	{ WEIR_PLAN_TRANSFER, "For H5Dread() and H5Dwrite().",
	  "int plan_transfer(hid_t dxpl, const char *file, "
	  "const char *dataset)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 1 },
	{ WEIR_PLAN_HINT, "For MPI_File_open(), or H5Pset_fapl_mpio().",
	  "int plan_hints(MPI_Info info, const char *file)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 0 },
	{ WEIR_PLAN_PNETCDF, "For ncmpi_create() and ncmpi_open().",
	  "int plan_pnetcdf(MPI_Info info, const char *file)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 0 },
	{ WEIR_PLAN_NAME_PREFIX, "Before a name, for MPI_File_open().",
	  "const char *plan_prefix(const char *file)",
	  "\tconst char *prefix = \"\";\n\n", "\treturn prefix;\n", 1, 0 },
	{ WEIR_PLAN_OPEN, "After open(), of a file that is new.",
	  "int plan_open(int fd, const char *file)", "\tint failed = 0;\n\n",
	  "\treturn failed;\n", 1, 0 },
	{ WEIR_PLAN_STREAM, "After fopen().",
	  "int plan_stream(FILE *stream, const char *file)",
	  "\tint failed = 0;\n\n", "\treturn failed;\n", 1, 0 },
};

#define GROUPS (sizeof(groups) / sizeof(*groups))

/* One struct of HDF5 for several parameters: read, changed and set. */
#define CACHE "H5Pset_mdc_config"

static const char cache_begin[] =
	"\tH5AC_cache_config_t mdc = {\n"
	"\t\t.version = H5AC__CURR_CACHE_CONFIG_VERSION };\n";
static const char cache_read[] =
	"\tfailed += H5Pget_mdc_config(fapl, &mdc) < 0;\n";
static const char cache_end[] =
	"\tfailed += H5Pset_mdc_config(fapl, &mdc) < 0;\n";

const char *weir_planexport_source_judge(const struct weir_plan_item *item)
{
	if (weir_planexport_calls_find(item->param))
		return NULL;
	return weir_planexport_elsewhere(item->param->target);
}

/* As a string of C; question marks could make a trigraph. */
static void put_string(struct weir_text *out, const char *text)
{
	weir_text_char(out, '"');
	for (; *text; text++) {
		if (isprint((unsigned char)*text) && !strchr("\"\\?", *text))
			weir_text_char(out, *text);
		else
			weir_text_format(out, "\\%03o", (unsigned char)*text);
	}
	weir_text_char(out, '"');
}

static void put_upper(struct weir_text *out, const char *word)
{
	for (; *word; word++)
		weir_text_char(out, (char)toupper((unsigned char)*word));
}

/* All numbers, as the elements of an array. */
static void put_list(struct weir_text *out, const struct weir_plan_item *item)
{
	for (unsigned i = 0; i < item->count; i++)
		weir_text_format(out, "%s%" PRId64, i ? ", " : "",
				 item->number[i]);
}

/* Whether a number with a point is among the values. */
static int has_real(const struct weir_plan_item *item)
{
	unsigned commas = 0;

	for (const char *at = item->value; *at; at++)
		commas += *at == ',';
	return commas + 1 > item->count;
}

/* What stands for %X in a call; 0: nothing was given for it. */
static int put_value(struct weir_text *out, const struct weir_plan_item *item,
		     char what)
{
	unsigned at = (unsigned)(what - '0'); /* of digits */

	switch (what) {
	case 's':
		put_string(out, item->value);
		return 1;
	case 'k':
		put_string(out, item->param->via);
		return 1;
	case 'n':
		weir_text_unsigned(out, item->count);
		return 1;
	case 'l':
		put_list(out, item);
		return 1;
	case 'r':
		if (has_real(item))
			weir_text_format(out, "%.17g", item->real);
		return has_real(item);
	case 'A':
	case 'B':
		at = (unsigned)(what - 'A');
		put_upper(out, item->param->parts[at]
				       .choices[item->number[at]]);
		return 1;
	default:
		if (at < item->count)
			weir_text_signed(out, item->number[at]);
		return at < item->count;
	}
}

/* A call with the values; {X} behind a % is for what was not given. */
static void put_call(struct weir_text *out, const struct weir_plan_item *item,
		     const char *call)
{
	for (; *call; call++) {
		const char *other;
		int given;

		if (*call != '%') {
			weir_text_char(out, *call);
			continue;
		}
		given = put_value(out, item, *++call);
		other = call[1] == '{' ? call + 2 : NULL;
		if (!other)
			continue;
		call += strcspn(call, "}");
		if (!given)
			weir_text_bytes(out, other, (size_t)(call - other));
	}
}

/*
 * A setting for every file wants no condition; it stands last, as the else of
 * all.
 */
static void put_condition(struct weir_text *out,
			  const struct weir_plan_item *item, int is_other)
{
	if (weir_planexport_is_general(item)) {
		weir_text_string(out, is_other ? "\n\t\t" : "");
		return;
	}
	weir_text_string(out, is_other ? " if (" : "if (");
	if (*item->file) {
		weir_text_string(out, "plan_is_for(");
		put_string(out, item->file);
		weir_text_string(out, ", file)");
	}
	if (*item->file && *item->dataset)
		weir_text_string(out, " && ");
	if (*item->dataset) {
		weir_text_string(out, "plan_is_for(");
		put_string(out, item->dataset);
		weir_text_string(out, ", dataset)");
	}
	weir_text_string(out, ")\n\t\t");
}

/* Of the settings of one parameter, what goes before: as weir_flatplan_next().
 */
static unsigned rank(const struct weir_plan_item *item)
{
	return (*item->dataset ? 2 : 0) + (*item->file ? 1 : 0);
}

/* The next of a parameter after `last`, of those with this rank. */
static const struct weir_plan_item *
next(const struct weir_plan *plan, const struct weir_param_row *param,
     const struct weir_plan_item *last, unsigned wanted)
{
	size_t from = last && rank(last) == wanted ?
			      (size_t)(last - plan->items) : plan->count;

	while (from-- > 0)
		if (plan->items[from].param == param &&
		    rank(&plan->items[from]) == wanted)
			return &plan->items[from];
	return NULL;
}

static void put_setting(struct weir_text *out,
			const struct weir_plan_item *item, const char *call)
{
	int is_statement = call[strlen(call) - 1] == ';';

	weir_text_string(out, is_statement ? "" : "failed += ");
	put_call(out, item, call);
	weir_text_string(out, is_statement ? "\n" : ";\n");
}

/* Each parameter once: the first condition that is met decides. */
static void put_param(struct weir_planexport *export,
		      const struct weir_param_row *param)
{
	const struct weir_planexport_call *call =
		weir_planexport_calls_find(param);
	const struct weir_plan_item *item = NULL;
	int some = 0;

	if (call->guard)
		weir_text_format(export->out, "#ifdef %s\n", call->guard);
	for (unsigned wanted = 4; wanted-- > 0;) {
		while ((item = next(export->plan, param, item, wanted))) {
			weir_text_string(export->out, some ? "\telse" : "\t");
			put_condition(export->out, item, some++);
			put_setting(export->out, item, call->call);
			if (!wanted)
				break; /* the same again */
		}
	}
	if (call->guard)
		weir_text_string(export->out, "#endif\n");
}

/* Whether an earlier setting has its parameter. */
static int is_done(const struct weir_plan *plan, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (plan->items[i].param == plan->items[at].param)
			return 1;
	return 0;
}

static int has_group(const struct weir_planexport *export,
		     const struct group *group)
{
	for (size_t i = 0; i < export->plan->count; i++)
		if (export->plan->items[i].param->target == group->target &&
		    weir_planexport_has(export, &export->plan->items[i]))
			return 1;
	return 0;
}

/*
 * Its parameters share one struct, which has to be read before the first of
 * them is set, and set after the last.
 */
static int uses_cache(const struct weir_planexport *export,
		      const struct group *group)
{
	for (size_t i = 0; i < export->plan->count; i++)
		if (export->plan->items[i].param->target == group->target &&
		    !strcmp(export->plan->items[i].param->via, CACHE))
			return 1;
	return 0;
}

static void put_settings(struct weir_planexport *export, int target)
{
	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (item->param->target == target &&
		    weir_planexport_has(export, item) &&
		    !is_done(export->plan, i))
			put_param(export, item->param);
	}
}

static void put_group(struct weir_planexport *export, const struct group *group)
{
	int cached = uses_cache(export, group);

	weir_text_format(export->out, "\n/* %s */\n", group->about);
	weir_text_string(export->out, group->head);
	weir_text_string(export->out, "\n{\n");
	weir_text_string(export->out, cached ? cache_begin : "");
	weir_text_string(export->out, group->begin);
	if (group->by_file)
		weir_text_string(export->out, "\t(void)file;\n");
	if (group->by_dataset)
		weir_text_string(export->out, "\t(void)dataset;\n");
	weir_text_string(export->out, cached ? cache_read : "");
	put_settings(export, group->target);
	weir_text_string(export->out, cached ? cache_end : "");
	weir_text_string(export->out, group->end);
	weir_text_string(export->out, "}\n");
}

/* Only what is used is included: who exports hints alone may have no HDF5. */
static void put_heads(struct weir_planexport *export)
{
	static const struct {
		const char *name;
		int first, last; /* targets */
	} heads[] = {
		{ "hdf5", WEIR_PLAN_FILE_ACCESS, WEIR_PLAN_TRANSFER },
		{ "mpi", WEIR_PLAN_HINT, WEIR_PLAN_PNETCDF },
	};

	weir_text_string(export->out,
			 "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"
			 "#include <fcntl.h>\n#include <fnmatch.h>\n"
			 "#include <stdio.h>\n#include <stdlib.h>\n"
			 "#include <string.h>\n");
	for (size_t h = 0; h < sizeof(heads) / sizeof(*heads); h++)
		for (size_t g = 0; g < GROUPS; g++)
			if (groups[g].target >= heads[h].first &&
			    groups[g].target <= heads[h].last &&
			    has_group(export, &groups[g])) {
				weir_text_format(export->out,
						 "#include <%s.h>\n",
						 heads[h].name);
				break;
			}
}

void weir_planexport_source_write(struct weir_planexport *export)
{
	int scoped = 0;

	put_heads(export);
	for (size_t i = 0; i < export->plan->count; i++)
		scoped |=
			!weir_planexport_is_general(&export->plan->items[i]) &&
			weir_planexport_has(export, &export->plan->items[i]);
	weir_text_string(export->out, "\n/* Functions return how many "
				      "settings failed. */\n");
	if (scoped)
		weir_text_string(
			export->out,
			"\nstatic int plan_is_for(const char *pattern, "
			"const char *path)\n{\n"
			"\tconst char *last = strrchr(path, '/');\n\n"
			"\tif (last && !strchr(pattern, '/') &&\n"
			"\t    !fnmatch(pattern, last + 1, 0))\n"
			"\t\treturn 1;\n"
			"\treturn !fnmatch(pattern, path, 0);\n}\n");
	for (size_t i = 0; i < GROUPS; i++)
		if (has_group(export, &groups[i]))
			put_group(export, &groups[i]);
}
