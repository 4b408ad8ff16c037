/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of a raw chunk. */
#include "trace/event/records.h"

#include <errno.h>
#include <string.h>

#define TIME_MASK ((UINT64_C(1) << WEIR_RECORD_TIME_BITS) - 1)
#define SITE_MASK (WEIR_RECORD_SITES - 1)

void weir_records_start(struct weir_records *records, const void *payload,
			size_t bytes, uint64_t base_tick)
{
	memset(records, 0, sizeof(*records));
	records->words = payload;
	records->count = bytes / sizeof(uint64_t);
	records->clock = base_tick;
}

size_t weir_records_words_after(uint64_t word)
{
	return 2 * !!(word & WEIR_RECORD_DEF) + !!(word & WEIR_RECORD_SIZE) +
	       !!(word & WEIR_RECORD_OFF) + !!(word & WEIR_RECORD_RET) +
	       2 * !!(word & WEIR_RECORD_WIDE) + !!(word & WEIR_RECORD_DETAIL);
}

static void define_site(struct weir_records_site *site, uint64_t word,
			uint64_t size)
{
	*site = (struct weir_records_site){
		.call = (uint16_t)word,
		.depth = (uint8_t)(word >> 16),
		.flags = (uint8_t)(word >> 24),
		.handle = (uint32_t)(word >> 32),
		.size = size,
	};
}

/* The offset and what follows from it for the site's next record. */
static void place_record(struct weir_records_site *site, uint64_t bits,
			 const uint64_t **words, struct weir_event *event)
{
	uint64_t off = site->next;

	if (bits & WEIR_RECORD_OFF)
		off = *(*words)++;
	if (bits & WEIR_RECORD_NOOFF) {
		event->flags |= WEIR_EVENT_NOOFF;
		event->off = 0;
		return;
	}
	event->off = (int64_t)off;
	site->next = off + site->size;
}

static void conclude_record(uint64_t bits, const uint64_t **words,
			    struct weir_event *event)
{
	event->ret = event->flags & WEIR_EVENT_RETSIZE ?
			     (int64_t)event->size : 0;
	if (bits & WEIR_RECORD_RET)
		event->ret = (int64_t)*(*words)++;
	if (bits & WEIR_RECORD_FAILED)
		event->flags |= WEIR_EVENT_FAILED;
	event->flags &= (uint8_t)~WEIR_EVENT_RETSIZE;
}

static void tell_time(struct weir_records *records, uint64_t word,
		      const uint64_t **words, struct weir_event *event)
{
	uint64_t gap = word >> WEIR_RECORD_GAP_SHIFT;

	event->dur = word >> WEIR_RECORD_DUR_SHIFT & TIME_MASK;
	if (word & WEIR_RECORD_WIDE) {
		gap = *(*words)++;
		event->dur = *(*words)++;
	}
	event->start = records->clock + gap;
	records->clock = event->start + event->dur;
}

static int take_detail(struct weir_records *records, const uint64_t *words,
		       struct weir_event *event)
{
	uint64_t bytes = *words++;
	size_t left = records->count - (size_t)(words - records->words);

	if (bytes > left * sizeof(uint64_t))
		return -EBADMSG;
	event->detail = (const uint8_t *)words;
	event->detail_len = (uint32_t)bytes;
	records->at += (bytes + 7) / 8;
	return 0;
}

int weir_records_next(struct weir_records *records,
		      struct weir_event *ret_event)
{
	const uint64_t *words = records->words + records->at;
	struct weir_records_site *site;
	uint64_t word;

	if (records->at == records->count)
		return 0;
	word = *words++;
	if (weir_records_words_after(word) > records->count - records->at - 1)
		return -EBADMSG;
	records->at += 1 + weir_records_words_after(word);
	site = &records->sites[word >> WEIR_RECORD_SITE_SHIFT & SITE_MASK];
	if (word & WEIR_RECORD_DEF) {
		define_site(site, words[0], words[1]);
		words += 2;
	}
	if (word & WEIR_RECORD_SIZE)
		site->size = *words++;
	ret_event->call = site->call;
	ret_event->flags = site->flags;
	ret_event->depth = site->depth;
	ret_event->handle = site->handle;
	ret_event->size = site->size;
	place_record(site, word, &words, ret_event);
	conclude_record(word, &words, ret_event);
	tell_time(records, word, &words, ret_event);
	ret_event->detail = NULL;
	ret_event->detail_len = 0;
	if (word & WEIR_RECORD_DETAIL && take_detail(records, words, ret_event))
		return -EBADMSG;
	return 1;
}

void weir_records_skip(struct weir_records *records)
{
	while (records->at < records->count) {
		uint64_t word = records->words[records->at];
		size_t words = 1 + weir_records_words_after(word);

		if (word & (WEIR_RECORD_DEF | WEIR_RECORD_DETAIL) ||
		    words > records->count - records->at)
			return;
		records->at += words;
	}
}
