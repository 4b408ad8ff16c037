/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the accesses to one file in their order. */
#include "analyse/view/accessmap.h"

#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What cannot be, for a file that a trace speaks of, is not known. */
static struct weir_access describe_access(const struct weir_traffic_item *item,
					  uint64_t order)
{
	const struct weir_event *event = &item->event;

	return (struct weir_access){
		.order = order,
		.start = item->start,
		.proc = event->proc,
		.file = event->file,
		.way = item->ways == WEIR_TRAFFIC_WRITE,
		.has_off = !(event->flags & WEIR_EVENT_NOOFF) &&
			   event->off >= 0,
		.has_moved = !item->open,
		.off = (uint64_t)event->off,
		.size = event->size,
		.moved = item->bytes,
		.call = item->call->name,
	};
}

int weir_accessmap_walk(struct weir_traffic *traffic,
			int (*see)(const struct weir_access *access,
				   void *context),
			void *context)
{
	struct weir_traffic_item item;
	struct weir_access access;
	uint64_t order = 0;
	int more, err = 0;

	while (!err && (more = weir_traffic_next(traffic, &item)) > 0) {
		if (item.kind != WEIR_TRAFFIC_REQUEST)
			continue;
		access = describe_access(&item, ++order);
		err = see(&access, context);
	}
	return err ? err : more;
}

static int count_access(const struct weir_access *access, void *context)
{
	struct weir_accessmap *map = context;
	uint64_t end;

	map->count[access->way]++;
	map->processes[access->proc] = 1;
	map->unplaced += !access->has_off;
	if (!access->has_off)
		return 0;
	if (__builtin_add_overflow(access->off, weir_access_span(access),
				   &end))
		end = UINT64_MAX;
	map->extent = end > map->extent ? end : map->extent;
	return 0;
}

int weir_accessmap_sum_up(struct weir_accessmap *map,
			  struct weir_traffic *traffic)
{
	uint32_t processes = weir_reader_processes(traffic->reader);
	int err;

	*map = (struct weir_accessmap){
		.processes = calloc((size_t)processes + 1, 1),
	};
	if (!map->processes)
		return -ENOMEM;
	err = weir_accessmap_walk(traffic, count_access, map);
	if (err)
		weir_accessmap_fini(map);
	return err;
}

void weir_accessmap_fini(struct weir_accessmap *map)
{
	free(map->processes);
	*map = (struct weir_accessmap){ 0 };
}

/* 1 for each file that was met. */
static int meet_file(const struct weir_access *access, void *met)
{
	((uint8_t *)met)[access->file] = 1;
	return 0;
}

int64_t weir_accessmap_narrow(struct weir_traffic *traffic, uint8_t *files)
{
	size_t names = (size_t)weir_reader_names(traffic->reader) + 1;
	uint8_t *met = calloc(names, 1);
	int64_t count = 0;
	int err;

	if (!met)
		return -ENOMEM;
	err = weir_accessmap_walk(traffic, meet_file, met);
	for (size_t i = 0; !err && i < names; i++)
		count += met[i];
	if (count)
		memcpy(files, met, names);
	free(met);
	return err ? err : count;
}
