/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds plans and spaces any bytes: a plan that is taken must become a slip
 * that processes take, with the same settings; what is not must be complained
 * of. The same bytes as a slip, with their sum put right, must be used without
 * a read beyond.
 */
#include "base/hash.h"
#include "plan/plan.h"
#include "plan/slip.h"
#include "plan/space.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* Mini-XML forgets an element that the file does not end; weir ends then. */
__attribute__((visibility("default")))
const char *__lsan_default_suppressions(void)
{
	return "leak:mxml";
}

static void must(int holds)
{
	if (!holds)
		abort();
}

static void use_slip(const struct weir_slip *slip, const char *end)
{
	for (uint32_t i = 0; i < slip->count; i++) {
		const struct weir_plan_setting *setting = &slip->settings[i];

		must(weir_slip_text(slip, setting->name) < end);
		must(strlen(weir_slip_text(slip, setting->value)) <
		     (size_t)(end - slip->strings));
		weir_slip_has_site(slip, setting, 1, 2);
		weir_slip_next(slip, setting->layer, "/a/b.h5", "/x", NULL);
	}
}

static void use_plan(const struct weir_plan *plan)
{
	struct weir_slip slip;
	void *bytes;
	size_t size;

	must(!weir_plan_flatten(plan, &bytes, &size));
	must(!weir_slip_open(bytes, size, &slip));
	must(slip.count == plan->count);
	for (uint32_t i = 0; i < slip.count; i++)
		must(slip.settings[i].param == plan->items[i].param->param &&
		     !strcmp(weir_slip_text(&slip, slip.settings[i].file),
			     plan->items[i].file));
	use_slip(&slip, (const char *)bytes + size);
	free(bytes);
}

static void read_plan(const char *data, size_t size)
{
	struct weir_plan *plan = NULL;
	char *said = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&said, &length);
	int err;

	if (!to)
		return;
	err = weir_plan_read_bytes("p", data, size, &plan, to);
	if (!err) {
		weir_plan_warn(plan, to);
		weir_plan_explain(plan, to);
		use_plan(plan);
		weir_plan_free(plan);
	}
	fclose(to);
	must(err == -EINVAL ? length > 4 && !memcmp(said, "p:", 2) : !err);
	free(said);
}

static void read_space(const char *data, size_t size)
{
	struct weir_space *space = NULL;
	char *said = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&said, &length);
	int err;

	if (!to)
		return;
	weir_space_is(data, size);
	err = weir_space_read_bytes("s", data, size, &space, to);
	if (!err) {
		weir_space_explain(space, to);
		weir_space_free(space);
	}
	fclose(to);
	must(err == -EINVAL ? length > 4 && !memcmp(said, "s:", 2) : !err);
	free(said);
}

static void read_slip(const uint8_t *data, size_t size)
{
	struct weir_plan_head *head = malloc(size + !size);
	struct weir_slip slip;

	if (!head)
		return;
	memcpy(head, data, size);
	if (size >= sizeof(*head)) {
		memcpy(head->magic, WEIR_PLAN_MAGIC, sizeof(head->magic));
		head->version = WEIR_PLAN_VERSION;
		head->bytes = (uint32_t)size;
		head->check = weir_hash_bytes(head + 1, size - sizeof(*head));
	}
	if (!weir_slip_open(head, size, &slip))
		use_slip(&slip, (const char *)head + size);
	free(head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_plan((const char *)data, size);
	read_space((const char *)data, size);
	read_slip(data, size);
	return 0;
}
