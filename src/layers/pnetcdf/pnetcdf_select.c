/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what part of a variable a call is about, and in how many pieces. */
#include "layers/pnetcdf/pnetcdf_select.h"

void weir_pnetcdf_select_start(struct weir_pnetcdf_select *sel, int rank)
{
	*sel = (struct weir_pnetcdf_select){ .rank = rank };
}

static int64_t count_at(const int64_t *count, int d)
{
	return count ? count[d] : 1;
}

static int64_t stride_at(const int64_t *stride, int d)
{
	return stride ? stride[d] : 1;
}

/* Counts below 0 are the library's to refuse. */
static uint64_t elements_of(int rank, const int64_t *count)
{
	uint64_t elements = 1;

	for (int d = 0; d < rank; d++)
		if (count_at(count, d) <= 0)
			return 0;
		else
			elements *= (uint64_t)count_at(count, d);
	return elements;
}

/*
 * From the last dimension on, as long as all of it is taken one piece goes on
 * into the next row; from then on every further row is a piece of its own.
 */
static uint64_t runs_of(const struct weir_pnetcdf_shape *shape,
			const int64_t *count, const int64_t *stride)
{
	uint64_t runs = 1;
	bool joined = true;

	if (shape->rank > WEIR_PNETCDF_DIMS)
		return 0;
	for (int d = shape->rank - 1; d >= 0; d--) {
		int64_t many = count_at(count, d);
		bool apart =
			stride_at(stride, d) != 1 || (d == 0 && shape->record);

		if (many > 1 && (!joined || apart))
			runs *= (uint64_t)many;
		joined = joined && !apart && many == shape->dims[d];
	}
	return runs;
}

static void stretch(struct weir_pnetcdf_select *sel, const int64_t *start,
		    const int64_t *count, const int64_t *stride)
{
	for (int d = 0; d < sel->rank && d < WEIR_PNETCDF_DIMS; d++) {
		int64_t step = stride_at(stride, d);
		int64_t low = start ? start[d] : 0;
		int64_t high = low + (count_at(count, d) - 1) * step + 1;

		if (!sel->boxes || low < sel->low[d])
			sel->low[d] = low;
		if (!sel->boxes || high > sel->high[d])
			sel->high[d] = high;
		sel->stride[d] = sel->boxes ? 1 : step;
	}
}

void weir_pnetcdf_select_add(struct weir_pnetcdf_select *sel,
			     const struct weir_pnetcdf_shape *shape,
			     const int64_t *start, const int64_t *count,
			     const int64_t *stride)
{
	uint64_t elements = elements_of(sel->rank, count);

	if (!elements)
		return;
	stretch(sel, start, count, stride);
	sel->elements += elements;
	sel->runs += runs_of(shape, count, stride);
	sel->boxes++;
}

static size_t spell_number(char *text, size_t used, int64_t value)
{
	char digits[20];
	size_t n = 0;
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;

	if (value < 0)
		text[used++] = '-';
	do {
		digits[n++] = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	while (n)
		text[used++] = digits[--n];
	return used;
}

#define LONGEST_DIM 64 /* three numbers, their signs and a comma */

static size_t spell_dim(const struct weir_pnetcdf_select *sel, int d,
			char *text, size_t used)
{
	int64_t step = sel->stride[d] ? sel->stride[d] : 1;

	if (d)
		text[used++] = ',';
	used = spell_number(text, used, sel->low[d]);
	text[used++] = '+';
	used = spell_number(text, used,
			    (sel->high[d] - sel->low[d] - 1) / step + 1);
	if (step != 1) {
		text[used++] = '*';
		used = spell_number(text, used, step);
	}
	return used;
}

size_t weir_pnetcdf_select_spell(const struct weir_pnetcdf_select *sel,
				 char text[WEIR_PNETCDF_SPELLED])
{
	size_t used = 0;
	int d = 0;

	while (sel->boxes && d < sel->rank && d < WEIR_PNETCDF_DIMS &&
	       used + LONGEST_DIM + 4 <= WEIR_PNETCDF_SPELLED)
		used = spell_dim(sel, d++, text, used);
	for (int dots = 0; sel->boxes && d < sel->rank && dots < 3; dots++)
		text[used++] = '.';
	text[used] = 0;
	return used;
}
