/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts values of points from those that were measured. */
#include "tune/search/gauss.h"

#include "tune/search/lapack.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST   WEIR_GAUSS_POINTS
#define STEP_LENGTH 0.5 /* how far values of a quantity are alike */
#define JITTER 1e-8 /* keeps the matrix positive where points are the same */

/* Logs of what is learnt. */
struct matter {
	double axis[WEIR_DOMAIN_AXES]; /* how much one matters */
	double sum, product, noise;    /* variances */
};

/*
 * What is thought of them before anything is known: one of the axes explains
 * most, and runs differ by some per cent.
 */
struct belief {
	double mean, spread;
};

static const struct belief axis_belief = { -1.5, 1.5 }, sum_belief = { 0, 1 },
  product_belief = { -1, 1 }, noise_belief = { -4.5, 1.5 };

struct weir_gauss {
	const struct weir_domain *domain;
	const struct weir_lapack *lapack;
	struct matter matter;
	struct weir_domain_point points[MOST];
	double values[MOST];	 /* as told */
	double wanted[MOST];	 /* of mean 0 and variance 1 */
	double weights[MOST];	 /* of the points in a prediction */
	double lower[MOST * MOST]; /* factor of the covariances, by rows */
	double mean, spread;	 /* of the values */
	double columns[WEIR_GAUSS_AT_ONCE * MOST]; /* of what is predicted */
	double *alike[WEIR_DOMAIN_AXES]; /* so many steps from each other */
	uint32_t count;
};

static double matern(double distance)
{
	double far = sqrt(5) * distance;

	return (1 + far + far * far / 3) * exp(-far);
}

/* The whole of an axis has length 1. */
static double step_distance(const struct weir_domain_axis *axis,
			    unsigned steps)
{
	return (double)steps / (axis->levels - 1 - axis->steps_from) /
	       STEP_LENGTH;
}

/* NULL: there is no memory. */
static double *tabulate_axis(const struct weir_domain_axis *axis)
{
	double *alike = calloc(axis->levels, sizeof(*alike));
	int most = axis->levels - 1 - axis->steps_from;

	for (int steps = 1; alike && steps <= most; steps++)
		alike[steps] = matern(step_distance(axis, (unsigned)steps));
	return alike;
}

/* They are asked for a million times in each proposal. */
static int tabulate(struct weir_gauss *gauss)
{
	for (uint32_t a = 0; a < gauss->domain->count; a++) {
		gauss->alike[a] = tabulate_axis(&gauss->domain->axes[a]);
		if (!gauss->alike[a])
			return -ENOMEM;
	}
	return 0;
}

static void begin_matter(struct matter *matter)
{
	for (uint32_t a = 0; a < WEIR_DOMAIN_AXES; a++)
		matter->axis[a] = axis_belief.mean;
	matter->sum = sum_belief.mean;
	matter->product = product_belief.mean;
	matter->noise = noise_belief.mean;
}

int weir_gauss_new(const struct weir_domain *domain,
		   struct weir_gauss **ret_gauss)
{
	const struct weir_lapack *lapack = weir_lapack_load();
	struct weir_gauss *gauss;

	if (!lapack)
		return -ENOSYS;
	gauss = calloc(1, sizeof(*gauss));
	if (!gauss)
		return -ENOMEM;
	gauss->domain = domain;
	gauss->lapack = lapack;
	begin_matter(&gauss->matter);
	if (tabulate(gauss)) {
		weir_gauss_free(gauss);
		return -ENOMEM;
	}
	*ret_gauss = gauss;
	return 0;
}

void weir_gauss_free(struct weir_gauss *gauss)
{
	if (!gauss)
		return;
	for (uint32_t a = 0; a < WEIR_DOMAIN_AXES; a++)
		free(gauss->alike[a]);
	free(gauss);
}

void weir_gauss_forget(struct weir_gauss *gauss)
{
	gauss->count = 0;
}

bool weir_gauss_add(struct weir_gauss *gauss,
		    const struct weir_domain_point *point, double value)
{
	if (gauss->count == MOST)
		return false;
	gauss->points[gauss->count] = *point;
	gauss->values[gauss->count++] = value;
	return true;
}

/* --- how alike points are ----------------------------------------------- */

/* The same as they enter covariances. */
struct factors {
	double axis[WEIR_DOMAIN_AXES];
	double sum, product, all;
};

static void find_factors(const struct weir_gauss *gauss,
			 const struct matter *matter, struct factors *factors)
{
	double axes = 0;

	factors->sum = exp(matter->sum);
	factors->product = exp(matter->product);
	for (uint32_t a = 0; a < gauss->domain->count; a++) {
		factors->axis[a] = exp(matter->axis[a]);
		axes += factors->axis[a];
	}
	factors->all = factors->sum * axes + factors->product;
}

/*
 * Each axis adds what it does by itself, and all together what it does with the
 * others: an axis that does not matter does neither.
 */
static double covariance(const struct weir_gauss *gauss,
			 const struct factors *factors,
			 const struct weir_domain_point *one,
			 const struct weir_domain_point *other)
{
	double alone = 0, near = 0, unlike = 0;

	for (uint32_t a = 0; a < gauss->domain->count; a++) {
		const struct weir_domain_axis *axis = &gauss->domain->axes[a];
		unsigned i = one->level[a], j = other->level[a];

		if (i == j) {
			alone += factors->axis[a];
		} else if (i < axis->steps_from || j < axis->steps_from) {
			unlike += factors->axis[a];
		} else {
			unsigned steps = i > j ? i - j : j - i;
			double far = factors->axis[a] *
				     step_distance(axis, steps);

			alone += factors->axis[a] * gauss->alike[a][steps];
			near += far * far;
		}
	}
	return factors->sum * alone +
	       factors->product * matern(sqrt(near)) * exp(-unlike);
}

/* --- learning ----------------------------------------------------------- */

static void take_mean_away(struct weir_gauss *gauss)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < gauss->count; i++)
		sum += gauss->values[i];
	gauss->mean = sum / gauss->count;
	for (uint32_t i = 0; i < gauss->count; i++) {
		double off = gauss->values[i] - gauss->mean;

		squares += off * off;
	}
	gauss->spread = sqrt(squares / gauss->count);
	if (!(gauss->spread > 0))
		gauss->spread = 1;
	for (uint32_t i = 0; i < gauss->count; i++)
		gauss->wanted[i] =
			(gauss->values[i] - gauss->mean) / gauss->spread;
}

/* -EDOM: it cannot be factored. */
static int factor_covariances(struct weir_gauss *gauss,
			      const struct matter *matter)
{
	uint32_t n = gauss->count;
	double noise = exp(matter->noise) + JITTER;
	struct factors factors;

	find_factors(gauss, matter, &factors);
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < i; j++)
			gauss->lower[i * n + j] =
				covariance(gauss, &factors, &gauss->points[i],
					   &gauss->points[j]);
		gauss->lower[i * n + i] = factors.all + noise;
	}
	/* By columns it is the upper half of the same. */
	return gauss->lapack->factor(gauss->lower, (int)n) ? -EDOM : 0;
}

static void find_weights(struct weir_gauss *gauss)
{
	memcpy(gauss->weights, gauss->wanted,
	       gauss->count * sizeof(gauss->wanted[0]));
	gauss->lapack->solve(gauss->lower, (int)gauss->count, gauss->weights);
}

static double doubt(double value, const struct belief *belief)
{
	double off = (value - belief->mean) / belief->spread;

	return off * off / 2;
}

/* How unlikely the values are with this; HUGE_VAL: it makes no sense. */
static double unlikelihood(struct weir_gauss *gauss,
			   const struct matter *matter)
{
	double sum = doubt(matter->sum, &sum_belief) +
		     doubt(matter->product, &product_belief) +
		     doubt(matter->noise, &noise_belief);

	if (factor_covariances(gauss, matter))
		return HUGE_VAL;
	find_weights(gauss);
	for (uint32_t i = 0; i < gauss->count; i++)
		sum += gauss->wanted[i] * gauss->weights[i] / 2 +
		       log(gauss->lower[i * gauss->count + i]);
	for (uint32_t a = 0; a < gauss->domain->count; a++)
		sum += doubt(matter->axis[a], &axis_belief);
	return sum;
}

struct descent {
	struct weir_gauss *gauss;
	struct matter best;
	double value;
};

static bool try_change(struct descent *descent, double *number, double step)
{
	double before = *number, value;

	*number = before + step;
	value = unlikelihood(descent->gauss, &descent->best);
	if (value < descent->value) {
		descent->value = value;
		return true;
	}
	*number = before;
	return false;
}

static void improve_number(struct descent *descent, double *number,
			   double step)
{
	if (!try_change(descent, number, step))
		try_change(descent, number, -step);
}

/* One number after the other: it starts near where it ended before. */
static void descend(struct descent *descent)
{
	const struct weir_domain *domain = descent->gauss->domain;

	for (double step = 0.8; step > 0.3; step /= 2) {
		improve_number(descent, &descent->best.noise, step);
		improve_number(descent, &descent->best.sum, step);
		improve_number(descent, &descent->best.product, step);
		for (uint32_t a = 0; a < domain->count; a++)
			if (weir_domain_is_free(domain, a))
				improve_number(descent, &descent->best.axis[a],
					       step);
	}
}

int weir_gauss_fit(struct weir_gauss *gauss)
{
	struct descent descent = { .gauss = gauss, .best = gauss->matter };

	if (!gauss->count)
		return -EDOM;
	take_mean_away(gauss);
	descent.value = unlikelihood(gauss, &descent.best);
	descend(&descent);
	gauss->matter = descent.best;
	if (factor_covariances(gauss, &gauss->matter))
		return -EDOM;
	find_weights(gauss);
	return 0;
}

double weir_gauss_weight(const struct weir_gauss *gauss, uint32_t axis)
{
	return exp(gauss->matter.axis[axis]);
}

/* --- predicting --------------------------------------------------------- */

/* What the measured ones have in common with a point, and its mean. */
static double compare_point(const struct weir_gauss *gauss,
			    const struct factors *factors,
			    const struct weir_domain_point *point,
			    double *column)
{
	double mean = 0;

	for (uint32_t i = 0; i < gauss->count; i++) {
		column[i] = covariance(gauss, factors, point,
				       &gauss->points[i]);
		mean += column[i] * gauss->weights[i];
	}
	return mean;
}

static double squares_of(const double *column, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += column[i] * column[i];
	return sum;
}

void weir_gauss_predict(struct weir_gauss *gauss,
			const struct weir_domain_point *points, uint32_t count,
			struct weir_gauss_guess *ret_guesses)
{
	uint32_t n = gauss->count;
	struct factors factors;

	find_factors(gauss, &gauss->matter, &factors);
	for (uint32_t p = 0; p < count; p++)
		ret_guesses[p].mean =
			gauss->mean +
			gauss->spread * compare_point(gauss, &factors,
						      &points[p],
						      &gauss->columns[p * n]);
	gauss->lapack->solve_half(gauss->lower, (int)n, gauss->columns,
				  (int)count);
	for (uint32_t p = 0; p < count; p++) {
		double left = factors.all -
			      squares_of(&gauss->columns[p * n], n);

		ret_guesses[p].spread = gauss->spread * sqrt(fmax(left, 0));
	}
}
