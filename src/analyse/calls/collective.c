/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds calls of several processes that are one, and who takes part. */
#include "analyse/calls/collective.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/event/detail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_collective_fini(struct weir_collective *all)
{
	free(all->members);
	*all = (struct weir_collective){ 0 };
}

const char *weir_collective_why(enum weir_collective_kind kind)
{
	static const char *const whys[WEIR_COLLECTIVE_KINDS] = {
		[WEIR_COLLECTIVE_STRANGE] = "communicator",
		[WEIR_COLLECTIVE_TWINS] = "job",
	};

	return whys[kind];
}

enum weir_collective_kind
weir_collective_told(const struct weir_event *event,
		     const struct weir_call *call, uint64_t *ret_key)
{
	uint64_t parts[3] = { 0 };
	struct weir_detail detail;
	struct weir_value value;
	int found = 0;

	if (!call || !event->detail_len)
		return WEIR_COLLECTIVE_NONE;
	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		int part = !strcmp(value.name, "coll") ? 0 :
			   !strcmp(value.name, "seq") ? 1 : -1;

		if (part < 0 || !value.given)
			continue;
		parts[part] = value.number;
		found |= 1 << part;
	}
	if (found != 3)
		return WEIR_COLLECTIVE_NONE;
	if (!parts[0])
		return WEIR_COLLECTIVE_STRANGE;
	if (call->layer)
		parts[2] = weir_hash_bytes(call->layer, strlen(call->layer));
	*ret_key = weir_hash_numbers(parts, sizeof(parts));
	return WEIR_COLLECTIVE_JOINED;
}

enum weir_collective_kind
weir_collective_key(const struct weir_worlds *worlds,
		    const struct weir_event *event,
		    const struct weir_call *call, uint64_t *ret_key)
{
	uint64_t parts[2] = { weir_worlds_salt(worlds, event->proc), 0 };
	enum weir_collective_kind kind =
		weir_collective_told(event, call, &parts[1]);

	if (kind != WEIR_COLLECTIVE_JOINED)
		return kind;
	if (weir_worlds_is_twin(worlds, event->proc))
		return WEIR_COLLECTIVE_TWINS;
	*ret_key = parts[0] ? weir_hash_numbers(parts, sizeof(parts))
			    : parts[1];
	return kind;
}

uint32_t weir_collective_rank(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;

	return rank < 0 || rank > UINT32_MAX ? proc : (uint32_t)rank;
}

int weir_collective_add(struct weir_collective *all,
			const struct weir_collective_member *member)
{
	if (all->count >= WEIR_COLLECTIVE_MOST) {
		all->left_out++;
		return 0;
	}
	if (WEIR_GROW(all->members, all->count, all->room))
		return -ENOMEM;
	all->members[all->count++] = *member;
	return 0;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_key_and_rank(const void *left, const void *right)
{
	const struct weir_collective_member *a = left, *b = right;
	int order = compare_numbers(a->key, b->key);

	if (!order)
		order = compare_numbers(a->rank, b->rank);
	if (!order)
		order = compare_numbers(a->end, b->end);
	return order ? order : compare_numbers(a->proc, b->proc);
}

/* Of the n-th call that has a key. */
static uint64_t nth_key(uint64_t key, uint64_t n)
{
	uint64_t parts[] = { key, n };

	return weir_hash_numbers(parts, sizeof(parts));
}

void weir_collective_sort(struct weir_collective *all)
{
	struct weir_collective_member last = { 0 };
	uint64_t n = 0;

	if (!all->count)
		return;
	qsort(all->members, all->count, sizeof(*all->members), by_key_and_rank);
	for (size_t i = 0; i < all->count; i++) {
		struct weir_collective_member *member = &all->members[i];

		n = i && member->key == last.key && member->rank == last.rank ?
			    n + 1 : 0;
		last = *member;
		member->key = nth_key(last.key, n);
	}
	qsort(all->members, all->count, sizeof(*all->members), by_key_and_rank);
}

/* The first member of a call, or where it would stand. */
static size_t find_first(const struct weir_collective *all, uint64_t key)
{
	size_t low = 0, high = all->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all->members[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_proc(const struct weir_collective_node *node, uint32_t proc)
{
	for (size_t i = 0; i < node->count; i++)
		if (node->members[i].proc == proc)
			return true;
	return false;
}

bool weir_collective_find(const struct weir_collective *all, uint64_t key,
			  uint32_t proc, struct weir_collective_node *ret_node)
{
	for (uint64_t n = 0;; n++) {
		size_t at = find_first(all, nth_key(key, n));
		struct weir_collective_node node = {
			.members = all->members + at,
		};

		while (at < all->count &&
		       all->members[at].key == nth_key(key, n)) {
			if (node.end < all->members[at].end)
				node.end = all->members[at].end;
			node.count++;
			at++;
		}
		if (!node.count)
			return false;
		if (has_proc(&node, proc)) {
			*ret_node = node;
			return true;
		}
	}
}
