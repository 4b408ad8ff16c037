/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the blocks of a trace by need, and shares memory among them. */
#include "trace/read/readplan.h"

#include "trace/event/foretell.h"
#include "trace/layout/event.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_BYTES                                                           \
	(WEIR_EVENTS_MOST * sizeof(struct weir_event) +                      \
	 WEIR_EVENTS_MOST_DETAIL)

/* When a block is done with, and what it then gives back. */
struct leave {
	uint64_t group, end, bytes;
};

void weir_readplan_fini(struct weir_readplan *plan)
{
	free(plan->entries);
}

static int by_begin(const void *left, const void *right)
{
	const struct weir_readplan_entry *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->node != b->node)
		return a->node->number < b->node->number ? -1 : 1;
	return (a->block->found.at > b->block->found.at) -
	       (a->block->found.at < b->block->found.at);
}

static struct weir_readplan_entry
entry_of(const struct weir_readnode *node,
	 const struct weir_readnode_block *block)
{
	const struct weir_block *head = &block->found.head;
	struct weir_readplan_entry entry = {
		.begin = weir_nodeinfo_real(&node->info, head->first),
		.end = weir_nodeinfo_real(&node->info, head->last),
		.bytes = head->count * sizeof(struct weir_event) +
			 block->detail_bytes,
		.block = block,
		.node = node,
	};

	/* The file's word; its times may even wrap. */
	if (entry.end < entry.begin)
		entry.end = entry.begin;
	if (entry.bytes > MOST_BYTES)
		entry.bytes = MOST_BYTES;
	return entry;
}

int weir_readplan_make(struct weir_readplan *plan,
		       const struct weir_readset *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->count; i++)
		n += set->nodes[i]->event_blocks;
	plan->entries = malloc((n + 1) * sizeof(*plan->entries));
	if (!plan->entries)
		return -ENOMEM;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct weir_readnode *node = set->nodes[i];

		for (uint64_t b = 0; b < node->event_blocks; b++)
			plan->entries[plan->count++] =
				entry_of(node, &node->events[b]);
	}
	plan->all = n;
	qsort(plan->entries, n, sizeof(*plan->entries), by_begin);
	return 0;
}

void weir_readplan_by_process(struct weir_readplan *plan)
{
	for (uint64_t i = 0; i < plan->count; i++) {
		struct weir_readplan_entry *entry = &plan->entries[i];

		entry->group = (uint64_t)entry->node->number << 32 |
			       entry->block->found.head.proc;
	}
	qsort(plan->entries, plan->count, sizeof(*plan->entries), by_begin);
}

void weir_readplan_filter(struct weir_readplan *plan,
			  int (*wants)(const struct weir_readplan_entry *entry,
				       const void *context),
			  const void *context)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < plan->count; i++) {
		struct weir_readplan_entry entry = plan->entries[i];

		if (!wants(&entry, context))
			continue;
		plan->entries[i] = plan->entries[kept];
		plan->entries[kept++] = entry;
	}
	__atomic_store_n(&plan->count, kept, __ATOMIC_RELAXED);
}

void weir_readplan_restore(struct weir_readplan *plan)
{
	__atomic_store_n(&plan->count, plan->all, __ATOMIC_RELAXED);
	for (uint64_t i = 0; i < plan->count; i++)
		plan->entries[i].group = 0;
	qsort(plan->entries, plan->count, sizeof(*plan->entries), by_begin);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int is_of(const struct weir_readplan_entry *entry,
		 const struct weir_readplan_thread *of)
{
	const struct weir_block *head = &entry->block->found.head;

	return entry->node == of->node && head->proc == of->proc &&
	       head->thread == of->thread;
}

static int may_hold(const struct weir_readnode_block *block, uint64_t index)
{
	if (block->found.head.type == WEIR_BLOCK_RING)
		return 1;
	return block->first_index <= index &&
	       index - block->first_index < block->found.head.count;
}

int weir_readplan_find(const struct weir_readplan *plan,
		       const struct weir_readplan_thread *of, uint64_t index,
		       uint64_t *ret_begin, uint64_t *ret_end)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (uint64_t i = 0; i < plan->all; i++) {
		const struct weir_readplan_entry *entry = &plan->entries[i];

		if (!is_of(entry, of) || !may_hold(entry->block, index))
			continue;
		begin = lesser(begin, entry->begin);
		if (end < entry->end)
			end = entry->end;
	}
	if (begin > end)
		return -ENOENT;
	*ret_begin = begin;
	*ret_end = end;
	return 0;
}

uint64_t weir_readplan_before(const struct weir_readplan *plan,
			      const struct weir_readplan_thread *of,
			      uint64_t instant)
{
	uint64_t latest = 0;

	for (uint64_t i = 0; i < plan->all; i++) {
		const struct weir_readplan_entry *entry = &plan->entries[i];

		if (is_of(entry, of) && entry->begin < instant &&
		    latest < entry->begin)
			latest = entry->begin;
	}
	return latest ? latest : instant;
}

static int by_end(const void *left, const void *right)
{
	const struct leave *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static int has_left(const struct leave *leave,
		    const struct weir_readplan_entry *now)
{
	return leave->group != now->group || leave->end < now->begin;
}

/* Whether all blocks fit when none takes more than a share. */
static int fits(const struct weir_readplan *plan, const struct leave *leaves,
		uint64_t share, uint64_t memory)
{
	uint64_t taken = 0, left = 0;

	for (uint64_t i = 0; i < plan->count; i++) {
		taken += lesser(plan->entries[i].bytes, share);
		while (has_left(&leaves[left], &plan->entries[i]))
			taken -= lesser(leaves[left++].bytes, share);
		if (taken > memory)
			return 0;
	}
	return 1;
}

int weir_readplan_share(const struct weir_readplan *plan, uint64_t memory,
			uint64_t *ret_share)
{
	uint64_t low = 0, high = MOST_BYTES;
	struct leave *leaves = malloc((plan->count + 1) * sizeof(*leaves));

	if (!leaves)
		return -ENOMEM;
	for (uint64_t i = 0; i < plan->count; i++)
		leaves[i] = (struct leave){ plan->entries[i].group,
					    plan->entries[i].end,
					    plan->entries[i].bytes };
	qsort(leaves, plan->count, sizeof(*leaves), by_end);
	/* The most there is comes first: mostly it fits. */
	for (uint64_t share = high; low < high;
	     share = low + (high - low + 1) / 2) {
		if (fits(plan, leaves, share, memory))
			low = share;
		else
			high = share - 1;
	}
	free(leaves);
	*ret_share = low;
	return 0;
}
