/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out once what is to be known of each call of a trace. */
#include "analyse/calls/callfacts.h"

#include "analyse/calls/callclass.h"
#include "analyse/calls/links.h"
#include "analyse/calls/traffic.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CALLS (UINT16_MAX + 1)

int weir_callfacts_init(struct weir_callfacts *all)
{
	*all = (struct weir_callfacts){
		.facts = calloc(CALLS, sizeof(*all->facts)),
	};
	return all->facts ? 0 : -ENOMEM;
}

void weir_callfacts_fini(struct weir_callfacts *all)
{
	free(all->facts);
	*all = (struct weir_callfacts){ 0 };
}

int weir_callfacts_find(const struct weir_callfacts *all, const char *layer)
{
	for (unsigned i = 0; i < all->layer_count; i++)
		if (!strcmp(all->layers[i].name, layer))
			return (int)i;
	return -1;
}

bool weir_callfacts_is_above(const struct weir_callfacts *all, unsigned a,
			     unsigned b)
{
	const struct weir_callfacts_layer *of_a = &all->layers[a];
	const struct weir_callfacts_layer *of_b = &all->layers[b];

	if (of_a->place.order != of_b->place.order)
		return of_a->place.order < of_b->place.order;
	return strcmp(of_a->name, of_b->name) < 0;
}

static unsigned add_layer(struct weir_callfacts *all, const char *name)
{
	int found = weir_callfacts_find(all, name);

	if (found >= 0)
		return (unsigned)found;
	if (all->layer_count == WEIR_CALLFACTS_LAYERS)
		return WEIR_CALLFACTS_LAYERS - 1;
	if (all->layer_count == WEIR_CALLFACTS_LAYERS - 1)
		name = "others";
	all->layers[all->layer_count] = (struct weir_callfacts_layer){
		.name = name,
		.place = weir_stack_find(name),
	};
	return all->layer_count++;
}

static bool has_argument(const struct weir_call *call, const char *name)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (!strcmp(call->arguments[i].name, name))
			return true;
	return false;
}

/* Bytes of a batch are told by its parts, those of streams by their calls. */
static bool moves(const struct weir_call *call)
{
	enum weir_callclass class = weir_callclass_of(call);

	return weir_callclass_moves(class) &&
	       !weir_callclass_is_inner(class) && class != WEIR_CLASS_DONE &&
	       !weir_links_does_batch(call);
}

const struct weir_callfact *weir_callfacts_get(struct weir_callfacts *all,
					       const struct weir_event *event,
					       const struct weir_call *call)
{
	struct weir_callfact *fact = &all->facts[event->call];
	unsigned layer;

	if (fact->call != call) {
		layer = add_layer(all, weir_callclass_layer(call));
		*fact = (struct weir_callfact){
			.call = call,
			.layer = (uint8_t)layer,
			.role = (uint8_t)all->layers[layer].place.role,
			.moves = moves(call),
			.is_inner = weir_callclass_is_inner(
				weir_callclass_of(call)),
			.pends = call->may_hand_over ||
				 weir_call_is(call, WEIR_MEANS_SUBMIT) ||
				 weir_call_is(call, WEIR_MEANS_COMPLETE),
			.may_be_joint = has_argument(call, "coll"),
		};
	}
	all->layers[fact->layer].is_used = true;
	return fact;
}

uint64_t weir_callfacts_bytes(const struct weir_callfact *fact,
			      const struct weir_event *event)
{
	uint64_t key;
	int is_last;

	if (!fact->moves || event->flags & WEIR_EVENT_ENTERED)
		return 0;
	if (fact->call->may_hand_over &&
	    weir_pending_look(event, fact->call, &key, &is_last) ==
		    WEIR_PENDING_SUBMIT)
		return 0; /* its end will tell */
	return weir_traffic_moved(event, fact->call);
}
