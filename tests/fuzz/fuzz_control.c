/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds what reads a control file, which every recorded process can write, a
 * whole one with any changes: each is an offset, a length and bytes.
 */
#include "patches.h"
#include "target.h"
#include "trace/control/controlfile.h"
#include "trace/control/outcome.h"

static void begin(struct weir_control *control)
{
	memset(control, 0, sizeof(*control));
	memcpy(control->magic, WEIR_CONTROL_MAGIC, sizeof(control->magic));
	control->version = WEIR_CONTROL_VERSION;
	control->bytes = sizeof(*control);
}

static void count(int fd)
{
	struct weir_outcome *outcome = weir_outcome_new(), *sum = NULL;
	struct weir_unrecorded all = { 0 };

	must(!!outcome);
	weir_controlfile_count(fd, &all);
	weir_unrecorded_sum(&all);
	weir_outcome_count(outcome, fd);
	must(outcome->count <= WEIR_CONTROL_SETTINGS);
	for (uint32_t i = 0; i < outcome->count; i++) {
		const struct weir_outcome_setting *one = &outcome->settings[i];

		must(strnlen(one->why, sizeof(one->why)) < sizeof(one->why));
		weir_outcome_tries(one);
		weir_outcome_word(one->verdict);
	}
	weir_outcome_add(&sum, outcome);
	weir_outcome_free(outcome);
	weir_outcome_free(sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct weir_control control;
	int fd;

	begin(&control);
	patch(&control, sizeof(control), data, size);
	/* a process can cut it, too */
	fd = memory_file((const uint8_t *)&control,
			 size % 8 ? sizeof(control) : control.bytes %
							      sizeof(control));
	weir_controlfile_flags(fd);
	weir_controlfile_manner(fd);
	count(fd);
	return 0;
}

const struct fuzz_shape fuzz_shape = {
	.part = find_patch,
	.head = sizeof(struct patch),
	.numbers = patch_numbers,
	.pack = pack_patch,
};
