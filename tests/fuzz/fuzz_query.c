/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds the language of weir query, and models of disks, any bytes. */
#include "analyse/query/diskmodel.h"
#include "analyse/query/queryparse.h"
#include "target.h"

/* What a query that was understood promises. */
static void use_condition(const struct weir_query_condition *condition)
{
	must(condition->key < WEIR_QUERY_KEYS);
	must(condition->count && condition->count <= WEIR_QUERY_VALUES);
	for (unsigned i = 0; i < condition->count; i++) {
		const struct weir_query_value *value = &condition->values[i];

		must(value->from <= value->to);
		must(!value->text || strlen(value->text));
		must(value->text || value->id.proc || value->ways ||
		     condition->key == WEIR_QUERY_CLIENT ||
		     condition->key == WEIR_QUERY_SERVER ||
		     condition->key == WEIR_QUERY_TIME);
	}
}

static void use(const struct weir_query *query)
{
	must(query->metric < WEIR_QUERY_METRICS);
	must(query->group_count && query->group_count <= WEIR_QUERY_GROUPS);
	for (unsigned i = 0; i < query->group_count; i++)
		must(query->groups[i] < WEIR_QUERY_GROUPS);
	must(query->condition_count <= WEIR_QUERY_CONDITIONS);
	for (unsigned i = 0; i < query->condition_count; i++)
		use_condition(&query->conditions[i]);
}

static void read_query(const char *text, size_t size)
{
	struct weir_query_mistake mistake = { .column = 0 };
	struct weir_query query;

	if (!weir_queryparse_read(text, &query, &mistake)) {
		use(&query);
		weir_queryparse_fini(&query);
		return;
	}
	must(mistake.column <= size + 1 && *mistake.text);
	for (const char *c = mistake.text; *c; c++)
		must(*c >= ' ' && *c <= '~');
}

static void read_disk(const char *text, size_t size)
{
	struct weir_diskmodel model;
	const char *why;
	unsigned line;

	if (weir_diskmodel_parse(text, size, &model, &line, &why))
		must(why && line <= size + 1);
	else
		must(!why && *model.name &&
		     model.active_watts >= model.idle_watts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size);

	read_query(text, size);
	read_disk(text, size);
	free(text);
	return 0;
}

static const char *const words[] = {
	"latency", "throughput", "avg_latency", "io_nodes", "comm_time",
	"disk_accesses", "power", "energy", " by ", " where ", " and ",
	" top 5", " exclusive", " of ", "id", "call", "layer", "client",
	"server", "segment", "file", "host", "op", "time", "line", "=", "\"",
	"'", ",", "-", "*", "read", "write", "mpiio", "posix", "1.1.0", "2ms",
	"3s", "a.c:1-9", "name ", "active_watts ", "idle_watts ", "#", "\n",
	"spin_up_s ", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
