/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a datatype into runs of bytes without a hole. */
#include "layers/mpi/mpi_runs.h"

#include "base/sys.h"
#include "layers/mpi/mpi_made.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_shape.h"

#include <string.h>
#include <sys/mman.h>

#define DEEPEST	     16
#define MOST_RUNS    (1u << 20)
#define FEW_RUNS     256u
#define MOST_NUMBERS (1 << 20)

/* --- memory ------------------------------------------------------------- */

static void *get_pages(size_t bytes)
{
	long at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return weir_sys_failed(at) ? NULL : (void *)at;
}

static void let_pages_go(void *pages, size_t bytes)
{
	if (pages)
		weir_sys2(SYS_munmap, pages, bytes);
}

void weir_mpi_runs_free(struct weir_mpi_runs *runs)
{
	let_pages_go(runs->list, runs->room * sizeof(*runs->list));
	runs->list = NULL;
	runs->count = runs->room = 0;
}

static bool add_pages(struct weir_mpi_runs *runs)
{
	uint32_t room = runs->room ? runs->room * 4 : FEW_RUNS;
	struct weir_mpi_run *list;

	if (room > MOST_RUNS)
		return false;
	list = get_pages(room * sizeof(*list));
	if (!list)
		return false;
	if (runs->count)
		memcpy(list, runs->list, runs->count * sizeof(*list));
	let_pages_go(runs->list, runs->room * sizeof(*list));
	runs->list = list;
	runs->room = room;
	return true;
}

/* --- one after the other ------------------------------------------------ */

static bool put_run(struct weir_mpi_runs *runs, long from, long bytes)
{
	struct weir_mpi_run *last = runs->list + runs->count - 1;

	if (!bytes)
		return true;
	if (runs->count && last->from + last->bytes == from) {
		last->bytes += bytes;
		return true;
	}
	if (runs->count == runs->room && !add_pages(runs))
		return false;
	runs->list[runs->count++] = (struct weir_mpi_run){ from, bytes };
	return true;
}

/* Copies of a part, each an extent after the other. */
static bool lay(struct weir_mpi_runs *to, const struct weir_mpi_runs *part,
		long start, long copies)
{
	if (part->count == 1 && part->list[0].bytes == part->extent)
		return put_run(to, start + part->list[0].from,
			       copies > 0 ? copies * part->extent : 0);
	for (long i = 0; i < copies; i++)
		for (uint32_t k = 0; k < part->count; k++)
			if (!put_run(to,
				     start + i * part->extent +
					     part->list[k].from,
				     part->list[k].bytes))
				return false;
	return true;
}

static bool lay_blocks(struct weir_mpi_runs *to,
		       const struct weir_mpi_runs *part,
		       const struct weir_mpi_made *made)
{
	long stride = made->way == WEIR_MPI_VECTOR
			      ? made->number[2] * part->extent
			      : made->address[0];

	for (int i = 0; i < made->number[0]; i++)
		if (!lay(to, part, i * stride, made->number[1]))
			return false;
	return true;
}

static bool lay_indexed(struct weir_mpi_runs *to,
			const struct weir_mpi_runs *part,
			const struct weir_mpi_made *made)
{
	bool in_bytes = made->way == WEIR_MPI_HINDEXED ||
			made->way == WEIR_MPI_HINDEXED_BLOCK;
	bool alike = made->way == WEIR_MPI_INDEXED_BLOCK ||
		     made->way == WEIR_MPI_HINDEXED_BLOCK;
	int count = made->number[0];
	const int *lengths = made->number + 1;
	const int *places = alike ? made->number + 2 : lengths + count;

	for (int i = 0; i < count; i++)
		if (!lay(to, part,
			 in_bytes ? made->address[i] : places[i] * part->extent,
			 alike ? lengths[0] : lengths[i]))
			return false;
	return true;
}

/*
 * An array of which blocks are taken, in each dimension: `block` elements from
 * `first` on, and again each `step` later.
 */
struct dimension {
	long size, first, block, step;
};

struct array {
	int n;
	struct dimension of[DEEPEST]; /* from the slowest to the fastest */
};

/*
 * The last dimension is contiguous within a block; each one before it repeats
 * all that follow.
 */
static bool lay_dimension(struct weir_mpi_runs *to,
			  const struct weir_mpi_runs *part,
			  const struct array *a, int n, long element)
{
	const struct dimension *of = &a->of[n];

	element *= of->size;
	for (long at = of->first; at < of->size; at += of->step) {
		long block =
			of->size - at < of->block ? of->size - at : of->block;

		if (n == a->n - 1 &&
		    !lay(to, part, (element + at) * part->extent, block))
			return false;
		for (long i = 0; n < a->n - 1 && i < block; i++)
			if (!lay_dimension(to, part, a, n + 1,
					   element + at + i))
				return false;
	}
	return true;
}

/* As C counts dimensions, or from the other end. */
static int nth(int n, int i, int order)
{
	return order == weir_mpi_flavour.by_column ? n - 1 - i : i;
}

static bool lay_subarray(struct weir_mpi_runs *to,
			 const struct weir_mpi_runs *part,
			 const struct weir_mpi_made *made)
{
	int n = made->number[0];
	const int *sizes = made->number + 1, *parts = sizes + n;
	const int *starts = parts + n;
	struct array a = { .n = n };

	if (n > DEEPEST)
		return false;
	for (int i = 0; i < n; i++) {
		int k = nth(n, i, starts[n]);

		a.of[i] = (struct dimension){ sizes[k], starts[k], parts[k],
					      sizes[k] };
	}
	return lay_dimension(to, part, &a, 0, 0);
}

/* The part of one of `count` ranks that have a dimension between them. */
static struct dimension share(long size, int how, long block, int count,
			      int which)
{
	if (how == weir_mpi_flavour.undivided)
		return (struct dimension){ size, 0, size, size };
	if (block == weir_mpi_flavour.usual_block)
		block = how == weir_mpi_flavour.in_turns
				? 1
				: (size + count - 1) / count;
	return (struct dimension){ size, which * block, block, count * block };
}

static bool lay_darray(struct weir_mpi_runs *to,
		       const struct weir_mpi_runs *part,
		       const struct weir_mpi_made *made)
{
	int rank = made->number[1], n = made->number[2];
	const int *sizes = made->number + 3, *hows = sizes + n;
	const int *blocks = hows + n, *counts = blocks + n;
	struct array a = { .n = n };
	struct dimension all[DEEPEST];

	if (n > DEEPEST)
		return false;
	/* The ranks of the grid are always counted as C does. */
	for (int k = n - 1; k >= 0; k--) {
		all[k] = share(sizes[k], hows[k], blocks[k], counts[k],
			       rank % counts[k]);
		rank /= counts[k];
	}
	for (int i = 0; i < n; i++)
		a.of[i] = all[nth(n, i, counts[n])];
	return lay_dimension(to, part, &a, 0, 0);
}

/* --- by the way it was made --------------------------------------------- */

static bool make(long type, int depth, struct weir_mpi_runs *ret);

static bool lay_struct(struct weir_mpi_runs *to,
		       const struct weir_mpi_made *made, int depth)
{
	for (int i = 0; i < made->number[0]; i++) {
		struct weir_mpi_runs part;
		bool done =
			make(weir_mpi_handle_at(made->type, i), depth, &part) &&
			lay(to, &part, made->address[i], made->number[1 + i]);

		weir_mpi_runs_free(&part);
		if (!done)
			return false;
	}
	return true;
}

static bool lay_as_made(struct weir_mpi_runs *to,
			const struct weir_mpi_runs *part,
			const struct weir_mpi_made *made)
{
	switch (made->way) {
	case WEIR_MPI_DUP:
	case WEIR_MPI_RESIZED:
		return lay(to, part, 0, 1);
	case WEIR_MPI_CONTIGUOUS:
		return lay(to, part, 0, made->number[0]);
	case WEIR_MPI_VECTOR:
	case WEIR_MPI_HVECTOR:
		return lay_blocks(to, part, made);
	case WEIR_MPI_SUBARRAY:
		return lay_subarray(to, part, made);
	case WEIR_MPI_DARRAY:
		return lay_darray(to, part, made);
	default:
		return lay_indexed(to, part, made);
	}
}

static bool lay_made(struct weir_mpi_runs *to, const struct weir_mpi_made *made,
		     int depth)
{
	struct weir_mpi_runs part;
	bool done;

	if (made->way == WEIR_MPI_STRUCT)
		return lay_struct(to, made, depth);
	done = make(weir_mpi_handle_at(made->type, 0), depth, &part) &&
	       lay_as_made(to, &part, made);
	weir_mpi_runs_free(&part);
	return done;
}

/* With memory for all the numbers that it was made of. */
static bool read_and_lay(long type, struct weir_mpi_made *made, int depth,
			 struct weir_mpi_runs *ret)
{
	size_t words = (size_t)made->ints + (size_t)made->addresses +
		       (size_t)made->types;
	long *pages = get_pages(words * sizeof(long));
	bool done = false;

	if (!pages)
		return false;
	made->address = pages;
	made->type = pages + made->addresses;
	made->number = (int *)(made->type + made->types);
	if (weir_mpi_made_read(type, made)) {
		done = lay_made(ret, made, depth);
		weir_mpi_made_let_go(made);
	}
	let_pages_go(pages, words * sizeof(long));
	return done;
}

static bool make(long type, int depth, struct weir_mpi_runs *ret)
{
	struct weir_mpi_shape shape = weir_mpi_shape_measure(type);
	struct weir_mpi_made made;

	*ret = (struct weir_mpi_runs){ .size = shape.size,
				       .extent = shape.extent };
	if (!shape.size)
		return true;
	if (shape.runs == 1)
		return put_run(ret, shape.low, shape.size);
	if (depth > DEEPEST || !weir_mpi_made_ask(type, &made) ||
	    made.way == WEIR_MPI_NAMED || made.way == WEIR_MPI_OTHER ||
	    made.ints > MOST_NUMBERS || made.addresses > MOST_NUMBERS ||
	    made.types > MOST_NUMBERS)
		return false;
	return read_and_lay(type, &made, depth + 1, ret);
}

bool weir_mpi_runs_make(long type, struct weir_mpi_runs *ret)
{
	bool done = make(type, 0, ret);

	if (!done)
		weir_mpi_runs_free(ret);
	return done && ret->size > 0;
}

/* --- where data lie ------------------------------------------------------ */

/* Copies of the type make one row. */
static bool has_no_gap(const struct weir_mpi_runs *runs)
{
	return runs->count == 1 && runs->list[0].bytes == runs->extent;
}

/* A run that may become longer. */
struct pending {
	uint64_t place, bytes;
	weir_mpi_runs_visit *visit;
	void *with;
};

static bool pass_on(struct pending *p, uint64_t place, uint64_t bytes)
{
	if (p->place + p->bytes == place) {
		p->bytes += bytes;
		return true;
	}
	if (p->bytes && !p->visit(p->with, p->place, p->bytes))
		return false;
	p->place = place;
	p->bytes = bytes;
	return true;
}

/*
 * The file type is repeated without end from `disp`: a stretch begins within
 * one copy and may go on over many. Runs that touch are passed on as one.
 */
static void walk(const struct weir_mpi_runs *runs,
		 struct weir_mpi_stretch stretch, struct pending *pending)
{
	uint64_t copy = stretch.at / (uint64_t)runs->size;
	uint64_t skip = stretch.at % (uint64_t)runs->size;
	uint64_t left = stretch.bytes;

	for (uint32_t i = 0; left; i = i + 1 == runs->count ? 0 : i + 1) {
		const struct weir_mpi_run *run = &runs->list[i];
		uint64_t base =
			(uint64_t)(stretch.disp + (long)copy * runs->extent);
		uint64_t bytes = (uint64_t)run->bytes;

		copy += i + 1 == runs->count;
		if (skip >= bytes) {
			skip -= bytes;
			continue;
		}
		bytes -= skip;
		if (bytes > left)
			bytes = left;
		if (!pass_on(pending, base + (uint64_t)run->from + skip, bytes))
			return;
		left -= bytes;
		skip = 0;
	}
	pending->visit(pending->with, pending->place, pending->bytes);
}

void weir_mpi_runs_walk(const struct weir_mpi_runs *runs,
			struct weir_mpi_stretch stretch,
			weir_mpi_runs_visit *visit, void *with)
{
	struct pending pending = { .visit = visit, .with = with };

	if (!stretch.bytes)
		return;
	if (has_no_gap(runs))
		visit(with,
		      (uint64_t)(stretch.disp + runs->list[0].from) +
			      stretch.at,
		      stretch.bytes);
	else
		walk(runs, stretch, &pending);
}
