/* SPDX-License-Identifier: BSD-3-Clause */
/* From which places in a program all ranks of a file make their transfers. */
#include "analyse/provesites.h"

#include "base/hash.h"
#include "trace/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_HOST 100000 /* ns between clocks of two files of a host, at most */

/* Ranks that share the same files, and what is compared of them. */
struct group {
	struct weir_provesites *all;
	const struct weir_reader *reader;
	const uint32_t *procs;
	size_t count;
	uint64_t *sums;	  /* by site, of one process */
	uint64_t *first;  /* likewise, of the first */
	uint64_t *numbers, *first_numbers; /* calls from each */
};

void weir_provesites_fini(struct weir_provesites *all)
{
	weir_provesteps_fini(&all->steps);
	*all = (struct weir_provesites){0};
}

/* The first reason is told. */
__attribute__((format(printf, 2, 3))) static void
say(struct weir_provesites *all, const char *format, ...)
{
	va_list args;

	if (*all->why)
		return;
	va_start(args, format);
	vsnprintf(all->why, sizeof(all->why), format, args);
	va_end(args);
}

static int64_t rank_of(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_procinfo *info = weir_reader_process(reader, proc);
	int64_t rank = info ? weir_procinfo_rank(info) : -1;

	return rank < 0 ? proc : rank;
}

/* The steps of a process; *ret_end is behind the last. */
static const struct weir_provestep *
steps_of(const struct weir_provesteps *steps, uint32_t proc,
	 const struct weir_provestep **ret_end)
{
	size_t low = 0, high = steps->count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (steps->list[middle].proc < proc)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < steps->count && steps->list[end].proc == proc;)
		end++;
	*ret_end = steps->list + end;
	return steps->list + low;
}

/* Whether the files of the group include this one. */
static bool is_of(const struct group *group, const struct weir_provestep *step)
{
	const struct weir_provefile *file =
		&group->all->steps.files[step->shared];

	return file->count == group->count &&
	       !memcmp(file->procs, group->procs,
		       file->count * sizeof(*file->procs));
}

static bool is_good(const struct group *group,
		    const struct weir_provestep *step)
{
	return step->site && !group->all->steps.sites[step->site - 1].is_bad;
}

static uint64_t join(uint64_t sum, uint64_t more)
{
	uint64_t parts[2] = {sum, more};

	return weir_hash_bytes(parts, sizeof(parts));
}

static void sum_by_site(struct group *group, uint32_t proc)
{
	size_t bytes = group->all->steps.site_count * sizeof(uint64_t);
	const struct weir_provestep *end, *step =
		steps_of(&group->all->steps, proc, &end);

	memset(group->sums, 0, bytes);
	memset(group->numbers, 0, bytes);
	for (; step < end; step++) {
		if (!step->site || !is_of(group, step))
			continue;
		group->sums[step->site - 1] =
			join(group->sums[step->site - 1], step->what);
		group->numbers[step->site - 1]++;
	}
}

/* The n-th call of a process from a site; NULL: it makes fewer. */
static const struct weir_provestep *nth(const struct group *group,
					uint32_t proc, uint32_t site, size_t n)
{
	const struct weir_provestep *end, *step =
		steps_of(&group->all->steps, proc, &end);

	for (; step < end; step++)
		if (step->site == site && is_of(group, step) && !n--)
			return step;
	return NULL;
}

/* Which call is the first that two ranks do not both make. */
static void tell_difference(const struct group *group, uint32_t proc,
			    uint32_t site)
{
	const struct weir_provesite *place =
		&group->all->steps.sites[site - 1];
	const struct weir_provestep *one, *other, *shown;
	size_t n = 0, len = 0;
	const char *name;

	do {
		one = nth(group, group->procs[0], site, n);
		other = nth(group, proc, site, n++);
	} while (one && other && one->what == other->what);
	shown = one ? one : other;
	name = shown ? weir_reader_name(group->reader, shown->name, &len) : "";
	say(group->all,
	    "at %s+0x%" PRIx64 " ranks %" PRId64 " and %" PRId64
	    " make %" PRIu64 " and %" PRIu64 " calls and differ at call %zu "
	    "(%.*s)",
	    place->object, place->offset,
	    rank_of(group->reader, group->procs[0]),
	    rank_of(group->reader, proc), group->first_numbers[site - 1],
	    group->numbers[site - 1], n, (int)len, name ? name : "");
}

/* All ranks make the same calls from a site, or it is bad. */
static void compare_sites(struct group *group)
{
	struct weir_provesteps *steps = &group->all->steps;
	size_t bytes = steps->site_count * sizeof(uint64_t);

	sum_by_site(group, group->procs[0]);
	memcpy(group->first, group->sums, bytes);
	memcpy(group->first_numbers, group->numbers, bytes);
	for (size_t i = 1; i < group->count; i++) {
		sum_by_site(group, group->procs[i]);
		for (uint32_t k = 0; k < steps->site_count; k++) {
			if (group->sums[k] == group->first[k] ||
			    steps->sites[k].is_bad)
				continue;
			tell_difference(group, group->procs[i], k + 1);
			steps->sites[k].is_bad = true;
		}
	}
}

static uint64_t sum_in_order(const struct group *group, uint32_t proc)
{
	const struct weir_provestep *end, *step =
		steps_of(&group->all->steps, proc, &end);
	uint64_t sum = 0;

	for (; step < end; step++)
		if (is_of(group, step) &&
		    (!step->site || is_good(group, step)))
			sum = join(join(sum, step->what), step->site);
	return sum;
}

static void spoil(struct group *group)
{
	const struct weir_provestep *end, *step =
		steps_of(&group->all->steps, group->procs[0], &end);

	for (; step < end; step++)
		if (step->site && is_of(group, step))
			group->all->steps.sites[step->site - 1].is_bad = true;
}

/* Calls from several sites, and other collective ones, come in one order. */
static void compare_order(struct group *group)
{
	uint64_t first = sum_in_order(group, group->procs[0]);

	for (size_t i = 1; i < group->count; i++) {
		if (sum_in_order(group, group->procs[i]) == first)
			continue;
		say(group->all,
		    "ranks %" PRId64 " and %" PRId64 " transfer, create and "
		    "close in different orders",
		    rank_of(group->reader, group->procs[0]),
		    rank_of(group->reader, group->procs[i]));
		spoil(group);
		return;
	}
}

/* A rank in a call, and the ranks that it was seen to be in it with. */
struct visit {
	const struct weir_provestep *next, *end;
	uint64_t from, to;
	size_t rank, with;
};

static size_t root_of(const struct visit *visits, size_t rank)
{
	while (visits[rank].with != rank)
		rank = visits[rank].with;
	return rank;
}

static int by_start(const void *one, const void *other)
{
	const struct visit *const *a = one, *const *b = other;

	return ((*a)->from > (*b)->from) - ((*a)->from < (*b)->from);
}

/* Each rank's next call from the site; false: there is none. */
static bool advance(const struct group *group, struct visit *visits,
		    uint32_t site)
{
	for (size_t i = 0; i < group->count; i++) {
		struct visit *visit = &visits[i];

		while (visit->next < visit->end &&
		       (visit->next->site != site ||
			!is_of(group, visit->next)))
			visit->next++;
		if (visit->next == visit->end)
			return false;
		visit->from = visit->next->start;
		visit->to = visit->next++->end;
	}
	return true;
}

/* Who is in the call while another is there does not wait for its end. */
static void meet(const struct group *group, struct visit *visits,
		 struct visit **order)
{
	uint64_t until;

	for (size_t i = 0; i < group->count; i++)
		order[i] = &visits[i];
	qsort(order, group->count, sizeof(*order), by_start);
	until = order[0]->to;
	for (size_t i = 1; i < group->count; i++) {
		if (order[i]->from + group->all->margin < until)
			visits[root_of(visits, order[i]->rank)].with =
				root_of(visits, order[i - 1]->rank);
		if (order[i]->to > until)
			until = order[i]->to;
	}
}

static void check_site(struct group *group, uint32_t site,
		       struct visit *visits, struct visit **order)
{
	struct weir_provesite *place = &group->all->steps.sites[site - 1];
	bool any = false;

	for (size_t i = 0; i < group->count; i++) {
		visits[i] = (struct visit){ .rank = i, .with = i };
		visits[i].next = steps_of(&group->all->steps, group->procs[i],
					  &visits[i].end);
	}
	while (advance(group, visits, site)) {
		meet(group, visits, order);
		any = true;
	}
	for (size_t i = 1; any && i < group->count; i++) {
		if (root_of(visits, i) == root_of(visits, 0))
			continue;
		say(group->all,
		    "at %s+0x%" PRIx64 " ranks %" PRId64 " and %" PRId64
		    " are never in the call at the same time: one may wait "
		    "for the other",
		    place->object, place->offset,
		    rank_of(group->reader, group->procs[0]),
		    rank_of(group->reader, group->procs[i]));
		place->is_bad = true;
		return;
	}
}

static int check_waiting(struct group *group)
{
	struct visit *visits = calloc(group->count, sizeof(*visits));
	struct visit **order = calloc(group->count, sizeof(*order));
	size_t sites = group->all->steps.site_count;

	for (uint32_t i = 0; visits && order && i < sites; i++)
		if (!group->all->steps.sites[i].is_bad)
			check_site(group, i + 1, visits, order);
	free(visits);
	free(order);
	return visits && order ? 0 : -ENOMEM;
}

static int judge_group(struct group *group)
{
	size_t sites = group->all->steps.site_count;
	int err = -ENOMEM;

	group->sums = calloc(4 * sites + 1, sizeof(*group->sums));
	if (group->sums) {
		group->first = group->sums + sites;
		group->numbers = group->first + sites;
		group->first_numbers = group->numbers + sites;
		compare_sites(group);
		compare_order(group);
		err = check_waiting(group);
	}
	free(group->sums);
	return err;
}

static bool is_same_group(const struct weir_provefile *a,
			  const struct weir_provefile *b)
{
	return a->count == b->count &&
	       !memcmp(a->procs, b->procs, a->count * sizeof(*a->procs));
}

static bool overlap(const struct weir_provefile *a,
		    const struct weir_provefile *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (a->procs[i] == b->procs[k])
				return true;
	return false;
}

/*
 * Files are shared by as many ranks each, and no rank has them with some
 * ranks and with others: then the order of calls can be told.
 */
static bool are_groups_clear(struct weir_provesites *all,
			     const struct weir_provefile *file)
{
	const struct weir_provesteps *steps = &all->steps;

	for (size_t i = 0; i < steps->file_count; i++) {
		const struct weir_provefile *other = &steps->files[i];

		if (!other->is_wanted || is_same_group(file, other))
			continue;
		if (other->count != file->count)
			say(all, "%zu ranks share %s, and %zu %s: say which "
			    "by file=", file->count, file->name, other->count,
			    other->name);
		else if (overlap(file, other))
			say(all, "not the same ranks share %s and %s: say "
			    "which by file=", file->name, other->name);
		else
			continue;
		return false;
	}
	return true;
}

static bool is_first_of_group(const struct weir_provesteps *steps, size_t file)
{
	for (size_t i = 0; i < file; i++)
		if (steps->files[i].is_wanted &&
		    is_same_group(&steps->files[i], &steps->files[file]))
			return false;
	return true;
}

static int judge(struct weir_provesites *all, const struct weir_reader *reader)
{
	struct weir_provesteps *steps = &all->steps;
	int err = 0;

	for (size_t i = 0; !err && i < steps->file_count; i++) {
		const struct weir_provefile *file = &steps->files[i];
		struct group group = {
			.all = all, .reader = reader,
			.procs = file->procs, .count = file->count,
		};

		if (!file->is_wanted || !is_first_of_group(steps, i))
			continue;
		if (!are_groups_clear(all, file))
			return 0;
		all->ranks = (uint32_t)file->count;
		err = judge_group(&group);
	}
	for (size_t i = 0; !err && i < steps->site_count; i++)
		all->proven += !steps->sites[i].is_bad;
	return err;
}

/* Whether the trace has all that the ranks did. */
static bool is_whole(struct weir_provesites *all, struct weir_reader *reader)
{
	struct weir_reader_losses losses;
	uint32_t ranks = 0, size = 0;

	weir_reader_losses(reader, &losses);
	if (losses.dropped || losses.lost || losses.hidden[2] ||
	    losses.hidden[3] || weir_reader_is_damaged(reader) ||
	    weir_unrecorded_sum(&losses.unrecorded).processes) {
		say(all, "the trace does not have all calls (weir info)");
		return false;
	}
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *info =
			weir_reader_process(reader, i);
		const char *told = info ? weir_procinfo_tells(info, "size")
					: NULL;

		ranks += told && weir_procinfo_rank(info) >= 0;
		if (told && strtoul(told, NULL, 10) > size)
			size = (uint32_t)strtoul(told, NULL, 10);
	}
	if (ranks < size)
		say(all, "only %u of %u ranks are in the trace", ranks, size);
	return ranks >= size;
}

/* Who was where at the same time can be told only by one clock. */
static bool has_one_clock(struct weir_provesites *all,
			  const struct weir_reader *reader)
{
	const struct weir_nodeinfo *first = weir_reader_node(reader, 0), *node;

	for (uint32_t i = 1; (node = weir_reader_node(reader, i)); i++) {
		all->margin = all->margin ? all->margin : SAME_HOST;
		if (strcmp(node->host, first->host) &&
		    !weir_reader_clocks(reader, &all->margin)) {
			say(all, "the clocks of %s and %s were not compared",
			    first->host, node->host);
			return false;
		}
	}
	return true;
}

static int by_number(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

static int conclude(struct weir_provesites *all, struct weir_reader *reader)
{
	struct weir_provesteps *steps = &all->steps;

	for (size_t i = 0; i < steps->file_count; i++) {
		struct weir_provefile *file = &steps->files[i];

		qsort(file->procs, file->count, sizeof(*file->procs),
		      by_number);
		file->is_wanted &= file->count > 1;
	}
	if (!is_whole(all, reader) || !has_one_clock(all, reader))
		return 0;
	if (!steps->site_count)
		say(all, "no dataset it is for is read or written "
		    "independently in a file that ranks share");
	else if (steps->nowhere)
		say(all, "it does not tell where calls are made: record it "
		    "with weir run --backtrace");
	else
		return judge(all, reader);
	return 0;
}

int weir_provesites_find(struct weir_provesites *all, const char *trace,
			 const struct weir_provesteps_filter *filter)
{
	struct weir_reader *reader;
	int err = weir_reader_open(trace, &reader);

	*all = (struct weir_provesites){0};
	if (err)
		return err;
	err = weir_provesteps_gather(&all->steps, reader, filter);
	err = err ?: conclude(all, reader);
	weir_reader_close(reader);
	if (!all->proven)
		all->ranks = 0;
	if (err)
		weir_provesites_fini(all);
	return err;
}
