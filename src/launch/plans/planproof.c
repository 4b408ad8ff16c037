/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves settings that want it by the traces that the plan names. */
#include "launch/plans/planproof.h"

#include "analyse/proof/provesites.h"
#include "base/glob.h"
#include "base/hash.h"
#include "plan/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wants(const void *about, const char *file, const char *dataset)
{
	const struct weir_plan_item *item = about;

	return (!*item->file || weir_glob_matches_path(item->file, file)) &&
	       (!*item->dataset ||
		weir_glob_matches_path(item->dataset, dataset));
}

static int take_sites(struct weir_plan_item *item,
		      const struct weir_provesites *all)
{
	const struct weir_provesteps *steps = &all->steps;

	item->sites = calloc(all->proven, sizeof(*item->sites));
	if (!item->sites)
		return -ENOMEM;
	for (size_t i = 0; i < steps->site_count; i++) {
		const struct weir_provesite *site = &steps->sites[i];

		if (!site->is_bad)
			item->sites[item->site_count++] =
				(struct weir_plan_site){
					weir_hash_bytes(site->object,
							strlen(site->object)),
					site->offset,
				};
	}
	item->ranks = all->ranks;
	return 0;
}

static int complain(const struct weir_plan *plan,
		    const struct weir_plan_item *item, const char *why)
{
	fprintf(stderr, "%s:%u: %s does not prove that %s is safe: %s\n",
		plan->path, item->line, item->proof, item->param->name, why);
	return -EINVAL;
}

static int prove(const struct weir_plan *plan, struct weir_plan_item *item)
{
	struct weir_provesteps_filter filter = { wants, item };
	struct weir_provesites all;
	int err = weir_provesites_find(&all, item->proof, &filter);

	if (err == -ENOMEM)
		return err;
	if (err)
		return complain(plan, item,
				err == -EBADMSG ? "it is no trace"
						: strerror(-err));
	if (!all.proven || all.proven > WEIR_PLAN_SITES)
		err = complain(plan, item, all.why);
	else
		err = take_sites(item, &all);
	if (!err && *all.why)
		fprintf(stderr, "%s:%u: warning: %u of %zu places in the "
			"program are proven for %s: %s\n", plan->path,
			item->line, all.proven, all.steps.site_count,
			item->param->name, all.why);
	weir_provesites_fini(&all);
	return err;
}

int weir_planproof_add(struct weir_plan *plan)
{
	int err = 0, first = 0;

	for (size_t i = 0; i < plan->count && err != -ENOMEM; i++) {
		err = plan->items[i].proof ? prove(plan, &plan->items[i]) : 0;
		first = first ? first : err;
	}
	return first;
}
