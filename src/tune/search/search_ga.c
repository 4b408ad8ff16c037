/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches by a genetic algorithm: as the authors of H5Evolve describe theirs
 * (SC13), and as its later repository has it.
 */
#include "tune/search/searcher.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POPULATION  15
#define GENERATIONS 40
#define MUTATED	    0.15

struct member {
	struct weir_domain_point point;
	double seconds; /* HUGE_VAL: it failed */
};

struct ga {
	struct member members[POPULATION];
	struct member next[POPULATION];
	uint32_t measured; /* of the members */
	uint32_t generation;
	double slowest;
};

static struct ga *ga_of(struct weir_search *search)
{
	return search->own;
}

static int ga_open(struct weir_search *search, const char **ret_lack)
{
	struct ga *ga = calloc(1, sizeof(*ga));

	(void)ret_lack;
	if (!ga)
		return -ENOMEM;
	search->own = ga;
	for (int i = 0; i < POPULATION; i++)
		weir_domain_draw(search->domain, &search->dice,
				 &ga->members[i].point);
	return 0;
}

static void ga_close(struct weir_search *search)
{
	free(search->own);
}

static int ga_ask(struct weir_search *search,
		  struct weir_domain_point *ret_point)
{
	struct ga *ga = ga_of(search);

	if (ga->generation == GENERATIONS)
		return -ENODATA;
	*ret_point = ga->members[ga->measured].point;
	return 0;
}

static int compare_members(const void *a, const void *b)
{
	double left = ((const struct member *)a)->seconds;
	double right = ((const struct member *)b)->seconds;

	return (left > right) - (left < right);
}

/* --- as published ------------------------------------------------------- */

/* The whole population has children, the faster of any two is more likely. */
static const struct member *pick_of_two(struct weir_search *search)
{
	const struct member *members = ga_of(search)->members;
	uint32_t a = weir_dice_below(&search->dice, POPULATION);
	uint32_t b = weir_dice_below(&search->dice, POPULATION);

	return &members[a < b ? a : b]; /* they are in order */
}

static void cross_each(struct weir_search *search, const struct member *one,
		       const struct member *other, struct member *child)
{
	child->point = one->point;
	for (uint32_t a = 0; a < search->domain->count; a++)
		if (weir_dice_below(&search->dice, 2))
			child->point.level[a] = other->point.level[a];
}

static void mutate_one_gene(struct weir_search *search, struct member *member)
{
	weir_domain_mutate(search->domain, &search->dice,
			   weir_dice_below(&search->dice,
					   search->domain->count),
			   &member->point);
}

/* The fastest stays; 15 % of the population undergo mutation. */
static void breed_as_published(struct weir_search *search)
{
	struct ga *ga = ga_of(search);
	int mutants = (int)lround(MUTATED * POPULATION);

	ga->next[0] = ga->members[0];
	for (int i = 1; i < POPULATION; i++)
		cross_each(search, pick_of_two(search), pick_of_two(search),
			   &ga->next[i]);
	for (int i = 0; i < mutants; i++)
		mutate_one_gene(search,
				&ga->next[1 + weir_dice_below(&search->dice,
							      POPULATION - 1)]);
}

/* --- as in the repository ----------------------------------------------- */

#define REPO_ELITE 3
#define REPO_CROSS 0.9

/* How much faster than the slowest; those that failed have no share. */
static double fitness(const struct ga *ga, const struct member *member)
{
	return isfinite(member->seconds)
		       ? ga->slowest * 1.01 - member->seconds : 0;
}

static const struct member *pick_by_fitness(struct weir_search *search)
{
	const struct ga *ga = ga_of(search);
	double sum = 0, left;

	for (int i = 0; i < POPULATION; i++)
		sum += fitness(ga, &ga->members[i]);
	left = weir_dice_share(&search->dice) * sum;
	for (int i = 0; i < POPULATION; i++) {
		left -= fitness(ga, &ga->members[i]);
		if (left < 0)
			return &ga->members[i];
	}
	return &ga->members[0];
}

static void cross_at_one_place(struct weir_search *search,
			       const struct member *one,
			       const struct member *other,
			       struct member *child)
{
	uint32_t count = search->domain->count;
	uint32_t from = count;

	child->point = one->point;
	if (weir_dice_share(&search->dice) < REPO_CROSS)
		from = 1 + weir_dice_below(&search->dice, count);
	for (uint32_t a = from; a < count; a++)
		child->point.level[a] = other->point.level[a];
}

static void mutate_genes(struct weir_search *search, struct member *member)
{
	for (uint32_t a = 0; a < search->domain->count; a++)
		if (weir_dice_share(&search->dice) < MUTATED)
			weir_domain_mutate(search->domain, &search->dice, a,
					   &member->point);
}

static void breed_as_in_repository(struct weir_search *search)
{
	struct ga *ga = ga_of(search);

	memcpy(ga->next, ga->members, REPO_ELITE * sizeof(ga->next[0]));
	for (int i = REPO_ELITE; i < POPULATION; i++) {
		cross_at_one_place(search, pick_by_fitness(search),
				   pick_by_fitness(search), &ga->next[i]);
		mutate_genes(search, &ga->next[i]);
	}
}

/* --- both --------------------------------------------------------------- */

static void find_slowest(struct ga *ga)
{
	ga->slowest = 0;
	for (int i = 0; i < POPULATION; i++)
		if (isfinite(ga->members[i].seconds) &&
		    ga->members[i].seconds > ga->slowest)
			ga->slowest = ga->members[i].seconds;
}

/* What was stopped has no better fitness than what it reached. */
static int take_measure(struct weir_search *search,
			void (*breed)(struct weir_search *search))
{
	struct ga *ga = ga_of(search);
	const struct weir_trial *last =
		&search->trials.list[search->trials.count - 1];

	if (ga->generation == GENERATIONS)
		return 0;
	ga->members[ga->measured].seconds =
		last->end == WEIR_TRIALS_FAILED ? HUGE_VAL : last->seconds;
	if (++ga->measured < POPULATION)
		return 0;
	qsort(ga->members, POPULATION, sizeof(ga->members[0]),
	      compare_members);
	find_slowest(ga);
	breed(search);
	memcpy(ga->members, ga->next, sizeof(ga->members));
	ga->measured = 0;
	ga->generation++;
	return 0;
}

static int told_as_published(struct weir_search *search)
{
	return take_measure(search, breed_as_published);
}

static int told_as_in_repository(struct weir_search *search)
{
	return take_measure(search, breed_as_in_repository);
}

const struct weir_searcher weir_search_ga = {
	.name = "ga",
	.open = ga_open,
	.ask = ga_ask,
	.told = told_as_published,
	.close = ga_close,
};

const struct weir_searcher weir_search_ga_repo = {
	.name = "ga-repo",
	.open = ga_open,
	.ask = ga_ask,
	.told = told_as_in_repository,
	.close = ga_close,
};
