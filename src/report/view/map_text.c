/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the accesses to a file for people. */
#include "report/view/map_text.h"

#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PLACE 32 /* letters for the length of a file */

#define say weir_view_say

void weir_map_text_begin(const struct weir_view *view,
			 const struct weir_accessmap *map, const char *file)
{
	char extent[WEIR_MEASURES_ROOM];
	uint32_t processes = 0;

	for (uint32_t i = 0; i <= weir_reader_processes(view->reader); i++)
		processes += map->processes[i];
	say(view, "accesses to ");
	weir_text_safe(view->out, file, strlen(file));
	say(view, ", layer %s\n%" PRIu64 " reads and %" PRIu64
	    " writes of %" PRIu32 " process%s, up to offset %" PRIu64
	    " (%s)\n", view->layer, map->count[0], map->count[1], processes,
	    processes == 1 ? "" : "es", map->extent,
	    weir_measures_bytes(extent, map->extent));
	if (map->unplaced)
		say(view, "%" PRIu64 " at unknown offsets\n", map->unplaced);
	say(view, "\n%9s %14s %-10s %-5s %14s %12s %-*s  %s\n", "order",
	    "start s", "process", "op", "offset", "size", PLACE + 2,
	    " where", "host");
}

/* A letter for each part of the file that is touched. */
static void say_place(const struct weir_view *view,
		      const struct weir_accessmap *map,
		      const struct weir_access *access)
{
	char strip[PLACE + 1] = "";
	double scale = map->extent ? (double)PLACE / (double)map->extent : 0;
	unsigned int first, last;

	memset(strip, ' ', PLACE);
	if (access->has_off && access->off < map->extent) {
		first = (unsigned int)((double)access->off * scale);
		last = (unsigned int)(((double)access->off +
				       (double)weir_access_span(access)) *
				      scale);
		first = first < PLACE ? first : PLACE - 1;
		last = last < PLACE ? last : PLACE;
		memset(strip + first, access->way ? 'w' : 'r',
		       last > first ? last - first : 1);
	}
	say(view, " |%s|", strip);
}

static void say_host(const struct weir_view *view, uint32_t proc)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(view->reader, proc);

	say(view, "  ");
	if (node)
		weir_text_safe(view->out, node->host, strlen(node->host));
	say(view, "\n");
}

void weir_map_text_access(const struct weir_view *view,
			  const struct weir_accessmap *map,
			  const struct weir_access *access)
{
	const struct weir_procinfo *process =
		weir_reader_process(view->reader, access->proc);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;
	char who[32], off[32] = "?";

	if (rank >= 0)
		snprintf(who, sizeof(who), "rank %" PRIi64, rank);
	else
		snprintf(who, sizeof(who), "%" PRIu32,
			 process ? process->pid : 0);
	if (access->has_off)
		snprintf(off, sizeof(off), "%" PRIu64, access->off);
	say(view, "%9" PRIu64 " ", access->order);
	weir_text_seconds(view->out, access->start, 14);
	say(view, " %-10s %-5s %14s %12" PRIu64, who,
	    access->way ? "write" : "read", off, access->size);
	say_place(view, map, access);
	say_host(view, access->proc);
}
