/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the sums that a thread left in its live file into records. */
#include "trace/live/sums.h"

#include "trace/layout/trace_layout.h"

#include <string.h>

/* A note of it is in the thread's chunks already: see sum_layout.h. */
static bool is_told(const struct weir_sum *sum, const struct weir_slot *slot)
{
	uint64_t sequence = slot->chunk >> 32;

	if (!sum->told)
		return false;
	return sequence > sum->told >> 16 ||
	       (sequence == sum->told >> 16 &&
		(slot->commit & 0xffff) >= (sum->told & 0xffff));
}

static uint64_t *put_note(uint64_t *word, const struct weir_sum *sum)
{
	*word++ = WEIR_RECORD_DEF | WEIR_RECORD_NOOFF | WEIR_RECORD_WIDE |
		  WEIR_RECORD_DETAIL;
	*word++ = WEIR_NOTE_SUM | sum->key >> 32 << 32;
	*word++ = 0; /* size */
	*word++ = 0; /* gap */
	*word++ = 0; /* duration */
	*word++ = sizeof(*sum);
	weir_sum_write(sum, word);
	return word + sizeof(*sum) / 8;
}

bool weir_sums_copy(struct weir_live_view *view, const struct weir_slot *slot,
		    struct weir_sums *ret_sums)
{
	uint32_t unit = slot->sums - 1;
	const uint8_t *base = (const uint8_t *)weir_live_slot(view, unit);
	struct weir_chunk_head head;
	uint64_t *word = ret_sums->words;

	if (!slot->sums || !base)
		return false;
	memcpy(&head, base + WEIR_LIVE_SLOT_BYTES, sizeof(head));
	if (head.thread != slot->thread || head.sequence)
		return false;
	ret_sums->chunk = (struct weir_live_chunk){
		.thread = slot->thread,
		.sequence = (uint32_t)(slot->chunk >> 32) + 2,
		.base = slot->first_drop,
		.unit = unit,
		.data = (const uint8_t *)ret_sums->words,
	};
	for (uint32_t i = 0; i < WEIR_SUM_PLACES; i++) {
		struct weir_sum sum;

		memcpy(&sum, base + WEIR_LIVE_DATA_OFFSET + i * sizeof(sum),
		       sizeof(sum));
		if (!sum.key || !sum.calls || is_told(&sum, slot))
			continue;
		word = put_note(word, &sum);
		ret_sums->chunk.records++;
	}
	ret_sums->chunk.used =
		(uint32_t)((uint8_t *)word - (uint8_t *)ret_sums->words);
	return true;
}
