/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the tables of an export and their columns (doc/export.md). */
#include "export/tables/tables.h"

#define NUMBER "INTEGER"
#define KEY    "INTEGER PRIMARY KEY"
#define TEXT   "TEXT"
#define ANY    "" /* a number, or text: INTEGER would round large ones */

const struct weir_tables_shape weir_tables[WEIR_TABLES] = {
	[WEIR_TABLE_RUNS] = { "runs", {
		{ "run", KEY }, { "trace", TEXT }, { "state", TEXT },
		{ "begin_time", NUMBER }, { "end_time", NUMBER },
		{ "events", NUMBER }, { "clock_error", NUMBER },
		{ "exported_by", TEXT },
	} },
	[WEIR_TABLE_HOSTS] = { "hosts", {
		{ "host", KEY }, { "name", TEXT }, { "recorded_by", TEXT },
		{ "created", NUMBER },
	} },
	[WEIR_TABLE_PROCESSES] = { "processes", {
		{ "process", KEY }, { "host", NUMBER }, { "pid", NUMBER },
		{ "ppid", NUMBER }, { "uid", NUMBER }, { "rank", NUMBER },
		{ "image", NUMBER }, { "exe", TEXT }, { "cwd", TEXT },
		{ "args", TEXT }, { "state", TEXT },
	} },
	[WEIR_TABLE_THREADS] = { "threads", {
		{ "process", NUMBER }, { "thread", NUMBER },
		{ "tid", NUMBER },
	} },
	[WEIR_TABLE_FILES] = { "files", {
		{ "file", KEY }, { "path", TEXT },
	} },
	[WEIR_TABLE_CALLS] = { "calls", {
		{ "call", KEY }, { "name", TEXT }, { "layer", TEXT },
		{ "role", TEXT }, { "class", TEXT },
	} },
	[WEIR_TABLE_PARAMETERS] = { "parameters", {
		{ "call", NUMBER }, { "position", NUMBER }, { "name", TEXT },
		{ "kind", TEXT }, { "place", TEXT },
	} },
	[WEIR_TABLE_EVENTS] = { "events", {
		{ "event", KEY }, { "process", NUMBER },
		{ "thread", NUMBER }, { "idx", ANY }, { "call", NUMBER },
		{ "depth", NUMBER }, { "parent", NUMBER }, { "link", TEXT },
		{ "start", ANY }, { "dur", ANY }, { "fd", NUMBER },
		{ "file", NUMBER }, { "handle", NUMBER }, { "size", ANY },
		{ "off", NUMBER }, { "ret", NUMBER }, { "err", NUMBER },
		{ "bytes", NUMBER }, { "flags", TEXT },
	} },
	[WEIR_TABLE_ARGUMENTS] = { "arguments", {
		{ "event", NUMBER }, { "name", TEXT }, { "value", ANY },
		{ "shown", TEXT },
	} },
	[WEIR_TABLE_LINKS] = { "links", {
		{ "event", NUMBER }, { "kind", TEXT }, { "other", NUMBER },
		{ "other_id", TEXT }, { "node", TEXT }, { "open", NUMBER },
	} },
	[WEIR_TABLE_LOSSES] = { "losses", {
		{ "what", TEXT }, { "host", NUMBER }, { "process", NUMBER },
		{ "thread", NUMBER }, { "start", NUMBER }, { "dur", NUMBER },
		{ "count", NUMBER },
	} },
	[WEIR_TABLE_MARKS] = { "marks", {
		{ "event", NUMBER }, { "process", NUMBER },
		{ "thread", NUMBER }, { "start", NUMBER }, { "kind", TEXT },
		{ "name", TEXT }, { "number", NUMBER },
	} },
};

unsigned weir_tables_width(enum weir_table table)
{
	unsigned width = 0;

	while (weir_tables[table].columns[width].name)
		width++;
	return width;
}
