/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Borrows what is needed of LAPACK when it is needed: loading it takes longer
 * than most that weir does.
 */
#ifndef WEIR_SEARCH_LAPACK_H
#define WEIR_SEARCH_LAPACK_H

/* Matrices are n by n, and by columns. */
struct weir_lapack {
	/*
	 * Of a symmetric matrix, of which only the upper half is looked at:
	 * the factor U with U'U the matrix, in its place. Not 0: it has none.
	 */
	int (*factor)(double *matrix, int n);
	/* vector = (U'U)^-1 vector */
	void (*solve)(const double *factor, int n, double *vector);
	/* Each column = U'^-1 column */
	void (*solve_half)(const double *factor, int n, double *columns,
			   int count);
};

/* NULL: it is not installed. */
const struct weir_lapack *weir_lapack_load(void);

#endif
