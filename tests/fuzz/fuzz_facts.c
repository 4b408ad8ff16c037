/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the readers of the text blocks (HEAD, PROC, NODE, PLAN) any text; what
 * they make of it can be used, and be written again.
 */
#include "target.h"
#include "trace/facts/mounts.h"
#include "trace/facts/nodeinfo.h"
#include "trace/control/outcome.h"
#include "trace/facts/procinfo.h"
#include "trace/control/unrecorded.h"

static volatile uint64_t looked_at;

static void read_lines(const uint8_t *data, size_t size)
{
	struct weir_props_walk walk;
	struct weir_props_line line;
	struct weir_props props;
	char value[64];
	size_t length;

	weir_props_init(&props);
	weir_props_start(&walk, data, size);
	while (weir_props_next(&walk, &line)) {
		must(line.key_len + line.value_len < size + 1);
		length = weir_props_value(&line, value, sizeof(value));
		must(length < sizeof(value) && !value[length]);
		weir_props_add(&props, "key", value, length);
	}
	weir_props_fini(&props);
}

static void read_node(const uint8_t *data, size_t size)
{
	struct weir_clockfix_bound bound = { 0 };
	struct weir_nodeinfo info = { 0 };
	uint64_t error;

	if (weir_nodeinfo_parse(data, size, &info))
		return;
	must(info.clock.count <= 2 &&
	     strnlen(info.host, sizeof(info.host)) < sizeof(info.host));
	looked_at += weir_nodeinfo_real(&info, info.tick0 + size);
	looked_at += weir_nodeinfo_real(&info, UINT64_MAX);
	weir_clockfix_bind(&bound, &info.clock);
	weir_clockfix_within(&bound, &error);
}

static void read_process(const uint8_t *data, size_t size)
{
	struct weir_procinfo info = { 0 };

	if (weir_procinfo_parse(data, size, &info))
		return;
	must(!info.arg_count || !info.args[info.arg_count]);
	must(weir_procinfo_rank(&info) >= -1);
	weir_procinfo_is_server(&info);
	for (size_t i = 0; i < info.thread_count; i++)
		must(!!weir_procinfo_find(&info, info.threads[i].number));
	for (size_t i = 0; i < info.trait_count; i++)
		must(!!weir_procinfo_tells(&info, info.traits[i].key));
	weir_procinfo_fini(&info);
}

static void read_mounts(const uint8_t *data, size_t size)
{
	struct weir_mounts mounts = { 0 }, again = { 0 };
	struct weir_props props;

	weir_props_init(&props);
	must(!weir_mounts_parse(data, size, &mounts));
	must(mounts.count <= WEIR_MOUNTS_MOST);
	must(!weir_mounts_put(&mounts, &props) &&
	     !weir_mounts_parse(props.text, props.used, &again));
	must(again.count == mounts.count);
	for (uint32_t i = 0; i < mounts.count; i++) {
		must(!strcmp(mounts.list[i].point, again.list[i].point));
		weir_mounts_of(&mounts, mounts.list[i].point);
	}
	weir_props_fini(&props);
	weir_mounts_fini(&mounts);
	weir_mounts_fini(&again);
}

static void read_counts(const uint8_t *data, size_t size)
{
	struct weir_outcome *outcome = NULL, *sum = NULL;
	struct weir_unrecorded all = { 0 };

	if (!weir_unrecorded_parse(data, size, &all))
		looked_at += weir_unrecorded_sum(&all).calls;
	if (!weir_outcome_take(&outcome, data, size)) {
		must(outcome->count <= WEIR_CONTROL_SETTINGS);
		weir_outcome_add(&sum, outcome);
	}
	weir_outcome_free(outcome);
	weir_outcome_free(sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_lines(data, size);
	read_node(data, size);
	read_process(data, size);
	read_mounts(data, size);
	read_counts(data, size);
	return 0;
}

static const char *const words[] = {
	"format=1\n", "host=", "version=", "created=", "tick0=", "mono0=",
	"real0=", "mult=4294967296\n", "clock_begin=1 2 3\n", "clock_end=",
	"clock_of=1\n", "mount=ext4 / /dev/sda\n", "mounts_untold=", "pid=",
	"ppid=", "uid=", "start=", "image=", "exe=", "cwd=", "arg=",
	"thread=1 2 0 3\n", "trait.rank=", "trait.mpi=", "dropped=", "outside=",
	"lost=", "kept=", "overwritten=", "stop=none\n", "state=exited\n",
	"plan=", "setting=", "unplanned=", "outcome=", "of=", "why=", "weir=",
	"value=", "file=", "dataset=", "layer=", "unrecorded=other 1 2\n",
	"trait.role=server\n", "polls=", "system=", "%", "%00", "%2F",
	"=", "\n", " ", NULL,
};

const struct fuzz_shape fuzz_shape = { .part = find_line, .words = words };
