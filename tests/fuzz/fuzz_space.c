/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of spaces any bytes: what is taken has points within the
 * limits, what is not must be complained of.
 */
#include "plan/space.h"
#include "plan_use.h"

#include <errno.h>

static void use(const struct weir_space *space)
{
	must(space->count && space->count <= WEIR_SPACE_PLATFORMS);
	for (size_t i = 0; i < space->count; i++) {
		const struct weir_space_platform *p = &space->platforms[i];

		must(p->count <= WEIR_SPACE_PARAMETERS);
		for (size_t a = 0; a < p->count; a++)
			must(p->axes[a].count <= WEIR_SPACE_VALUES &&
			     p->axes[a].other < p->count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_space *space = NULL;
	char *said = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&said, &length);
	int err;

	must(!!to);
	weir_space_is((const char *)data, size);
	err = weir_space_read_bytes("s", (const char *)data, size, &space, to);
	if (!err) {
		use(space);
		weir_space_explain(space, to);
		weir_space_free(space);
	}
	fclose(to);
	must(err == -EINVAL ? length > 4 && !memcmp(said, "s:", 2) : !err);
	free(said);
	return 0;
}

static const char *const words[] = {
	"<space>", "</space>", "<platform name=\"a\">", "</platform>",
	" about=\"x\"", " values=\"1 2 4\"", " values=\"1..9\"",
	" tied-to=\"cb_nodes\"", "<cb_nodes values=\"1 2\"/>",
	"<cb_buffer_size tied-to=\"striping_unit\"/>",
	"<striping_unit values=\"1M 2M\"/>", "<chunk values=\"1,26,98304\"/>",
	"<alignment values=\"1,1 1K,64K\"/>",
	"<IBM_lockless_io values=\"true false\"/>",
	" opt-in=\"yes\"", " force=\"yes\"", " file=\"*\"",
	"<!--", "-->", "&amp;", "<", ">", "/>", "=", "\"", ",", "..", "K", "M",
	" ", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
