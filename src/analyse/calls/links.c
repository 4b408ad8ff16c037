/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the operation that a completion ends, and numbers of causes. */
#include "analyse/calls/links.h"

#include "base/hash.h"
#include "trace/event/detail.h"
#include "trace/event/pending.h"

#include <string.h>

/* In the map a thread's number and an index take one word. */
#define INDEX_BITS 44

void weir_links_fini(struct weir_links *links)
{
	weir_map_fini(&links->open);
	weir_map_fini(&links->latest);
}

static uint64_t pack(const struct weir_event *event)
{
	return (uint64_t)event->thread << INDEX_BITS | (event->index + 1);
}

static struct weir_tree_id unpack(uint32_t proc, uint64_t packed)
{
	uint64_t index = packed & ((UINT64_C(1) << INDEX_BITS) - 1);

	return (struct weir_tree_id){ proc, (uint32_t)(packed >> INDEX_BITS),
				      index - 1 };
}

static int submit(struct weir_links *links, const struct weir_event *event,
		  uint64_t key)
{
	int err = weir_map_put(&links->open, key,
			       weir_map_get(&links->open, key) + 1);

	return err ? err : weir_map_put(&links->latest, key, pack(event));
}

static int close_one(struct weir_links *links, uint64_t key, uint64_t open)
{
	if (open > 1)
		return weir_map_put(&links->open, key, open - 1);
	weir_map_remove(&links->open, key);
	weir_map_remove(&links->latest, key);
	return 0;
}

int weir_links_add(struct weir_links *links, const struct weir_event *event,
		   const struct weir_call *call,
		   struct weir_links_end *ret_end)
{
	struct weir_links_end end = { .kind = WEIR_LINKS_NONE };
	uint64_t key;
	int is_last, err = 0;
	enum weir_pending_side side =
		weir_pending_look(event, call, &key, &is_last);

	if (side == WEIR_PENDING_SUBMIT)
		err = submit(links, event, key);
	if (side == WEIR_PENDING_DONE) {
		end.open = weir_map_get(&links->open, key);
		end.kind = !end.open ? WEIR_LINKS_UNSEEN :
			   end.open == 1 ? WEIR_LINKS_COMPLETES :
					   WEIR_LINKS_ONE_OF;
		end.to = unpack(event->proc,
				weir_map_get(&links->latest, key));
		if (end.open && is_last)
			err = close_one(links, key, end.open);
	}
	*ret_end = end;
	return err;
}

static bool find_number(const struct weir_event *event,
			const struct weir_call *call, const char *name,
			uint64_t *ret_number)
{
	struct weir_detail detail;
	struct weir_value value;

	*ret_number = 0;
	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given || strcmp(value.name, name))
			continue;
		*ret_number = value.number;
		return true;
	}
	return false;
}

static uint64_t argument_number(const struct weir_event *event,
				const struct weir_call *call, const char *name)
{
	uint64_t number;

	find_number(event, call, name, &number);
	return number;
}

uint64_t weir_links_cid(const struct weir_event *event,
			const struct weir_call *call)
{
	return call && call->hands_down ? argument_number(event, call, "cid")
					: 0;
}

uint64_t weir_links_cause(const struct weir_event *event,
			  const struct weir_call *call)
{
	return call && call->has_cause ? argument_number(event, call, "for")
				       : 0;
}

bool weir_links_is_nobodys(const struct weir_event *event,
			   const struct weir_call *call)
{
	uint64_t number;

	return call && call->has_cause &&
	       find_number(event, call, "for", &number) && !number;
}

bool weir_links_does_batch(const struct weir_call *call)
{
	return call && call->has_batch && !call->has_cause;
}

uint64_t weir_links_batch(const struct weir_event *event,
			  const struct weir_call *call)
{
	uint64_t parts[] = { event->proc, 0 };

	if (!call || !call->has_batch)
		return 0;
	parts[1] = argument_number(event, call, "batch");
	return parts[1] ? weir_hash_numbers(parts, sizeof(parts)) : 0;
}
