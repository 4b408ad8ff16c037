/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of dictionaries any text, and up to the first zero byte of
 * it; what follows is taken for the arguments of each of its calls.
 */
#include "target.h"
#include "trace/event/detail.h"
#include "trace/event/dictionary.h"
#include "trace/layout/trace_layout.h"

#define CALLS 64

static volatile uint64_t looked_at;

static void use_value(struct weir_value *value, const uint8_t *end)
{
	struct weir_field field;
	uint64_t base, length, sum = 0;

	must(!!value->kind && !!value->name);
	if (!value->given)
		return;
	if (value->text)
		must(value->text_len <= (size_t)(end - value->text));
	while (value->pairs && weir_detail_next_pair(value, &base, &length))
		sum += base + length;
	while (value->fields && weir_detail_next_field(value, &field)) {
		must(!field.is_text ||
		     field.text_len <= (size_t)(end - field.text));
		for (size_t i = 0; i < field.name_len; i++)
			sum += (uint8_t)field.name[i];
	}
	looked_at += sum;
}

static void use_meaning(const struct weir_call *call)
{
	const struct weir_meaning *means = &call->means;

	must(means->class > WEIR_MEANS_NOTHING &&
	     means->class < WEIR_MEANS_COUNT);
	must(!(means->traits >> WEIR_TRAIT_COUNT));
	must(means->name <= call->argument_count);
	must(means->to <= call->argument_count);
	must(means->off <= call->argument_count);
	must(means->len <= call->argument_count);
}

static void use_call(const struct weir_call *call, const uint8_t *detail,
		     size_t size)
{
	struct weir_event event = {
		.detail = detail,
		.detail_len = (uint32_t)size,
		.flags = size % 2 ? WEIR_EVENT_SITE : 0,
	};
	struct weir_value value;
	struct weir_detail walk;
	uint32_t taken = 0;

	use_meaning(call);
	must(weir_detail_site_bytes(&event) <= size);
	weir_detail_start(&walk, &event, call);
	while (weir_detail_next(&walk, &value)) {
		must(++taken <= call->argument_count);
		use_value(&value, detail + size);
	}
	if (weir_detail_first_path(&event, call, &value))
		must(value.text_len <= size);
}

static void use_kinds(const struct weir_dictionary *dictionary)
{
	const struct weir_kind *kind;
	size_t sum = 0;

	for (uint32_t n = 0; (kind = weir_dictionary_kind(dictionary, n)); n++)
		sum += strlen(kind->name) + strlen(kind->show);
	looked_at += sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t text = zero ? (size_t)(zero - data) : size;
	const uint8_t *detail = zero ? zero + 1 : data + size;
	struct weir_dictionary *dictionary;
	const struct weir_call *call;

	if (weir_dictionary_parse(data, text, &dictionary))
		return 0;
	use_kinds(dictionary);
	for (uint16_t id = 0; id < CALLS; id++) {
		call = weir_dictionary_call(dictionary, id);
		if (call)
			use_call(call, detail, (size_t)(data + size - detail));
	}
	weir_dictionary_free(dictionary);
	return 0;
}

static const char *const words[] = {
	"kind ", "call ", "layer ", "\nkind ", "\ncall ", "int", "path", "fd",
	"size", "off", "detail", "handle", "-", " u ", " s ", " o ", " t ",
	" p ", " v ", " x ", " h ", " f ", " r ", "dec", "hex", "oct", "mode",
	"flags:", "=", ",", ":", "|", "posix", "stdio", "open", "role", "1",
	"63", "65535", "\n", " ", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
