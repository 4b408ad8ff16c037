/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what the page of a report shows. */
#include "cmds/pagedata.h"

#include "analyse/page/overviewbuild.h"
#include "cmds/progress.h"
#include "export/sites/sites.h"

static void put_site(void *sites, struct weir_text *out,
		     const struct weir_event *event)
{
	weir_sites_put_json(sites, out, event);
}

static int make_bytes(const struct weir_pagesource *page,
		      const struct weir_overview *overview,
		      struct weir_bytes *ret_bytes)
{
	struct weir_pagesource whole = *page;
	struct weir_sites *sites = NULL;
	int err = 0;

	whole.overview = overview;
	if (page->facts->has_sites) {
		err = weir_sites_new(page->path, &sites);
		whole.put_site = put_site;
		whole.context = sites;
	}
	err = err ? err : weir_as_page_make(&whole, ret_bytes);
	weir_sites_free(sites);
	return err;
}

int weir_pagedata_make(const struct weir_pagesource *page,
		       struct weir_bytes *ret_bytes)
{
	struct weir_progress progress;
	struct weir_outline outline;
	struct weir_overview overview;
	int err = weir_outline_init(&outline, page->reader, page->facts,
				    page->findings);

	if (err)
		return err;
	weir_progress_begin(&progress, "gathering what the page shows", NULL);
	err = weir_overviewbuild_read(&overview, page->path, &outline,
				      page->filter, 0);
	if (!err) {
		err = make_bytes(page, &overview, ret_bytes);
		weir_overview_fini(&overview);
	}
	weir_progress_end(&progress);
	weir_outline_fini(&outline);
	return err;
}
