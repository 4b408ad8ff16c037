/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the requests of a trace that move bytes, as one layer sees them. */
#include "analyse/calls/traffic.h"

#include "analyse/calls/callclass.h"
#include "trace/event/detail.h"
#include "trace/event/pending.h"
#include "trace/read/select.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CALLS	  (UINT16_MAX + 1)
#define OPEN_MOST (1u << 20) /* requests whose end is waited for */

#define READ  WEIR_TRAFFIC_READ
#define WRITE WEIR_TRAFFIC_WRITE
#define BOTH  WEIR_TRAFFIC_BOTH

enum part { PASS, TRANSFER, SUBMIT, DONE, MARK };

/* What a call is to a traffic; nodes may have different dictionaries. */
struct weir_traffic_known {
	const struct weir_call *call; /* NULL: not looked at */
	uint8_t part;
	uint8_t ways;
};

#define CLASS(name) (1u << WEIR_CLASS_##name)
#define PLAIN	    (CLASS(READ) | CLASS(WRITE))
#define ASYNC	    (CLASS(SUBMIT) | CLASS(DONE))
#define INSIDE	    (CLASS(FILL) | CLASS(DRAIN))
#define OUTSIDE	    (CLASS(GET) | CLASS(PUT))

/*
 * Which calls of which tables count for a layer. The operating system sees
 * what streams pass on, not what is put into their buffers.
 */
static const struct {
	enum weir_traffic_layer layer;
	const char *table;
	uint32_t classes;
} rules[] = {
	{ WEIR_TRAFFIC_OS, "posix", PLAIN | CLASS(COPY) },
	{ WEIR_TRAFFIC_OS, "async", ASYNC },
	{ WEIR_TRAFFIC_OS, "stdio", INSIDE },
	{ WEIR_TRAFFIC_OS, "recent", PLAIN },
	{ WEIR_TRAFFIC_POSIX, "posix", PLAIN | CLASS(COPY) },
	{ WEIR_TRAFFIC_POSIX, "async", ASYNC },
	{ WEIR_TRAFFIC_STDIO, "stdio", OUTSIDE },
	{ WEIR_TRAFFIC_MPIIO, "mpiio", PLAIN | ASYNC },
	{ WEIR_TRAFFIC_HDF5, "hdf5", PLAIN | ASYNC },
	{ WEIR_TRAFFIC_PNETCDF, "pnetcdf", PLAIN | ASYNC },
};

static const uint8_t ways_of_class[WEIR_CLASS_COUNT] = {
	[WEIR_CLASS_READ] = READ,  [WEIR_CLASS_GET] = READ,
	[WEIR_CLASS_FILL] = READ,  [WEIR_CLASS_WRITE] = WRITE,
	[WEIR_CLASS_PUT] = WRITE,  [WEIR_CLASS_DRAIN] = WRITE,
	[WEIR_CLASS_COPY] = BOTH,
};

static int counts(enum weir_traffic_layer layer, const char *table,
		  enum weir_callclass class)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].layer == layer && rules[i].classes >> class & 1 &&
		    !strcmp(rules[i].table, table))
			return 1;
	return 0;
}

/* A copy from memory has none. */
static int has_other(const struct weir_call *call)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (!strcmp(call->arguments[i].kind->name, "otherfd"))
			return 1;
	return 0;
}

/*
 * A copy is between two files. Of one of them the event tells the name: where
 * files are chosen only that side counts.
 */
static int ways_of_copy(const struct weir_call *call, int files_are_chosen)
{
	int own = weir_call_has(call, WEIR_TRAIT_WRITES) ? WRITE : READ;

	return files_are_chosen || !has_other(call) ? own : BOTH;
}

static void get_to_know(const struct weir_traffic *traffic,
			const struct weir_call *call,
			struct weir_traffic_known *known)
{
	enum weir_callclass class = weir_callclass_of(call);
	const char *table = weir_callclass_layer(call);

	*known = (struct weir_traffic_known){ .call = call };
	if (!strcmp(table, "mark"))
		known->part = MARK;
	if (!counts(traffic->choice.layer, table, class))
		return;
	known->part = class == WEIR_CLASS_SUBMIT ? SUBMIT :
		      class == WEIR_CLASS_DONE	 ? DONE : TRANSFER;
	known->ways = ways_of_class[class];
	if (class == WEIR_CLASS_COPY)
		known->ways = (uint8_t)ways_of_copy(
			call, !!traffic->choice.files);
}

int weir_traffic_ways_of(const struct weir_traffic *traffic,
			 const struct weir_call *call)
{
	struct weir_traffic_known known;

	if (!call)
		return 0;
	get_to_know(traffic, call, &known);
	if (known.part == TRANSFER)
		return known.ways & traffic->choice.ways;
	if (known.part != SUBMIT)
		return 0;
	return (int)weir_pending_way_by_call(call) & traffic->choice.ways;
}

_Static_assert((int)WEIR_PENDING_READS == READ &&
		       (int)WEIR_PENDING_WRITES == WRITE, "ways");

int weir_traffic_init(struct weir_traffic *traffic, struct weir_reader *reader,
		      const struct weir_traffic_choice *choice)
{
	*traffic = (struct weir_traffic){
		.reader = reader,
		.choice = *choice,
		.known = calloc(CALLS, sizeof(*traffic->known)),
	};
	if (!traffic->known)
		return -ENOMEM;
	if (choice->process)
		weir_select_process(reader, choice->process);
	/* marks before it tell what is in it, ends after it what was moved */
	if (!choice->marks)
		weir_reader_between(reader, choice->from, UINT64_MAX);
	return 0;
}

void weir_traffic_fini(struct weir_traffic *traffic)
{
	weir_map_fini(&traffic->open);
	weir_map_fini(&traffic->again);
	free(traffic->known);
	*traffic = (struct weir_traffic){ 0 };
}

int weir_traffic_tag(struct weir_traffic *traffic, uint64_t tag)
{
	uint64_t key = traffic->last_key;
	int err = 0;

	traffic->unseen++; /* up to its end */
	if (weir_map_get(&traffic->open, key))
		err = weir_map_put(&traffic->again, key,
				   weir_map_get(&traffic->again, key) + 1);
	else if (traffic->open.used >= OPEN_MOST)
		return 0;
	return err ? err : weir_map_put(&traffic->open, key, tag);
}

/* Requests may share a key; their ends do then, too. */
static int close_request(struct weir_traffic *traffic, uint64_t key)
{
	uint64_t more = weir_map_get(&traffic->again, key);

	traffic->unseen--;
	if (more > 1)
		return weir_map_put(&traffic->again, key, more - 1);
	if (more)
		weir_map_remove(&traffic->again, key);
	else
		weir_map_remove(&traffic->open, key);
	return 0;
}

/* Where nobody asked how much it was, what was wanted. */
static uint64_t assumed_bytes(const struct weir_event *event,
			      const struct weir_call *call)
{
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value))
		if (value.given && !strcmp(value.name, "assumed"))
			return value.number;
	return 0;
}

/* The result says how much was moved, unless it is a mere code. */
uint64_t weir_traffic_moved(const struct weir_event *event,
			    const struct weir_call *call)
{
	const struct weir_kind *result = call->result;

	if (event->flags & WEIR_EVENT_FAILED)
		return 0;
	if (weir_call_is(call, WEIR_MEANS_COMPLETE) && event->ret <= 0)
		return assumed_bytes(event, call);
	if (!result || strcmp(result->show, "bytes"))
		return event->size;
	return event->ret > 0 ? (uint64_t)event->ret : 0;
}

static int passes_filter(const struct weir_traffic *traffic,
			 const struct weir_traffic_item *item)
{
	const struct weir_traffic_choice *choice = &traffic->choice;
	uint32_t file = item->event.file;

	if (file > weir_reader_names(traffic->reader))
		file = 0;
	return item->ways && item->start >= choice->from &&
	       item->start < choice->to &&
	       (!choice->files || choice->files[file]);
}

static int take_request(struct weir_traffic *traffic,
			struct weir_traffic_item *item,
			const struct weir_traffic_known *known)
{
	const struct weir_event *event = &item->event;
	int is_last;

	item->kind = WEIR_TRAFFIC_REQUEST;
	item->ways = known->ways;
	if (known->part == SUBMIT) {
		item->ways = (int)weir_pending_way_of(event, item->call);
		item->open = weir_pending_look(event, item->call,
					       &traffic->last_key, &is_last) ==
			     WEIR_PENDING_SUBMIT;
	}
	item->ways &= traffic->choice.ways;
	if (!passes_filter(traffic, item))
		return 0;
	if (event->flags & WEIR_EVENT_ENTERED) {
		traffic->entered++;
		return 0;
	}
	if (known->part == TRANSFER)
		item->bytes = weir_traffic_moved(&item->event, item->call);
	return 1;
}

static int take_end(struct weir_traffic *traffic,
		    struct weir_traffic_item *item)
{
	uint64_t key;
	int is_last;

	if (weir_pending_look(&item->event, item->call, &key, &is_last) !=
	    WEIR_PENDING_DONE)
		return 0;
	item->tag = weir_map_get(&traffic->open, key);
	if (!item->tag)
		return 0;
	item->kind = WEIR_TRAFFIC_END;
	item->bytes = weir_traffic_moved(&item->event, item->call);
	return is_last && close_request(traffic, key) ? -ENOMEM : 1;
}

/* 1 when the event is one for who asks, 0, or -ENOMEM. */
static int take_item(struct weir_traffic *traffic,
		     struct weir_traffic_item *item)
{
	struct weir_traffic_known *known =
		&traffic->known[item->event.call];

	if (item->event.call == WEIR_NOTE_SUM) {
		traffic->has_sums = 1;
		item->kind = WEIR_TRAFFIC_SUM;
		return 1;
	}
	if (item->event.call >= WEIR_NOTE_FIRST || !item->call)
		return 0;
	if (known->call != item->call) {
		get_to_know(traffic, item->call, known);
		traffic->has_short |= item->call->layer &&
				      !strcmp(item->call->layer, "recent");
	}
	if (known->part == MARK)
		item->kind = WEIR_TRAFFIC_MARK;
	return known->part == MARK ? traffic->choice.marks :
	       known->part == DONE ? take_end(traffic, item) :
	       known->part != PASS ? take_request(traffic, item, known) : 0;
}

int weir_traffic_next(struct weir_traffic *traffic,
		      struct weir_traffic_item *ret_item)
{
	struct weir_reader *reader = traffic->reader;
	int more;

	for (;;) {
		*ret_item = (struct weir_traffic_item){ 0 };
		more = weir_reader_next(reader, &ret_item->event);
		if (more <= 0)
			return more;
		ret_item->call = weir_reader_call(reader, &ret_item->event);
		ret_item->start = weir_reader_real(reader, &ret_item->event) -
				  weir_reader_begin(reader);
		more = take_item(traffic, ret_item);
		if (more)
			return more;
		if (ret_item->start >= traffic->choice.to &&
		    !traffic->open.used)
			return 0;
	}
}
