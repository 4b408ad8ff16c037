/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups processes: each alone, by rank, by host, or all together. */
#include "analyse/view/who.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct weir_who_group describe_group(const struct weir_reader *reader,
					    uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);
	const struct weir_nodeinfo *node = weir_reader_node_of(reader, proc);

	return (struct weir_who_group){
		.proc = proc,
		.rank = process ? weir_procinfo_rank(process) : -1,
		.host = node ? node->host : "",
	};
}

static int by_process_number(const void *left, const void *right)
{
	const struct weir_who_group *a = left, *b = right;

	return (a->proc > b->proc) - (a->proc < b->proc);
}

/* Who has no rank comes last. */
static int by_process_rank(const void *left, const void *right)
{
	const struct weir_who_group *a = left, *b = right;
	uint64_t of_a = (uint64_t)a->rank, of_b = (uint64_t)b->rank;

	return (of_a > of_b) - (of_a < of_b);
}

static int by_host(const void *left, const void *right)
{
	const struct weir_who_group *a = left, *b = right;

	return strcmp(a->host, b->host);
}

static int by_nothing(const void *left, const void *right)
{
	(void)left;
	(void)right;
	return 0;
}

typedef int comparison(const void *left, const void *right);

static comparison *const orders[] = {
	[WEIR_WHO_TOTAL] = by_nothing,
	[WEIR_WHO_PROCESS] = by_process_number,
	[WEIR_WHO_RANK] = by_process_rank,
	[WEIR_WHO_HOST] = by_host,
};

static int by_group(const void *left, const void *right, void *order)
{
	int way = (*(comparison *const *)order)(left, right);

	return way ? way : by_process_number(left, right);
}

/* Processes in order become groups, each with its first for all. */
static void join_groups(struct weir_who *who)
{
	comparison *order = orders[who->by];
	struct weir_who_group *groups = who->groups;
	uint32_t last = 0;

	for (uint32_t i = 0; i < who->processes; i++) {
		if (i && order(&groups[last], &groups[i]))
			groups[++last] = groups[i];
		who->group_of[groups[i].proc] = last;
	}
	who->count = last + 1;
}

int weir_who_init(struct weir_who *who, const struct weir_reader *reader,
		  enum weir_who_by by)
{
	uint32_t count = weir_reader_processes(reader);
	comparison *order = orders[by];

	*who = (struct weir_who){
		.by = by,
		.processes = count,
		.groups = calloc((size_t)count + 1, sizeof(*who->groups)),
		.group_of = calloc((size_t)count + 1, sizeof(*who->group_of)),
	};
	if (!who->groups || !who->group_of) {
		weir_who_fini(who);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		who->groups[i] = describe_group(reader, i + 1);
		who->several_hosts |= i && by_host(&who->groups[0],
						   &who->groups[i]);
	}
	qsort_r(who->groups, count, sizeof(*who->groups), by_group, &order);
	join_groups(who);
	return 0;
}

uint32_t weir_who_own(const struct weir_reader *reader,
		      const struct weir_procinfo **ret_first)
{
	const struct weir_procinfo *first = NULL;
	uint32_t count = 0;

	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_procinfo_is_server(process))
			continue;
		first = first ? first : process;
		count++;
	}
	if (ret_first)
		*ret_first = first;
	return count;
}

void weir_who_fini(struct weir_who *who)
{
	free(who->groups);
	free(who->group_of);
	*who = (struct weir_who){ 0 };
}

uint32_t weir_who_of(const struct weir_who *who, uint32_t proc)
{
	return proc <= who->processes ? who->group_of[proc] : 0;
}
