/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a plan as a plan: each name and value spelt in one way. */
#include "plan/export/planexport.h"

#include "plan/parameter.h"

#include <string.h>

/* By target. */
static const char *const sections[] = {
	[WEIR_PLAN_ENVIRONMENT] = "environment",
	[WEIR_PLAN_FILE_ACCESS] = "hdf5", [WEIR_PLAN_FILE_CREATE] = "hdf5",
	[WEIR_PLAN_DATASET_CREATE] = "hdf5",
	[WEIR_PLAN_DATASET_ACCESS] = "hdf5", [WEIR_PLAN_TRANSFER] = "hdf5",
	[WEIR_PLAN_HINT] = "mpi", [WEIR_PLAN_PNETCDF] = "pnetcdf",
	[WEIR_PLAN_NAME_PREFIX] = "mpi", [WEIR_PLAN_STRIPE] = "posix",
	[WEIR_PLAN_OPEN] = "posix", [WEIR_PLAN_STREAM] = "posix",
};

static void put_escaped(struct weir_text *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			weir_text_string(out, "&amp;");
			break;
		case '<':
			weir_text_string(out, "&lt;");
			break;
		case '>':
			weir_text_string(out, "&gt;");
			break;
		case '"':
			weir_text_string(out, "&quot;");
			break;
		default:
			weir_text_char(out, *text);
		}
	}
}

static void put_attribute(struct weir_text *out, const char *name,
			  const char *value)
{
	if (!value || !*value)
		return;
	weir_text_format(out, " %s=\"", name);
	put_escaped(out, value);
	weir_text_char(out, '"');
}

static void put_setting(struct weir_text *out,
			const struct weir_plan_item *item)
{
	weir_text_format(out, "    <%s", item->param->name);
	put_attribute(out, "file", item->file);
	put_attribute(out, "dataset", item->dataset);
	put_attribute(out, "force",
		      item->flags & WEIR_PLAN_FORCE ? "yes" : NULL);
	put_attribute(out, "opt-in",
		      weir_parameter_is_opt_in(item) ? "yes" : NULL);
	put_attribute(out, "proof", item->proof);
	weir_text_char(out, '>');
	put_escaped(out, item->value);
	weir_text_format(out, "</%s>\n", item->param->name);
}

/* The order of the settings stays, for the later of two goes before. */
void weir_planexport_xml_write(struct weir_planexport *export)
{
	const char *section = NULL;

	weir_text_string(export->out, "<plan>\n");
	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];
		const char *own = sections[item->param->target];

		if (section && strcmp(section, own))
			weir_text_format(export->out, "  </%s>\n", section);
		if (!section || strcmp(section, own))
			weir_text_format(export->out, "  <%s>\n", own);
		section = own;
		put_setting(export->out, item);
	}
	if (section)
		weir_text_format(export->out, "  </%s>\n", section);
	weir_text_string(export->out, "</plan>\n");
}
