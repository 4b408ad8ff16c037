/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ledger. Entries that are open are chained by file; the chains are this
 * daemon's own, and made anew by the next one from what is live.
 */
#include "serve/failures/failures.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Places are told as one more, so that 0 is none. */
static struct {
	pthread_mutex_t lock;
	bool is_read;
	uint32_t first[WEIR_STATE_PLACES];
	uint32_t next[WEIR_STATE_LEDGER];
} chains = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct weir_state_failure *entry_at(uint32_t link)
{
	return &weir_state->ledger[link - 1];
}

static uint32_t count_made(void)
{
	uint32_t count = atomic_load(&weir_state->failures);

	return count < WEIR_STATE_LEDGER ? count : WEIR_STATE_LEDGER;
}

static bool is_open(const struct weir_state_failure *entry)
{
	return atomic_load(&entry->live) && entry->fate == WEIR_FATE_OPEN;
}

static void chain(uint32_t link)
{
	uint32_t *first = &chains.first[entry_at(link)->file];

	chains.next[link - 1] = *first;
	*first = link;
}

static void unchain(uint32_t link)
{
	uint32_t *at = &chains.first[entry_at(link)->file];

	while (*at != link)
		at = &chains.next[*at - 1];
	*at = chains.next[link - 1];
}

/*
 * A daemon that was killed when it had rescued something leaves the bytes to
 * the next: they are open again.
 */
static bool is_left(const struct weir_state_failure *entry)
{
	const struct weir_state_file *file = &weir_state->files[entry->file];

	return entry->file < WEIR_BOARD_FILES && atomic_load(&entry->live) &&
	       entry->fate == WEIR_FATE_RESCUED &&
	       atomic_load(&file->live) && file->turn == entry->turn;
}

static void read_entry(uint32_t link)
{
	struct weir_state_failure *entry = entry_at(link);

	if (is_left(entry)) {
		entry->fate = WEIR_FATE_OPEN;
		entry->rescue[0] = '\0';
	}
	if (is_open(entry))
		chain(link);
}

static void read_ledger(void)
{
	memset(chains.first, 0, sizeof(chains.first));
	for (uint32_t link = 1; link <= count_made(); link++)
		read_entry(link);
	chains.is_read = true;
}

void weir_failures_read(void)
{
	pthread_mutex_lock(&chains.lock);
	read_ledger();
	pthread_mutex_unlock(&chains.lock);
}

static void lock_ledger(void)
{
	pthread_mutex_lock(&chains.lock);
	if (!chains.is_read)
		read_ledger();
}

/* A place for one more; 0: all are open. */
static uint32_t find_free_entry(void)
{
	uint32_t count = count_made();

	if (count < WEIR_STATE_LEDGER) {
		atomic_store(&weir_state->failures, count + 1);
		return count + 1;
	}
	for (uint32_t link = 1; link <= count; link++)
		if (!is_open(entry_at(link)))
			return link;
	return 0;
}

static void write_down(uint32_t link,
		       const struct weir_failures_one *failure)
{
	struct weir_state_failure *entry = entry_at(link);

	atomic_store(&entry->live, 0);
	entry->fate = WEIR_FATE_OPEN;
	entry->file = failure->range.file;
	entry->turn = failure->range.turn;
	entry->error = failure->error;
	entry->tries = failure->tries;
	entry->offset = failure->range.offset;
	entry->length = failure->range.length;
	entry->when = weir_clock_ns(CLOCK_REALTIME);
	entry->rescue[0] = '\0';
	snprintf(entry->path, sizeof(entry->path), "%s", failure->path);
	atomic_store(&entry->live, 1);
	chain(link);
}

static uint64_t end_of_entry(uint64_t offset, uint64_t length)
{
	return length > UINT64_MAX - offset ? UINT64_MAX : offset + length;
}

static bool touches(const struct weir_failures_one *failure,
		    const struct weir_state_failure *entry)
{
	const struct weir_failures_range *range = &failure->range;
	uint64_t end = end_of_entry(range->offset, range->length);
	uint64_t other = end_of_entry(entry->offset, entry->length);

	if (entry->turn != range->turn)
		return false;
	if (entry->offset < end && range->offset < other)
		return true;
	return entry->error == failure->error &&
	       (entry->offset == end || range->offset == other);
}

static void widen(struct weir_failures_one *failure,
		  const struct weir_state_failure *entry)
{
	struct weir_failures_range *range = &failure->range;
	uint64_t end = end_of_entry(range->offset, range->length);
	uint64_t other = end_of_entry(entry->offset, entry->length);

	if (entry->offset < range->offset)
		range->offset = entry->offset;
	range->length = (other > end ? other : end) - range->offset;
}

/* The first entry of a file that a failure touches; 0: none. */
static uint32_t find_touched(const struct weir_failures_one *failure,
			     uint32_t but)
{
	uint32_t link = chains.first[failure->range.file];

	for (; link; link = chains.next[link - 1])
		if (link != but && touches(failure, entry_at(link)))
			return link;
	return 0;
}

/* One that is not counted any more: another one tells of its range. */
static void take_out(uint32_t link)
{
	unchain(link);
	atomic_store(&entry_at(link)->live, 0);
}

/* Makes all that touch one; the entry that is left, or 0. */
static uint32_t join_touched(struct weir_failures_one *failure)
{
	uint32_t kept = find_touched(failure, 0), link = kept;

	while (link) {
		struct weir_state_failure *entry = entry_at(kept);

		widen(failure, entry_at(link));
		entry->offset = failure->range.offset;
		entry->length = failure->range.length;
		if (link != kept)
			take_out(link);
		link = find_touched(failure, kept);
	}
	return kept;
}

/* If there is no place, a range that is too large is better than none. */
static void add_entry(struct weir_failures_one *failure)
{
	uint32_t link = find_free_entry();

	if (link) {
		write_down(link, failure);
		return;
	}
	link = chains.first[failure->range.file];
	if (!link)
		return;
	widen(failure, entry_at(link));
	entry_at(link)->offset = failure->range.offset;
	entry_at(link)->length = failure->range.length;
}

void weir_failures_fail(const struct weir_failures_one *failure)
{
	struct weir_failures_one wider = *failure;
	uint32_t link;

	if (!failure->range.length)
		return;
	lock_ledger();
	link = join_touched(&wider);
	if (link) {
		entry_at(link)->error = failure->error;
		entry_at(link)->tries = failure->tries;
	} else {
		add_entry(&wider);
	}
	pthread_mutex_unlock(&chains.lock);
}

/* What lies behind the range is an entry of its own from now on. */
static void split(const struct weir_state_failure *entry, uint64_t from,
		  uint64_t end)
{
	struct weir_failures_one rest = {
		.range = { entry->file, entry->turn, from, end - from },
		.error = entry->error,
		.tries = entry->tries,
		.path = entry->path,
	};

	add_entry(&rest);
}

static void settle_entry(uint32_t link, const struct weir_failures_range *range,
			 enum weir_state_fate fate)
{
	struct weir_state_failure *entry = entry_at(link);
	uint64_t from = range->offset, end = end_of_entry(from, range->length);
	uint64_t last = end_of_entry(entry->offset, entry->length);

	if (entry->turn != range->turn || entry->offset >= end || last <= from)
		return;
	if (from <= entry->offset && last <= end) {
		unchain(link);
		entry->fate = fate;
	} else if (from <= entry->offset) {
		entry->offset = end;
		entry->length = last - end;
	} else {
		entry->length = from - entry->offset;
		if (end < last)
			split(entry, end, last);
	}
}

void weir_failures_settle(const struct weir_failures_range *range,
			enum weir_state_fate fate)
{
	uint32_t next;

	if (!range->length)
		return;
	lock_ledger();
	for (uint32_t link = chains.first[range->file]; link; link = next) {
		next = chains.next[link - 1];
		settle_entry(link, range, fate);
	}
	pthread_mutex_unlock(&chains.lock);
}

int weir_failures_error(uint32_t file, uint32_t turn)
{
	int error = 0;

	lock_ledger();
	for (uint32_t link = chains.first[file]; link && !error;
	     link = chains.next[link - 1])
		if (entry_at(link)->turn == turn)
			error = entry_at(link)->error;
	pthread_mutex_unlock(&chains.lock);
	return error;
}

void weir_failures_each(void (*look)(const struct weir_state_failure *entry,
				   void *arg),
		      void *arg)
{
	for (uint32_t link = 1; link <= count_made(); link++)
		if (atomic_load(&entry_at(link)->live))
			look(entry_at(link), arg);
}

void weir_failures_close(const struct weir_failures_end *end)
{
	lock_ledger();
	for (uint32_t link = 1; link <= count_made(); link++) {
		struct weir_state_failure *entry = entry_at(link);

		if (!is_open(entry) || !end->is_meant(entry, end->arg))
			continue;
		unchain(link);
		snprintf(entry->rescue, sizeof(entry->rescue), "%s",
			 end->rescue ? end->rescue : "");
		entry->fate = end->fate;
	}
	pthread_mutex_unlock(&chains.lock);
}
