/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by reason the processes that could not be recorded. */
#include "trace/control/unrecorded.h"

#include "trace/facts/props.h"
#include "trace/file/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The word stands in traces and never changes. */
static const struct {
	const char *word, *why;
} reasons[WEIR_REASON_COUNT] = {
	[WEIR_REASON_OTHER] = {"other", "the memory file could not be made"},
	[WEIR_REASON_FILE_LIMIT] = {"file-limit",
				    "the file size limit is too low"},
	[WEIR_REASON_NO_DESCRIPTOR] = {"no-descriptor",
				       "no descriptor was free"},
	[WEIR_REASON_NO_MEMORY] = {"no-memory", "no memory was free"},
	[WEIR_REASON_NO_SPACE] = {"no-space",
				  "no space was left for memory files"},
	[WEIR_REASON_NO_PERMISSION] = {"no-permission",
				       "memory files may not be made"},
	[WEIR_REASON_DAMAGED] = {"damaged", "the control file is damaged"},
	[WEIR_REASON_CONFINED] = {"confined",
				  "a filter of system calls (seccomp) stood"},
};

const char *weir_unrecorded_why(enum weir_control_reason reason)
{
	return reasons[reason].why;
}

void weir_unrecorded_add(struct weir_unrecorded *to,
			 const struct weir_unrecorded *more)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		to->by[i].processes += more->by[i].processes;
		to->by[i].calls += more->by[i].calls;
	}
}

static void raise_to(uint64_t *number, uint64_t other)
{
	if (*number < other)
		*number = other;
}

void weir_unrecorded_raise(struct weir_unrecorded *to,
			   const struct weir_unrecorded *other)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		raise_to(&to->by[i].processes, other->by[i].processes);
		raise_to(&to->by[i].calls, other->by[i].calls);
	}
}

struct weir_unrecorded_count
weir_unrecorded_sum(const struct weir_unrecorded *all)
{
	struct weir_unrecorded_count sum = {0};

	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		sum.processes += all->by[i].processes;
		sum.calls += all->by[i].calls;
	}
	return sum;
}

static int put_counts(struct weir_store *store, const struct weir_props *props)
{
	struct weir_block block = {
		.type = WEIR_BLOCK_NODE,
		.stored = (uint32_t)props->used,
	};

	return weir_store_append(store, &block, props->text);
}

int weir_unrecorded_put(const struct weir_unrecorded *all,
			struct weir_store *store)
{
	struct weir_props props;
	char text[80];
	int err = 0;

	weir_props_init(&props);
	for (int i = 0; !err && i < WEIR_REASON_COUNT; i++) {
		if (!all->by[i].processes && !all->by[i].calls)
			continue;
		snprintf(text, sizeof(text), "%s %" PRIu64 " %" PRIu64,
			 reasons[i].word, all->by[i].processes,
			 all->by[i].calls);
		err = weir_props_add_text(&props, "unrecorded", text);
	}
	if (!err)
		err = put_counts(store, &props);
	weir_props_fini(&props);
	return err;
}

/* A reason that a later version knows is one that we do not. */
static enum weir_control_reason find_reason(const char *word, size_t len)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		if (strlen(reasons[i].word) == len &&
		    !memcmp(reasons[i].word, word, len))
			return (enum weir_control_reason)i;
	}
	return WEIR_REASON_OTHER;
}

static int take_reason_line(const struct weir_props_line *line,
			    struct weir_unrecorded *all)
{
	struct weir_unrecorded_count *to, count;
	char text[96], *space, *end;

	weir_props_value(line, text, sizeof(text));
	space = strchr(text, ' ');
	if (!space)
		return -EBADMSG;
	count.processes = strtoull(space, &end, 10);
	if (end == space || *end != ' ')
		return -EBADMSG;
	count.calls = strtoull(end, &end, 10);
	if (*end)
		return -EBADMSG;
	to = &all->by[find_reason(text, (size_t)(space - text))];
	to->processes += count.processes;
	to->calls += count.calls;
	return 0;
}

int weir_unrecorded_parse(const void *text, size_t size,
			  struct weir_unrecorded *ret_all)
{
	struct weir_unrecorded all = {0};
	struct weir_props_walk walk;
	struct weir_props_line line;

	weir_props_start(&walk, text, size);
	while (weir_props_next(&walk, &line))
		if (weir_props_is(&line, "unrecorded") &&
		    take_reason_line(&line, &all))
			return -EBADMSG;
	*ret_all = all;
	return 0;
}
