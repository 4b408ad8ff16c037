/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches with a model: what the program does by itself, some points that are
 * spread over all levels, and then where the model expects most.
 */
#include "tune/search/gauss.h"
#include "tune/search/searcher.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LEADERS	   5	/* whose neighbours are looked at */
#define DRAWN	   300	/* points from anywhere, beside them */
#define FIRST	   8	/* before the model is asked */
#define ODD_ONE	   10	/* each so manieth point is from anywhere */
#define WORTHWHILE 0.01 /* of the log of time: one per cent */
#define PATIENCE   5	/* so often less than that is expected: it ends */

struct model {
	struct weir_gauss *gauss;
	struct weir_domain_point first[FIRST]; /* before it knows anything */
	uint32_t first_done;
	uint32_t asked;	    /* times that the model was asked */
	uint32_t hopeless;  /* the last ones of these, without hope */
};

static struct model *model_of(struct weir_search *search)
{
	return search->own;
}

/* --- before there is a model -------------------------------------------- */

/*
 * Each level of an axis as often as any other, so that few runs show what each
 * does by itself. Column by column: the order of levels is drawn anew.
 */
static void spread_levels(struct weir_search *search, uint32_t axis)
{
	struct model *model = model_of(search);
	uint32_t levels = search->domain->axes[axis].levels;
	uint32_t turn = weir_dice_below(&search->dice, levels);

	for (uint32_t i = 1; i < FIRST; i++) {
		uint32_t j = 1 + weir_dice_below(&search->dice, i);
		uint16_t level = (uint16_t)((i * levels / (FIRST - 1) + turn) %
					    levels);

		model->first[i].level[axis] = model->first[j].level[axis];
		model->first[j].level[axis] = level;
	}
}

/* The first is level 0 of all: what the program does by itself. */
static void plan_first(struct weir_search *search)
{
	for (uint32_t a = 0; a < search->domain->count; a++)
		spread_levels(search, a);
}

static void model_close(struct weir_search *search)
{
	struct model *model = model_of(search);

	weir_gauss_free(model->gauss);
	free(model);
}

static int model_open(struct weir_search *search, const char **ret_lack)
{
	struct model *model = calloc(1, sizeof(*model));
	int err;

	if (!model)
		return -ENOMEM;
	search->own = model;
	err = weir_gauss_new(search->domain, &model->gauss);
	if (err == -ENOSYS)
		*ret_lack = "liblapacke3";
	if (err)
		model_close(search);
	else
		plan_first(search);
	return err;
}

static bool is_new(const struct weir_search *search,
		   const struct weir_domain_point *point)
{
	return !weir_trials_find(&search->trials, search->domain, point);
}

/* --- the model ---------------------------------------------------------- */

/* What failed is taken for as slow as what was slowest. */
static double slowest_log(const struct weir_trials *trials)
{
	double slowest = -HUGE_VAL;

	for (size_t i = 0; i < trials->count; i++)
		if (trials->list[i].end != WEIR_TRIALS_FAILED)
			slowest = fmax(slowest, log(trials->list[i].seconds));
	return slowest;
}

static int learn_trials(struct weir_search *search)
{
	const struct weir_trials *trials = &search->trials;
	struct weir_gauss *gauss = model_of(search)->gauss;
	double slowest = slowest_log(trials);

	weir_gauss_forget(gauss);
	for (size_t i = 0; i < trials->count; i++) {
		const struct weir_trial *trial = &trials->list[i];

		if (!isfinite(slowest) ||
		    !weir_gauss_add(gauss, &trial->point,
				    trial->end == WEIR_TRIALS_FAILED
					    ? slowest
					    : log(trial->seconds)))
			break;
	}
	return weir_gauss_fit(gauss);
}

/* Points that are looked at, and the best of them. */
struct choice {
	struct weir_search *search;
	struct weir_domain_point batch[WEIR_GAUSS_AT_ONCE];
	uint32_t count;
	double goal; /* to be less than */
	double hope;
	struct weir_domain_point best;
};

/* By how much less than the goal a value is expected to be. */
static double expected_gain(double goal, const struct weir_gauss_guess *guess)
{
	double gap = goal - guess->mean, z = gap / guess->spread;

	if (!(guess->spread > 0))
		return fmax(gap, 0);
	return gap * erfc(-z * M_SQRT1_2) / 2 +
	       guess->spread * exp(-z * z / 2) * M_2_SQRTPI * M_SQRT1_2 / 2;
}

static void judge_batch(struct choice *choice)
{
	struct weir_gauss_guess guesses[WEIR_GAUSS_AT_ONCE];
	struct weir_gauss *gauss = model_of(choice->search)->gauss;

	weir_gauss_predict(gauss, choice->batch, choice->count, guesses);
	for (uint32_t i = 0; i < choice->count; i++) {
		double hope = expected_gain(choice->goal, &guesses[i]);

		if (hope > choice->hope) {
			choice->hope = hope;
			choice->best = choice->batch[i];
		}
	}
	choice->count = 0;
}

static void look_at(struct choice *choice,
		    const struct weir_domain_point *point)
{
	if (!is_new(choice->search, point))
		return;
	choice->batch[choice->count++] = *point;
	if (choice->count == WEIR_GAUSS_AT_ONCE)
		judge_batch(choice);
}

static void look_around(struct choice *choice,
			const struct weir_domain_point *middle)
{
	const struct weir_domain *domain = choice->search->domain;

	for (uint32_t a = 0; a < domain->count; a++)
		for (uint16_t l = 0; l < domain->axes[a].levels; l++) {
			struct weir_domain_point point = *middle;

			point.level[a] = l;
			look_at(choice, &point);
		}
}

struct leader {
	struct weir_domain_point point;
	double mean;
};

static void insert_leader(struct leader *leaders,
			  const struct weir_domain_point *point, double mean)
{
	int place = LEADERS;

	while (place && mean < leaders[place - 1].mean)
		place--;
	if (place == LEADERS)
		return;
	for (int i = LEADERS - 1; i > place; i--)
		leaders[i] = leaders[i - 1];
	leaders[place] = (struct leader){ *point, mean };
}

/* Those that are thought to be fastest, whatever their one run said. */
static void find_leaders(struct weir_search *search, struct leader *leaders)
{
	const struct weir_trials *trials = &search->trials;
	struct weir_gauss_guess guess;

	for (int i = 0; i < LEADERS; i++)
		leaders[i].mean = HUGE_VAL;
	for (size_t i = 0; i < trials->count; i++) {
		if (trials->list[i].end != WEIR_TRIALS_DONE)
			continue;
		weir_gauss_predict(model_of(search)->gauss,
				   &trials->list[i].point, 1, &guess);
		insert_leader(leaders, &trials->list[i].point, guess.mean);
	}
}

/* Two changes at once: what one alone does not show. */
static void look_further(struct choice *choice,
			 const struct weir_domain_point *middle)
{
	struct weir_search *search = choice->search;
	struct weir_domain_point point;

	for (int i = 0; i < DRAWN / LEADERS; i++) {
		point = *middle;
		for (int change = 0; change < 2; change++)
			weir_domain_mutate(
				search->domain, &search->dice,
				weir_dice_below(&search->dice,
						search->domain->count),
				&point);
		look_at(choice, &point);
	}
}

static void choose(struct choice *choice)
{
	struct weir_search *search = choice->search;
	struct leader leaders[LEADERS];
	struct weir_domain_point point;

	find_leaders(search, leaders);
	choice->goal = leaders[0].mean;
	for (int i = 0; i < LEADERS && isfinite(leaders[i].mean); i++) {
		look_around(choice, &leaders[i].point);
		look_further(choice, &leaders[i].point);
	}
	for (int i = 0; i < DRAWN; i++) {
		weir_domain_draw(search->domain, &search->dice, &point);
		look_at(choice, &point);
	}
	if (choice->count)
		judge_batch(choice);
}

static int ask_model(struct weir_search *search,
		     struct weir_domain_point *ret_point)
{
	struct choice choice = { .search = search };
	struct model *model = model_of(search);

	/* Nothing ever ran: there is nothing to learn from. */
	if (learn_trials(search))
		return weir_search_random.ask(search, ret_point);
	choose(&choice);
	if (choice.hope > WORTHWHILE)
		model->hopeless = 0;
	else if (++model->hopeless > PATIENCE || !(choice.hope > 0))
		return -ENODATA;
	*ret_point = choice.best;
	return 0;
}

static int model_ask(struct weir_search *search,
		     struct weir_domain_point *ret_point)
{
	struct model *model = model_of(search);

	while (model->first_done < FIRST) {
		*ret_point = model->first[model->first_done++];
		if (is_new(search, ret_point))
			return 0;
	}
	if (++model->asked % ODD_ONE == 0)
		return weir_search_random.ask(search, ret_point);
	return ask_model(search, ret_point);
}

const struct weir_searcher weir_search_model = {
	.name = "model",
	.open = model_open,
	.ask = model_ask,
	.close = model_close,
};
