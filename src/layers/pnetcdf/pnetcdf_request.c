/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the transfers that were asked for and not waited for yet. */
#include "layers/pnetcdf/pnetcdf_request.h"

#include "layers/book.h"
#include "layers/pnetcdf/pnetcdf_file.h"

#include <stdatomic.h>
#include <stddef.h>

static struct weir_book book;
static struct weir_pnetcdf_request requests[WEIR_BOOK_ROOM];

/* Numbers begin at 0, which is no id, and so do files. */
uint64_t weir_pnetcdf_request_id(int ncid, int number)
{
	return (uint64_t)(uint32_t)(ncid + 1) << 32 | (uint32_t)number;
}

/* The file knows between which numbers all that is not done lies. */
static void widen(struct weir_pnetcdf_file *file, int number)
{
	if (!file->requests++)
		file->low = file->high = number;
	if (number < file->low)
		file->low = number;
	if (number > file->high)
		file->high = number;
}

void weir_pnetcdf_request_add(const struct weir_pnetcdf_request *request)
{
	struct weir_pnetcdf_file *file = weir_pnetcdf_file_find(request->ncid);
	uint32_t at = weir_book_find(&book, request->id);
	bool is_new = at == WEIR_BOOK_NONE;

	if (is_new)
		at = weir_book_add(&book, request->id);
	if (!file || at == WEIR_BOOK_NONE)
		return;
	requests[at] = *request;
	if (is_new)
		widen(file, request->number);
}

struct chain {
	uint32_t first, last;
};

static void join_chain(struct chain *chain, int ncid, int number,
		       uint32_t place)
{
	uint32_t at =
		weir_book_find(&book, weir_pnetcdf_request_id(ncid, number));

	if (at == WEIR_BOOK_NONE || at == chain->last)
		return;
	requests[at].next = WEIR_PNETCDF_NONE;
	requests[at].place = place;
	if (chain->first == WEIR_PNETCDF_NONE)
		chain->first = at;
	else
		requests[chain->last].next = at;
	chain->last = at;
}

static bool is_wanted_request(int many, int ncid, int number)
{
	uint32_t at =
		weir_book_find(&book, weir_pnetcdf_request_id(ncid, number));

	return at != WEIR_BOOK_NONE &&
	       (many == WEIR_PNETCDF_ALL ||
		requests[at].writes == (many == WEIR_PNETCDF_ALL_WRITES));
}

static void join_all(struct chain *chain, int ncid, int many)
{
	const struct weir_pnetcdf_file *file = weir_pnetcdf_file_find(ncid);

	if (!file || !file->requests)
		return;
	for (int64_t i = file->low; i <= file->high; i++)
		if (is_wanted_request(many, ncid, (int)i))
			join_chain(chain, ncid, (int)i, 0);
}

uint32_t weir_pnetcdf_request_chain(int ncid, int many, const int *numbers)
{
	struct chain chain = { WEIR_PNETCDF_NONE, WEIR_PNETCDF_NONE };

	if (many < 0)
		join_all(&chain, ncid, many);
	for (int i = 0; numbers && i < many; i++)
		join_chain(&chain, ncid, numbers[i], (uint32_t)i);
	return chain.first;
}

const struct weir_pnetcdf_request *weir_pnetcdf_request_get(uint32_t at)
{
	return at < WEIR_BOOK_ROOM ? &requests[at] : NULL;
}

uint32_t weir_pnetcdf_request_remove(uint32_t at)
{
	struct weir_pnetcdf_file *file =
		weir_pnetcdf_file_find(requests[at].ncid);

	weir_book_remove(&book, requests[at].id);
	if (file && file->requests)
		file->requests--;
	return requests[at].next;
}

void weir_pnetcdf_request_drop(int ncid)
{
	uint32_t at = weir_pnetcdf_request_chain(ncid, WEIR_PNETCDF_ALL, NULL);

	while (at != WEIR_PNETCDF_NONE)
		at = weir_pnetcdf_request_remove(at);
}
