/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds the reader of RING payloads any bytes. */
#include "target.h"
#include "trace/file/ringblock.h"

static struct weir_event *events;
static struct weir_bytes details;

static void use_names(const struct weir_ringblock *block)
{
	struct weir_ringblock_names walk;
	struct weir_ringblock_name name;
	size_t left = block->names_bytes + 1;

	weir_ringblock_start_names(block, &walk);
	while (weir_ringblock_next_name(&walk, &name) > 0) {
		must(walk.left < left);
		left = walk.left;
		must(!name.text || name.length <= block->names_bytes);
	}
}

static void use_events(const struct weir_ringblock *block)
{
	struct weir_ringblock_extent extent = weir_ringblock_measure(block);
	struct weir_names names = { 0 };

	must(extent.events <= block->head.records);
	must(extent.events <= WEIR_RINGBLOCK_RECORDS);
	details.used = 0;
	if (!weir_ringblock_number(block, &names) &&
	    !weir_bytes_reserve(&details, weir_ringblock_detail(block)) &&
	    !weir_ringblock_events(block, &names, &details, events))
		for (uint32_t i = 0; i < extent.events; i++)
			must(events[i].file <= names.count);
	weir_names_fini(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_ringblock block;
	uint64_t *words; /* as payloads are aligned */

	if (!events)
		events = calloc(WEIR_RINGBLOCK_RECORDS, sizeof(*events));
	words = malloc(size + 8);
	must(events && words);
	if (size)
		memcpy(words, data, size);
	if (!weir_ringblock_parse(words, size, &block)) {
		use_names(&block);
		use_events(&block);
	}
	free(words);
	return 0;
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_ringblock_head, sequence),
	FUZZ_NUMBER(struct weir_ringblock_head, base),
	FUZZ_NUMBER(struct weir_ringblock_head, mult),
	FUZZ_NUMBER(struct weir_ringblock_head, records),
	{ 0, 0 },
};

/* As many records as there is room for, or some bytes less. */
static void repair(uint8_t *bytes, size_t size)
{
	struct weir_ringblock_head head;
	uint64_t most;

	if (size < sizeof(head))
		return;
	memcpy(&head, bytes, sizeof(head));
	most = (size - sizeof(head)) / sizeof(struct weir_ring_record);
	if (head.records > most)
		head.records = most;
	memcpy(bytes, &head, sizeof(head));
}

const struct fuzz_shape fuzz_shape = {
	.head = sizeof(struct weir_ringblock_head),
	.numbers = numbers,
	.repair = repair,
};
