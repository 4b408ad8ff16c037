/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the metrics, figures and groups of a query's answer. */
#include "report/query/query_words.h"

#include "report/output/measures.h"

#include <string.h>

const struct weir_query_words weir_query_words[WEIR_QUERY_METRICS] = {
	[WEIR_QUERY_LATENCY] = {
		.unit = "s", .scale = 1e-9, .decimals = 9, .has_total = true,
		.meaning = "time during which a call of the layer was under "
			   "way; the longest of clients and servers",
	},
	[WEIR_QUERY_THROUGHPUT] = {
		.unit = "B/s", .scale = 1, .decimals = 3,
		.meaning = "bytes by the time of their layer; the sum of "
			   "clients and servers",
	},
	[WEIR_QUERY_COUNT] = {
		.unit = "calls", .scale = 1, .decimals = 6, .is_count = true,
		.has_total = true,
		.meaning = "outermost calls of the layer, made for a call of "
			   "the application; those on pipes, too",
	},
	[WEIR_QUERY_BYTES] = {
		.unit = "B", .scale = 1, .decimals = 6, .is_count = true,
		.has_total = true,
		.meaning = "bytes that calls of the layer moved, on pipes and "
			   "from file to file, too; those that moved none are "
			   "left out",
	},
	[WEIR_QUERY_AVG_LATENCY] = {
		.unit = "s", .scale = 1e-9, .decimals = 9, .has_total = true,
		.meaning = "mean time of the calls made in a segment of the "
			   "program",
	},
	[WEIR_QUERY_IO_NODES] = {
		.unit = "servers", .scale = 1, .decimals = 6, .is_count = true,
		.meaning = "servers that worked for a call",
	},
	[WEIR_QUERY_COMM_TIME] = {
		.unit = "s", .scale = 1e-9, .decimals = 9, .has_total = true,
		.meaning = "communication inside collective calls; the longest "
			   "of the clients",
	},
	[WEIR_QUERY_DISK_ACCESSES] = {
		.unit = "accesses", .scale = 1, .decimals = 6,
		.is_count = true, .has_total = true,
		.meaning = "accesses to disks for a call",
	},
	[WEIR_QUERY_POWER] = {
		.unit = "W", .scale = 1, .decimals = 6,
		.meaning = "of the servers' disks, while they worked for a "
			   "call",
	},
	[WEIR_QUERY_ENERGY] = {
		.unit = "J", .scale = 1, .decimals = 12, .has_total = true,
		.meaning = "of the servers' disks, while they worked for a "
			   "call",
	},
};

bool weir_query_words_is_rank(const struct weir_query_row *row, unsigned group)
{
	return row->keys[group] < WEIR_QUERYROWS_NO_RANK;
}

static struct weir_query_key_value text_of(const char *text, size_t len)
{
	return (struct weir_query_key_value){ .text = text, .len = len,
					      .is_there = !!text };
}

static struct weir_query_key_value pid_of(const struct weir_reader *reader,
					  uint32_t proc)
{
	const struct weir_procinfo *process = weir_reader_process(reader, proc);

	return (struct weir_query_key_value){
		.number = process ? process->pid : 0, .is_there = !!process,
	};
}

/* Files on no known mount have an empty name there. */
static struct weir_query_key_value name_of(const struct weir_names *names,
					   uint64_t number)
{
	size_t len = 0;
	const char *name = weir_names_get(names, (uint32_t)number, &len);

	return text_of(len ? name : NULL, len);
}

struct weir_query_key_value
weir_query_words_key(const struct weir_answer *answer,
		     const struct weir_query_row *row, unsigned group)
{
	uint64_t key = row->keys[group];
	const char *name;
	size_t len = 0;

	switch (answer->query->groups[group]) {
	case WEIR_QUERY_CALL:
	case WEIR_QUERY_MOUNT:
	case WEIR_QUERY_ERRNO:
		return name_of(&answer->rows.calls, key);
	case WEIR_QUERY_SEGMENT:
		return name_of(&answer->units.segments.names, key);
	case WEIR_QUERY_PROGRAM:
		return name_of(&answer->programs, key);
	case WEIR_QUERY_PROCESS:
		return pid_of(answer->reader, (uint32_t)key);
	case WEIR_QUERY_SIZE:
		name = key ? weir_measures_size_class((int)key - 1) : NULL;
		return text_of(name, name ? strlen(name) : 0);
	case WEIR_QUERY_HOST:
		return name_of(&answer->hosts, key);
	case WEIR_QUERY_LAYER:
		name = answer->facts.layers[key].name;
		return text_of(name, strlen(name));
	case WEIR_QUERY_FILE:
		name = weir_reader_name(answer->reader, (uint32_t)key, &len);
		return text_of(name, len);
	case WEIR_QUERY_RANK:
	case WEIR_QUERY_SERVER:
		return (struct weir_query_key_value){ .number = key - !!key,
						      .is_there = key };
	default:
		return (struct weir_query_key_value){
			.number = key & (WEIR_QUERYROWS_NO_RANK - 1),
			.is_there = true,
		};
	}
}
