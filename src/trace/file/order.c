/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows of byte orders: marks blocks with ours, turns those of the other. */
#include "trace/file/order.h"

#include "trace/event/foretell.h"
#include "trace/event/records.h"
#include "trace/file/ringblock.h"

#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_MAGIC   WEIR_BLOCK_MAGIC
#define OTHER_MAGIC WEIR_BLOCK_MAGIC_BIG
#else
#define OWN_MAGIC   WEIR_BLOCK_MAGIC_BIG
#define OTHER_MAGIC WEIR_BLOCK_MAGIC
#endif

void weir_order_mark(struct weir_block *head)
{
	memcpy(head->magic, OWN_MAGIC, sizeof(head->magic));
}

int weir_order_is_magic(const uint8_t *magic, size_t size)
{
	return !memcmp(magic, WEIR_BLOCK_MAGIC, size) ||
	       !memcmp(magic, WEIR_BLOCK_MAGIC_BIG, size);
}

int weir_order_is_other(const struct weir_block *head)
{
	return !memcmp(head->magic, OTHER_MAGIC, sizeof(head->magic));
}

static void turn4(uint32_t *number)
{
	*number = __builtin_bswap32(*number);
}

static void turn8(uint64_t *number)
{
	*number = __builtin_bswap64(*number);
}

void weir_order_turn_head(struct weir_block *head)
{
	turn4(&head->type);
	turn4(&head->stored);
	turn4(&head->raw);
	turn4(&head->proc);
	turn4(&head->thread);
	turn4(&head->count);
	turn8(&head->first);
	turn8(&head->last);
	turn4(&head->flags);
	turn4(&head->head_check);
	turn8(&head->check);
}

/* Words are numbers, all but those that hold the bytes of a detail. */
static void turn_records(void *payload, size_t size)
{
	uint64_t *word = payload, *end = word + size / sizeof(*word);

	while (word < end) {
		size_t words, skip = 0;

		turn8(word);
		words = weir_records_words_after(*word);
		if (words > (size_t)(end - word) - 1)
			return;
		for (size_t i = 1; i <= words; i++)
			turn8(word + i);
		if (*word & WEIR_RECORD_DETAIL)
			skip = weir_records_words_of(word[words]);
		word += 1 + words;
		if (skip > (size_t)(end - word))
			return;
		word += skip;
	}
}

static void turn_events_head(void *payload, size_t size)
{
	struct weir_events_head *head = payload;

	if (size < sizeof(*head))
		return;
	turn8(&head->first_index);
	turn8(&head->base);
	turn4(&head->sites);
	turn4(&head->detail_bytes);
}

/* The head and the records it counts; behind them are names. */
static void turn_ring(void *payload, size_t size)
{
	struct weir_ringblock_head *head = payload;
	uint64_t *word = payload, *end = word + size / sizeof(*word);

	if (size < sizeof(*head))
		return;
	for (size_t i = 0; i < sizeof(*head) / sizeof(*word); i++)
		turn8(word++);
	for (uint64_t i = 0; i < 2 * head->records && word < end; i++)
		turn8(word++);
}

/* As in the table of doc/format.md; what is not here is bytes alone. */
static const struct {
	uint32_t type;
	void (*turn)(void *payload, size_t size);
} payloads[] = {
	{ WEIR_BLOCK_CHUNK, turn_records },
	{ WEIR_BLOCK_EVENTS, turn_events_head },
	{ WEIR_BLOCK_RING, turn_ring },
};

void weir_order_turn_payload(uint32_t type, void *payload, size_t size)
{
	for (size_t i = 0; i < sizeof(payloads) / sizeof(*payloads); i++)
		if (payloads[i].type == type)
			payloads[i].turn(payload, size);
}
