/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the places in a program where all ranks make the same transfers. */
#include "analyse/proof/provesites.h"

#include "base/hash.h"
#include "trace/layout/messages_layout.h"
#include "trace/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int64_t rank_of_process(const struct weir_reader *reader, uint32_t proc)
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

/* Whether the files of the group include the one of this step. */
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

/* The same calls in another order have another sum. */
static uint64_t join_sums(uint64_t sum, uint64_t more)
{
	uint64_t parts[2] = {sum, more};

	return weir_hash_numbers(parts, sizeof(parts));
}

/* Ranks may make millions of calls: sums are compared, not lists. */
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
			join_sums(group->sums[step->site - 1], step->what);
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

/* Names the first call that two ranks do not both make. */
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
	    rank_of_process(group->reader, group->procs[0]),
	    rank_of_process(group->reader, proc),
	    group->first_numbers[site - 1], group->numbers[site - 1], n,
	    (int)len, name ? name : "");
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

/* Calls from bad sites stay independent, so their order does not matter. */
static uint64_t sum_in_order(const struct group *group, uint32_t proc)
{
	const struct weir_provestep *end, *step =
		steps_of(&group->all->steps, proc, &end);
	uint64_t sum = 0;

	for (; step < end; step++)
		if (is_of(group, step) &&
		    (!step->site || is_good(group, step)))
			sum = join_sums(join_sums(sum, step->what), step->site);
	return sum;
}

/* Any of the sites may be the one that is out of order: none is safe. */
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
		    rank_of_process(group->reader, group->procs[0]),
		    rank_of_process(group->reader, group->procs[i]));
		spoil(group);
		return;
	}
}

/* --- nobody waits for another ------------------------------------------- */

/* A rank's transfers that are to be made together, one after the other. */
struct visit {
	const struct weir_provestep *next, *end;
};

/* The next of each; false: there is none. Their order is the same. */
static bool advance(const struct group *group, struct visit *visits)
{
	for (size_t i = 0; i < group->count; i++) {
		struct visit *visit = &visits[i];

		do {
			if (++visit->next >= visit->end)
				return false;
		} while (!is_good(group, visit->next) ||
			 !is_of(group, visit->next));
	}
	return true;
}

static const char *doubt_of(const struct weir_provestep *step)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} doubts[] = {
		{ WEIR_MESSAGES_ANY, "receives from whoever comes first" },
		{ WEIR_MESSAGES_HIDDEN, "uses windows, requests that are "
					"started again, or other jobs" },
		{ WEIR_MESSAGES_STRANGE, "uses a communicator that was made "
					 "in a way that is not followed" },
		{ WEIR_MESSAGES_THREADS, "sends and receives by several "
					 "threads" },
		{ WEIR_MESSAGES_PROBED, "has looked for a message that it "
					"has not received yet" },
	};

	if (!step->has_messages || !step->messages.is_followed)
		return "does not tell what it sends and receives: record it "
		       "anew, with all layers";
	for (size_t i = 0; i < sizeof(doubts) / sizeof(*doubts); i++)
		if (step->messages.doubts & doubts[i].bit)
			return doubts[i].text;
	return NULL;
}

/*
 * Whether the call cuts a message, or a collective call: something that one
 * rank has done its part of before it, and another has not. Of all ranks of the
 * job the sums are 0 then. Of some of them, calls that all of them have made
 * with others, too, are as good.
 */
static bool is_cut(const struct group *group, const struct visit *visits)
{
	uint64_t direct = 0, balance = 0;
	bool same = true;

	for (size_t i = 0; i < group->count; i++) {
		const struct weir_provemessages *m = &visits[i].next->messages;

		direct += m->direct;
		balance += m->balance;
		same &= m->together == visits[0].next->messages.together;
	}
	if (group->count == group->all->job)
		return direct + balance;
	return direct || (balance && !same);
}

static void blame(struct group *group, const struct visit *visits,
		  const char *why, size_t rank)
{
	struct weir_provesite *place =
		&group->all->steps.sites[visits->next->site - 1];

	place->is_bad = true;
	say(group->all, "at %s+0x%" PRIx64 " rank %" PRId64 " %s",
	    place->object, place->offset,
	    rank_of_process(group->reader, group->procs[rank]), why);
}

/* Of one transfer of all ranks. */
static void check_turn(struct group *group, const struct visit *visits)
{
	for (size_t i = 0; i < group->count; i++) {
		const char *why = doubt_of(visits[i].next);

		if (why) {
			blame(group, visits, why, i);
			return;
		}
	}
	if (is_cut(group, visits))
		blame(group, visits, "and others are at the call between "
		      "sending a message and receiving it: one may wait for "
		      "the other", 0);
}

/* Ranks come by one thread each, or their order is not that of the trace. */
static void check_threads(struct group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct weir_provestep *end, *step =
			steps_of(&group->all->steps, group->procs[i], &end);
		uint32_t thread = step < end ? step->thread : 0;

		for (; step < end && step->thread == thread; step++)
			;
		if (step == end)
			continue;
		say(group->all, "rank %" PRId64 " transfers, creates and "
		    "closes by several threads",
		    rank_of_process(group->reader, group->procs[i]));
		spoil(group);
	}
}

/* A site that turns out to be bad is left out from then on. */
static int check_waiting(struct group *group)
{
	struct visit *visits = calloc(group->count, sizeof(*visits));

	if (!visits)
		return -ENOMEM;
	check_threads(group);
	for (size_t i = 0; i < group->count; i++)
		visits[i].next = steps_of(&group->all->steps, group->procs[i],
					  &visits[i].end) - 1;
	while (advance(group, visits))
		check_turn(group, visits);
	free(visits);
	return 0;
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

static int judge_sites(struct weir_provesites *all,
		       const struct weir_reader *reader)
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
	all->job = size;
	if (ranks < size)
		say(all, "only %u of %u ranks are in the trace", ranks, size);
	return ranks >= size;
}

static int by_file_number(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

static int conclude_sites(struct weir_provesites *all,
			  struct weir_reader *reader)
{
	struct weir_provesteps *steps = &all->steps;

	for (size_t i = 0; i < steps->file_count; i++) {
		struct weir_provefile *file = &steps->files[i];

		qsort(file->procs, file->count, sizeof(*file->procs),
		      by_file_number);
		file->is_wanted &= file->count > 1;
	}
	if (!is_whole(all, reader))
		return 0;
	if (!steps->site_count)
		say(all, "no dataset it is for is read or written "
		    "independently in a file that ranks share");
	else if (steps->nowhere)
		say(all, "it does not tell where calls are made: record it "
		    "with weir run --backtrace");
	else
		return judge_sites(all, reader);
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
	err = err ?: conclude_sites(all, reader);
	weir_reader_close(reader);
	if (!all->proven)
		all->ranks = 0;
	if (err)
		weir_provesites_fini(all);
	return err;
}
