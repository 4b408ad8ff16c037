/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the ways from a .weir file to others: surveyed, packed, hidden. */
#include "share/look.h"
#include "share/rewrite.h"
#include "share/survey.h"
#include "target.h"
#include "trace/file/store.h"
#include "trace_shape.h"

/* What weir info, weir anon and weir pack do with a file. */
static void give_away(int fd)
{
	static const struct weir_mask mask = { .keep = WEIR_MASK_EXTENSIONS };
	struct weir_survey survey = { .bytes = 0 };
	struct weir_look look = { .rows = 0 };
	struct weir_store *store;

	if (!weir_survey_add(&survey, fd))
		weir_look_file(&look, fd, 2);
	weir_survey_fini(&survey);
	for (int i = 0; i < 2; i++) {
		struct weir_rewrite job = { .mask = i ? &mask : NULL };

		if (weir_store_adopt(memfd_create("fuzz", MFD_CLOEXEC), &store))
			abort();
		weir_rewrite_file(&job, fd, store);
		weir_store_close(store);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = sealed_file(data, size);

	give_away(fd);
	close(fd);
	return 0;
}
