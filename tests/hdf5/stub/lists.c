/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Property lists of the stand-in, as far as who sets something from outside
 * needs them: each has an alignment, sides of chunks, a cache and a buffer.
 */
#include "stub.h"

#include <stdio.h>

#define ROOM 64

/* What a list says; the first two of the room are nobody's. */
static struct list {
	bool is_open;
	hsize_t alignment, chunk, slots, buffer;
} lists[ROOM] = { { .is_open = true }, { .is_open = true } };

EXPORT hid_t H5P_CLS_FILE_ACCESS_ID_g = -1, H5P_CLS_FILE_CREATE_ID_g = -1,
	     H5P_CLS_DATASET_CREATE_ID_g = -1,
	     H5P_CLS_DATASET_ACCESS_ID_g = -1, H5P_CLS_DATASET_XFER_ID_g = -1;

/* Until it is opened, a library has no classes. */
EXPORT int H5open(void)
{
	H5P_CLS_FILE_ACCESS_ID_g = H5P_CLS_FILE_CREATE_ID_g =
		H5P_CLS_DATASET_CREATE_ID_g = H5P_CLS_DATASET_ACCESS_ID_g =
			H5P_CLS_DATASET_XFER_ID_g = AT(LISTS, ROOM);
	return 0;
}

static struct list *list_of(hid_t id)
{
	hid_t n = id & ~AT(0xff, 0);

	return KIND(id) == LISTS && n < ROOM && lists[n].is_open ? &lists[n]
								 : NULL;
}

static hid_t add(struct list list)
{
	for (int i = 2; i < ROOM; i++)
		if (!lists[i].is_open) {
			lists[i] = list;
			lists[i].is_open = true;
			return AT(LISTS, i);
		}
	return -1;
}

EXPORT hid_t H5Pcreate(hid_t class)
{
	return class == AT(LISTS, ROOM) ?
		       add((struct list){ .alignment = 1, .slots = 521,
					  .buffer = 1 << 20 }) :
		       -1;
}

EXPORT hid_t H5Pcopy(hid_t id)
{
	return list_of(id) ? add(*list_of(id)) : -1;
}

EXPORT int H5Pclose(hid_t id)
{
	if (list_of(id) > &lists[1])
		list_of(id)->is_open = false;
	return 0;
}

EXPORT int stub_open_lists(void)
{
	int open = -2;

	for (int i = 0; i < ROOM; i++)
		open += lists[i].is_open;
	return open;
}

/* Prints what a call is given, and whether it can be used. */
bool stub_takes(const char *call, hid_t id)
{
	struct list *list = list_of(id);

	if (id && list)
		printf("%s: alignment %d, chunk %d, slots %d, buffer %d\n",
		       call, (int)list->alignment, (int)list->chunk,
		       (int)list->slots, (int)list->buffer);
	return !id || (list && list->alignment != 13);
}

EXPORT int H5Pset_alignment(hid_t id, hsize_t threshold, hsize_t alignment)
{
	list_of(id)->alignment = alignment;
	return 0;
}

EXPORT int H5Pget_alignment(hid_t id, hsize_t *threshold, hsize_t *alignment)
{
	*threshold = 1;
	*alignment = list_of(id)->alignment;
	return 0;
}

EXPORT int H5Pset_chunk(hid_t id, int rank, const hsize_t *sides)
{
	list_of(id)->chunk = sides[0];
	return rank == 1 ? 0 : -1;
}

EXPORT int H5Pget_chunk(hid_t id, int room, hsize_t *sides)
{
	if (!list_of(id) || !list_of(id)->chunk)
		return 0;
	sides[0] = list_of(id)->chunk;
	return 1;
}

EXPORT int H5Pget_layout(hid_t id)
{
	if (KIND(id) != LISTS)
		return -1;
	return list_of(id) && list_of(id)->chunk ? 2 : 1;
}

EXPORT int H5Pset_chunk_cache(hid_t id, size_t slots, size_t bytes, double w0)
{
	list_of(id)->slots = slots;
	return 0;
}

EXPORT int H5Pget_chunk_cache(hid_t id, size_t *slots, size_t *bytes,
			      double *w0)
{
	*slots = list_of(id)->slots;
	*bytes = 0;
	*w0 = 0.75;
	return 0;
}

EXPORT int H5Pset_buffer(hid_t id, size_t size, void *tconv, void *bkg)
{
	list_of(id)->buffer = size;
	return 0;
}

EXPORT size_t H5Pget_buffer(hid_t id, void **tconv, void **bkg)
{
	return list_of(id)->buffer;
}

EXPORT int H5Pget_nfilters(hid_t id)
{
	return 0;
}

EXPORT int H5Pget_external_count(hid_t id)
{
	return 0;
}

EXPORT hid_t H5Pget_driver(hid_t id)
{
	return -1;
}

/* What it has no name for. */
EXPORT int H5Pget(hid_t id, const char *name, void *to)
{
	return -1;
}

EXPORT int H5Pset(hid_t id, const char *name, const void *from)
{
	return -1;
}

/* Of a file or a dataset that is open, nothing is asked here. */
EXPORT hid_t H5Fget_access_plist(hid_t id)
{
	return -1;
}

EXPORT hid_t H5Dget_access_plist(hid_t id)
{
	return -1;
}
