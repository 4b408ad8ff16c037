/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the HEAD block: whose trace it is and how its ticks become time. */
#include "trace/facts/nodeinfo.h"

#include "trace/facts/props.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>

static int take_node_line(const struct weir_props_line *line,
			  struct weir_nodeinfo *info)
{
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{ "format", &info->format }, { "created", &info->created },
		{ "tick0", &info->tick0 },   { "mono0", &info->mono0 },
		{ "real0", &info->real0 },   { "mult", &info->mult },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (weir_props_is(line, numbers[i].key))
			return weir_props_number(line, numbers[i].to);
	if (weir_props_is(line, "host"))
		weir_props_value(line, info->host, sizeof(info->host));
	if (weir_props_is(line, "weir"))
		weir_props_value(line, info->version, sizeof(info->version));
	weir_clockfix_read(&info->clock, line);
	return 0;
}

int weir_nodeinfo_parse(const void *text, size_t size,
			struct weir_nodeinfo *ret_info)
{
	struct weir_nodeinfo info = { .format = 0 };
	struct weir_props_walk walk;
	struct weir_props_line line;

	weir_props_start(&walk, text, size);
	while (weir_props_next(&walk, &line))
		if (take_node_line(&line, &info))
			return -EBADMSG;
	weir_clockfix_settle(&info.clock);
	if (info.format > WEIR_FORMAT_VERSION)
		return -ENOTSUP;
	if (!info.format || info.mult < WEIR_HEAD_LEAST_MULT ||
	    info.mult > WEIR_HEAD_MOST_MULT)
		return -EBADMSG;
	*ret_info = info;
	return 0;
}
