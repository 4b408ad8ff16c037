/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of plans any bytes: a plan that is taken must become a flat
 * that processes take, with the same settings, and be told in every language;
 * what is not taken must be complained of.
 */
#include "plan/export/planexport.h"
#include "plan/plan.h"
#include "plan_use.h"

#include <errno.h>
#include <fcntl.h>

static void flatten(const struct weir_plan *plan)
{
	struct weir_flatplan flat;
	void *bytes;
	size_t size;

	must(!weir_plan_flatten(plan, &bytes, &size));
	must(!weir_flatplan_open(bytes, size, &flat));
	must(flat.count == plan->count);
	for (uint32_t i = 0; i < flat.count; i++)
		must(flat.settings[i].param == plan->items[i].param->param &&
		     !strcmp(weir_flatplan_text(&flat, flat.settings[i].file),
			     plan->items[i].file));
	use_flatplan(&flat, (const char *)bytes + size);
	free(bytes);
}

static void hand_out(const struct weir_plan *plan, FILE *complaints)
{
	static const char *const names[] = {
		"xml", "c",   "env",	   "romio-hints",   "mpich-hints",
		"lfs", "ompi-mca", "ompi-conf", "pnetcdf-hints",
	};
	static int null = -1;
	struct weir_text out;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (weir_text_init(&out, null))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		weir_planexport_write(&out, weir_planexport_find(names[i]),
				      plan, "p", complaints);
	weir_text_flush(&out);
	weir_text_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_plan *plan = NULL;
	char *said = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&said, &length);
	int err;

	must(!!to);
	err = weir_plan_read_bytes("p", (const char *)data, size, &plan, to);
	if (!err) {
		weir_plan_warn(plan, to);
		weir_plan_explain(plan, to);
		flatten(plan);
		hand_out(plan, to);
		weir_plan_free(plan);
	}
	fclose(to);
	must(err == -EINVAL ? length > 4 && !memcmp(said, "p:", 2) : !err);
	free(said);
	return 0;
}

static const char *const words[] = {
	"<plan>", "</plan>", "<Parameters>", "</Parameters>", "<hdf5>",
	"</hdf5>", "<mpi>", "</mpi>", "<for ", "</for>", "<posix>",
	"</posix>", "<environment>", "</environment>", "<pnetcdf>",
	" file=\"*\"", " dataset=\"/x\"", " force=\"yes\"",
	" opt-in=\"yes\"", " proof=\"old\"",
	"<cb_nodes>4</cb_nodes>", "<alignment>64K,1M</alignment>",
	"<chunk>8,16</chunk>", "<chunk_cache>12421,16M,0.5</chunk_cache>",
	"<transfer_mode opt-in=\"yes\">collective</transfer_mode>",
	"<layout>chunked</layout>", "<stripe_count>-1</stripe_count>",
	"<stdio_buffer>1M</stdio_buffer>", "<fadvise>random</fadvise>",
	"<romio_cb_write>enable</romio_cb_write>",
	"<libver>latest,latest</libver>", "<!--", "-->", "<![CDATA[", "]]>",
	"<?x", "?>", "&amp;", "&#0;", "&#x41;", "&lt;", "<", ">", "/>", "</",
	"=", "\"", ",", ".", "K", "M", "G", "T", "-1", "0", "yes", "no", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
