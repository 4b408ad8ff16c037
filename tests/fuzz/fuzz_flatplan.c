/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds processes flat plans of any bytes: what they take must be used without
 * a read beyond.
 */
#include "base/hash.h"
#include "plan_use.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_flatplan flat;
	void *bytes = malloc(size + !size);

	must(!!bytes);
	if (size)
		memcpy(bytes, data, size);
	if (!weir_flatplan_open(bytes, size, &flat))
		use_flatplan(&flat, (const char *)bytes + size);
	free(bytes);
	return 0;
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_plan_head, settings),
	FUZZ_NUMBER(struct weir_plan_head, sites),
	FUZZ_NUMBER(struct weir_plan_head, strings),
	{ 0, 0 },
};

/* The strings take what is left, or else the numbers stay as they are. */
static void add_up(struct weir_plan_head *head, size_t size)
{
	uint64_t before = sizeof(*head) +
		head->settings * (uint64_t)sizeof(struct weir_plan_setting) +
		head->sites * (uint64_t)sizeof(struct weir_plan_site);

	if (before < size)
		head->strings = (uint32_t)(size - before);
}

static void repair(uint8_t *bytes, size_t size)
{
	struct weir_plan_head head;

	if (size < sizeof(head))
		return;
	memcpy(&head, bytes, sizeof(head));
	memcpy(head.magic, WEIR_PLAN_MAGIC, sizeof(head.magic));
	head.version = WEIR_PLAN_VERSION;
	head.bytes = (uint32_t)size;
	if (head.check % 8) /* as it comes; in most cases that it adds up */
		add_up(&head, size);
	if (head.strings && head.strings <= size - sizeof(head))
		bytes[size - 1] = '\0';
	head.check = weir_hash_bytes(bytes + sizeof(head),
				     size - sizeof(head));
	memcpy(bytes, &head, sizeof(head));
}

const struct fuzz_shape fuzz_shape = {
	.head = sizeof(struct weir_plan_head),
	.numbers = numbers,
	.repair = repair,
};
