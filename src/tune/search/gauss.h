/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts values of points from those that were measured: a Gaussian process.
 * Steps of a quantity are alike when they are near (Matern 5/2); what stands
 * for itself is alike or not (Hamming); noise is learnt with the rest.
 */
#ifndef WEIR_SEARCH_GAUSS_H
#define WEIR_SEARCH_GAUSS_H

#include "tune/search/domain.h"

#define WEIR_GAUSS_POINTS 256 /* measured ones, at most */

struct weir_gauss;

/* -ENOSYS: LAPACK is not installed; -ENOMEM. The domain must stay. */
int weir_gauss_new(const struct weir_domain *domain,
		   struct weir_gauss **ret_gauss);
void weir_gauss_free(struct weir_gauss *gauss);

void weir_gauss_forget(struct weir_gauss *gauss);

/* False: there are as many as it can take. */
bool weir_gauss_add(struct weir_gauss *gauss,
		    const struct weir_domain_point *point, double value);

/* Learns what matters, from what it had learnt before. 0 or -EDOM. */
int weir_gauss_fit(struct weir_gauss *gauss);

struct weir_gauss_guess {
	double mean, spread; /* of the value without noise */
};

/* For `count` points, WEIR_GAUSS_AT_ONCE at most, after a fit. */
#define WEIR_GAUSS_AT_ONCE 128
void weir_gauss_predict(struct weir_gauss *gauss,
			const struct weir_domain_point *points, uint32_t count,
			struct weir_gauss_guess *ret_guesses);

/*
 * How much the value depends on an axis, beside others: above 0, of no unit.
 */
double weir_gauss_weight(const struct weir_gauss *gauss, uint32_t axis);

#endif
