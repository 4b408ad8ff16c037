/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads LAPACK. */
#include "tune/search/lapack.h"

#include <dlfcn.h>
#include <lapacke.h>
#include <stddef.h>

static __typeof__(LAPACKE_dpotrf_work) *dpotrf;
static __typeof__(LAPACKE_dpotrs_work) *dpotrs;
static __typeof__(LAPACKE_dtrtrs_work) *dtrtrs;

static int factor(double *matrix, int n)
{
	return dpotrf(LAPACK_COL_MAJOR, 'U', n, matrix, n);
}

static void solve(const double *matrix, int n, double *vector)
{
	dpotrs(LAPACK_COL_MAJOR, 'U', n, 1, matrix, n, vector, n);
}

static void solve_half(const double *matrix, int n, double *columns, int count)
{
	dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', n, count, matrix, n, columns,
	       n);
}

/* It stays loaded: threads of its own may run. */
const struct weir_lapack *weir_lapack_load(void)
{
	static const struct weir_lapack lapack = {
		.factor = factor,
		.solve = solve,
		.solve_half = solve_half,
	};
	void *library = dlopen("liblapacke.so.3", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return NULL;
	dpotrf = dlsym(library, "LAPACKE_dpotrf_work");
	dpotrs = dlsym(library, "LAPACKE_dpotrs_work");
	dtrtrs = dlsym(library, "LAPACKE_dtrtrs_work");
	return dpotrf && dpotrs && dtrtrs ? &lapack : NULL;
}
