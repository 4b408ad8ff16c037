/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what of a plan are variables of the environment. */
#include "plan/export/planexport.h"

#include "spec/params.h"

#include <string.h>

#define MCA "OMPI_MCA_"

/* Hints of which Open MPI has the like for all files. */
static const struct {
	enum weir_param param;
	const char *why;
} likes[] = {
	{WEIR_PARAM_CB_NODES, "a hint; io_ompio_num_aggregators is the like "
			      "of it for all files"},
	{WEIR_PARAM_CB_BUFFER_SIZE, "a hint; io_ompio_bytes_per_agg is the "
				    "like of it for all files"},
};

static int is_of_open_mpi(const struct weir_plan_item *item)
{
	return item->param->target == WEIR_PLAN_ENVIRONMENT &&
	       !strncmp(item->param->via, MCA, strlen(MCA));
}

const char *
weir_planexport_variables_judge_mca(const struct weir_plan_item *item)
{
	if (is_of_open_mpi(item))
		return strchr(item->value, '\n') ? "it has several lines"
						 : NULL;
	for (size_t i = 0; i < sizeof(likes) / sizeof(*likes); i++)
		if (likes[i].param == item->param->param)
			return likes[i].why;
	if (item->param->target == WEIR_PLAN_ENVIRONMENT)
		return "not of Open MPI: --to env";
	return weir_planexport_elsewhere(item->param->target);
}

/* PnetCDF's own hints are in one of their own. */
const char *
weir_planexport_variables_judge_all(const struct weir_plan_item *item)
{
	if (item->param->target == WEIR_PLAN_ENVIRONMENT)
		return NULL;
	if (item->param->target == WEIR_PLAN_PNETCDF)
		return weir_planexport_hints_judge_pnetcdf(item);
	return weir_planexport_elsewhere(item->param->target);
}

void weir_planexport_variables_write(struct weir_planexport *export)
{
	int hints = 0;

	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (!weir_planexport_has(export, item))
			continue;
		hints |= item->param->target == WEIR_PLAN_PNETCDF;
		if (item->param->target != WEIR_PLAN_ENVIRONMENT)
			continue;
		weir_text_format(export->out, "export %s=", item->param->via);
		weir_planexport_word(export->out, item->value);
		weir_text_char(export->out, '\n');
	}
	if (hints)
		weir_planexport_hints_write_pnetcdf(export);
}

void weir_planexport_variables_write_conf(struct weir_planexport *export)
{
	for (size_t i = 0; i < export->plan->count; i++) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (!weir_planexport_has(export, item))
			continue;
		weir_text_format(export->out,
				 "%s = ", item->param->via + strlen(MCA));
		weir_text_string(export->out, item->value);
		weir_text_char(export->out, '\n');
	}
}
