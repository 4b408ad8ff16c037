/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads datasets and attributes by a plain HDF5 that is looked for now: weir is
 * not linked with it. Elements are in the type of the file, packed.
 */
#include "verify/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANK   32
#define BUFFER ((uint64_t)4 << 20)
#define CHUNKS ((uint64_t)128 << 20) /* at most, for whole rows of chunks */

enum { CONTIGUOUS = 1, CHUNKED = 2, VIRTUAL = 3 }; /* of H5Pget_layout() */
enum { NEVER = 1 }; /* of H5Pget_fill_time() */
enum { UNDEFINED, USUAL }; /* of H5Pfill_value_defined() */
enum { STRING = 3, REFERENCE = 7, VARIABLE = 9 }; /* of H5Tdetect_class() */

typedef int64_t id;

/* Functions of the library, in the order of `symbols`. */
struct weir_source_hdf5 {
	void *library;
	int (*open)(void);
	int (*version)(unsigned *, unsigned *, unsigned *);
	int (*hush)(id, void *, void *);
	id (*file_open)(const char *, unsigned, id);
	int (*file_close)(id);
	id (*data_open)(id, const char *, id);
	id (*data_type)(id);
	id (*data_space)(id);
	id (*data_list)(id);
	int (*data_read)(id, id, id, id, id, void *);
	int (*data_close)(id);
	id (*attr_open)(id, const char *, const char *, id, id);
	id (*attr_type)(id);
	id (*attr_space)(id);
	int (*attr_read)(id, id, void *);
	int (*attr_close)(id);
	id (*type_copy)(id);
	int (*type_pack)(id);
	size_t (*type_size)(id);
	int (*type_close)(id);
	int (*space_rank)(id);
	int (*space_dims)(id, uint64_t *, uint64_t *);
	int64_t (*space_points)(id);
	id (*space_simple)(int, const uint64_t *, const uint64_t *);
	int (*space_select)(id, int, const uint64_t *, const uint64_t *,
			    const uint64_t *, const uint64_t *);
	int (*space_close)(id);
	int (*list_fill)(id, id, void *);
	int (*list_has_fill)(id, int *);
	int (*list_layout)(id);
	int (*list_chunk)(id, int, uint64_t *);
	int (*list_close)(id);
	int (*list_fill_time)(id, int *);
	int (*list_external)(id);
	int (*type_detect)(id, int);
	/* Of one of several names, so not in the list. */
	int (*visit)(id, int, int, int (*)(id, const char *, const void *,
					   void *), void *);
	char name[4096]; /* of the file that is open */
	id file;	 /* -1: none */
	const char *fault;
	enum weir_fill filled; /* of the last scan */
};

static const char *const symbols[] = {
	"H5open", "H5get_libversion", "H5Eset_auto2", "H5Fopen", "H5Fclose",
	"H5Dopen2", "H5Dget_type", "H5Dget_space", "H5Dget_create_plist",
	"H5Dread", "H5Dclose", "H5Aopen_by_name", "H5Aget_type",
	"H5Aget_space", "H5Aread", "H5Aclose", "H5Tcopy", "H5Tpack",
	"H5Tget_size", "H5Tclose", "H5Sget_simple_extent_ndims",
	"H5Sget_simple_extent_dims", "H5Sget_simple_extent_npoints",
	"H5Screate_simple", "H5Sselect_hyperslab", "H5Sclose",
	"H5Pget_fill_value", "H5Pfill_value_defined", "H5Pget_layout",
	"H5Pget_chunk", "H5Pclose", "H5Pget_fill_time",
	"H5Pget_external_count", "H5Tdetect_class",
};

/* Newer libraries have two of them. */
static const char *const visits[] = { "H5Lvisit2", "H5Lvisit1", "H5Lvisit" };

/* Serial ones first: those of an MPI bring that along. */
static const char *const libraries[] = {
	"libhdf5_serial.so.103", "libhdf5_serial.so.310",
	"libhdf5_serial.so.200", "libhdf5_serial.so.100",
	"libhdf5_serial.so", "libhdf5.so.103", "libhdf5.so.310",
	"libhdf5.so.320", "libhdf5.so.200", "libhdf5.so.100", "libhdf5.so",
	"libhdf5_mpich.so.103", "libhdf5_openmpi.so.103",
};

/* Since 1.10 an id is a number of 64 bits. */
static bool is_usable(struct weir_source_hdf5 *h)
{
	void **slot = (void **)&h->open;
	unsigned major = 0, minor = 0, release = 0;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		slot[i] = dlsym(h->library, symbols[i]);
		if (!slot[i])
			return false;
	}
	if (h->version(&major, &minor, &release) < 0 ||
	    major * 100 + minor < 110 || h->open() < 0)
		return false;
	for (size_t i = 0; i < 3 && !h->visit; i++)
		*(void **)&h->visit = dlsym(h->library, visits[i]);
	h->hush(0, NULL, NULL);
	return h->visit != NULL;
}

struct weir_source_hdf5 *weir_source_hdf5_new(void)
{
	struct weir_source_hdf5 *h = calloc(1, sizeof(*h));

	/* Some file systems know no locks; nobody writes any more. */
	setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
	for (size_t i = 0;
	     h && i < sizeof(libraries) / sizeof(*libraries); i++) {
		h->library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
		h->file = -1;
		if (h->library && is_usable(h))
			return h;
		if (h->library)
			dlclose(h->library);
	}
	free(h);
	return NULL;
}

const char *weir_source_hdf5_fault(const struct weir_source_hdf5 *hdf5)
{
	return hdf5->fault;
}

static int fail_scan(struct weir_source_hdf5 *h, const char *why)
{
	h->fault = why;
	return -EBADMSG;
}

static int pass_by(id group, const char *name, const void *info, void *data)
{
	(void)group;
	(void)name;
	(void)info;
	(void)data;
	return 0;
}

/* What can be opened by its name may still be lost for who looks around. */
static int look_around(struct weir_source_hdf5 *h)
{
	if (h->visit(h->file, 0, 0, pass_by, NULL) >= 0)
		return 0;
	h->file_close(h->file);
	h->file = -1;
	return fail_scan(h, "HDF5 cannot list what is in the file");
}

static int need_file(struct weir_source_hdf5 *h, const char *path)
{
	if (h->file >= 0 && !strcmp(h->name, path))
		return 0;
	if (h->file >= 0)
		h->file_close(h->file);
	snprintf(h->name, sizeof(h->name), "%s", path);
	h->file = h->file_open(path, 0, 0);
	return h->file < 0 ? fail_scan(h, "HDF5 cannot open the file")
			   : look_around(h);
}

/* What is read: its type packed, its shape, and what stands for nothing. */
struct target {
	id data; /* or an attribute, */
	id attribute;
	id type, space;
	uint64_t dims[RANK];
	int rank;
	uint64_t element, points;
	uint64_t rows; /* of a chunk; 0: there are none */
	uint8_t *fill; /* one element; NULL: zeros */
};

static void close_target(struct weir_source_hdf5 *h, struct target *t)
{
	if (t->type >= 0)
		h->type_close(t->type);
	if (t->space >= 0)
		h->space_close(t->space);
	if (t->data >= 0)
		h->data_close(t->data);
	if (t->attribute >= 0)
		h->attr_close(t->attribute);
	free(t->fill);
}

static void open_target(struct weir_source_hdf5 *h, const char *inside,
			struct target *t)
{
	const char *at = strrchr(inside, '@');
	char path[4096];

	/* Names of datasets may have that sign too. */
	t->data = h->data_open(h->file, inside, 0);
	if (t->data >= 0 || !at)
		return;
	snprintf(path, sizeof(path), "%.*s", (int)(at - inside), inside);
	t->attribute = h->attr_open(h->file, *path ? path : "/", at + 1, 0, 0);
}

static int learn_shape(struct weir_source_hdf5 *h, struct target *t)
{
	int64_t points;

	t->space = t->data >= 0 ? h->data_space(t->data)
				: h->attr_space(t->attribute);
	if (t->space < 0)
		return -EBADMSG;
	t->rank = h->space_rank(t->space);
	points = h->space_points(t->space);
	if (t->rank < 0 || t->rank > RANK || points < 0 ||
	    (t->rank && h->space_dims(t->space, t->dims, NULL) < 0))
		return -EBADMSG;
	t->points = (uint64_t)points;
	return 0;
}

/* Gaps between members hold whatever they held in memory. */
static int learn_type(struct weir_source_hdf5 *h, struct target *t)
{
	id stored = t->data >= 0 ? h->data_type(t->data)
				 : h->attr_type(t->attribute);

	if (stored < 0)
		return -EBADMSG;
	t->type = h->type_copy(stored);
	h->type_close(stored);
	if (t->type < 0)
		return -EBADMSG;
	h->type_pack(t->type); /* fails for what has no members */
	t->element = h->type_size(t->type);
	return t->element ? 0 : -EBADMSG;
}

/* Whether the library promises anything of elements that nobody wrote. */
static enum weir_fill look_at_fill(struct weir_source_hdf5 *h,
				   const struct target *t, id list, int kind)
{
	static const int loose[] = { STRING, REFERENCE, VARIABLE };
	int layout = h->list_layout(list), when = NEVER;

	for (size_t i = 0; i < sizeof(loose) / sizeof(*loose); i++)
		if (h->type_detect(t->type, loose[i]))
			return WEIR_FILL_NOTHING;
	if (h->list_fill_time(list, &when) < 0 || when == NEVER ||
	    kind == UNDEFINED || layout == VIRTUAL ||
	    h->list_external(list) != 0)
		return WEIR_FILL_NOTHING;
	return layout == CONTIGUOUS && kind == USUAL ? WEIR_FILL_USUAL
						     : WEIR_FILL_SET;
}

static int learn_list(struct weir_source_hdf5 *h, struct target *t)
{
	id list = t->data >= 0 ? h->data_list(t->data) : -1;
	uint64_t chunk[RANK];
	int kind = 0;

	h->filled = WEIR_FILL_NOTHING;

	if (list < 0)
		return t->data >= 0 ? -EBADMSG : 0;
	if (h->list_layout(list) == CHUNKED &&
	    h->list_chunk(list, RANK, chunk) > 0)
		t->rows = chunk[0];
	t->fill = calloc(1, t->element);
	if (!t->fill || h->list_has_fill(list, &kind) < 0 || !kind ||
	    h->list_fill(list, t->type, t->fill) < 0 ||
	    (!t->fill[0] && !memcmp(t->fill, t->fill + 1, t->element - 1))) {
		free(t->fill);
		t->fill = NULL;
	}
	h->filled = look_at_fill(h, t, list, kind);
	h->list_close(list);
	return 0;
}

enum weir_fill weir_source_hdf5_fill(const struct weir_source_hdf5 *hdf5)
{
	return hdf5->filled;
}

/* --- reading ------------------------------------------------------------- */

/* Repeats the element, for as many as a buffer holds. */
static void hand_on(const struct target *t, const struct weir_sink *sink,
		    uint64_t first, const uint8_t *buffer, uint64_t count)
{
	struct weir_elements elements = { buffer, t->fill, count, t->element };
	uint8_t *pattern;

	if (sink->see) {
		sink->see(sink->context, first, &elements);
		return;
	}
	sink->take(sink->context, 1, first * t->element, buffer,
		   count * t->element);
	if (!t->fill)
		return;
	pattern = malloc(count * t->element);
	if (!pattern)
		return;
	for (uint64_t i = 0; i < count; i++)
		memcpy(pattern + i * t->element, t->fill, t->element);
	sink->take(sink->context, -1, first * t->element, pattern,
		   count * t->element);
	free(pattern);
}

/* A part of consecutive elements that is a block: rows, or part of one. */
static uint64_t choose_part(const struct target *t, uint64_t first,
			    uint64_t most, uint64_t start[RANK],
			    uint64_t count[RANK])
{
	uint64_t below = 1, left = first;
	int axis = t->rank - 1;

	while (axis > 0 && below * t->dims[axis] <= most &&
	       first % (below * t->dims[axis]) == 0) {
		below *= t->dims[axis];
		axis--;
	}
	for (int i = t->rank - 1; i >= 0; i--) {
		start[i] = left % t->dims[i];
		left /= t->dims[i];
		count[i] = i > axis ? t->dims[i] : 1;
	}
	count[axis] = t->dims[axis] - start[axis];
	if (count[axis] > (most + below - 1) / below)
		count[axis] = (most + below - 1) / below;
	return count[axis] * below;
}

static int read_part(struct weir_source_hdf5 *h, const struct target *t,
		     const uint64_t *start, const uint64_t *count,
		     uint8_t *buffer)
{
	id memory = h->space_simple(t->rank, count, NULL);
	int err = -EBADMSG;

	if (memory >= 0 &&
	    h->space_select(t->space, 0, start, NULL, count, NULL) >= 0 &&
	    h->data_read(t->data, t->type, memory, t->space, 0, buffer) >= 0)
		err = 0;
	if (memory >= 0)
		h->space_close(memory);
	return err;
}

/* One element, none, or all of an attribute. */
static int read_at_once(struct weir_source_hdf5 *h, const struct target *t,
			uint8_t *buffer)
{
	int status = t->data >= 0 ? h->data_read(t->data, t->type, 0, 0, 0,
						 buffer)
				  : h->attr_read(t->attribute, t->type, buffer);

	return status < 0 ? -EBADMSG : 0;
}

static int read_parts(struct weir_source_hdf5 *h, const struct target *t,
		      const struct weir_sink *sink, uint8_t *buffer,
		      uint64_t most)
{
	uint64_t start[RANK], count[RANK];
	int err = 0;

	if (!t->rank || t->attribute >= 0) {
		err = read_at_once(h, t, buffer);
		if (!err)
			hand_on(t, sink, 0, buffer, t->points);
		return err;
	}
	for (uint64_t first = 0; !err && first < t->points;) {
		uint64_t part = choose_part(t, first, most, start, count);

		err = read_part(h, t, start, count, buffer);
		if (!err)
			hand_on(t, sink, first, buffer, part);
		first += part;
	}
	return err;
}

/* Chunks are read once if all that are beside each other are read at once. */
static uint64_t elements_at_once(const struct target *t)
{
	uint64_t most = t->element < BUFFER ? BUFFER / t->element : 1;
	uint64_t row = t->rank ? t->points / t->dims[0] : 0;
	uint64_t wanted;

	if (__builtin_mul_overflow(row, t->rows, &wanted) ||
	    wanted > CHUNKS / t->element)
		return most;
	return wanted > most ? wanted : most;
}

static int read_target(struct weir_source_hdf5 *h, const struct target *t,
		       const struct weir_sink *sink)
{
	uint64_t most = t->points ? elements_at_once(t) : 1;
	uint64_t room = t->attribute >= 0 || !t->rank ? t->points : most * 2;
	uint8_t *buffer;
	int err;

	if (!t->points)
		return 0;
	buffer = calloc(room, t->element);
	if (!buffer)
		return -ENOMEM;
	err = read_parts(h, t, sink, buffer, most);
	free(buffer);
	return err;
}

int weir_source_hdf5_scan(struct weir_source_hdf5 *h, const char *path,
			  const char *inside, const struct weir_sink *sink,
			  uint64_t *ret_size)
{
	struct target t = { .data = -1, .attribute = -1, .type = -1,
			    .space = -1 };
	int err = need_file(h, path);

	if (err)
		return err;
	open_target(h, inside, &t);
	if (t.data < 0 && t.attribute < 0)
		return fail_scan(h, "HDF5 cannot find it in the file");
	err = learn_shape(h, &t);
	if (!err)
		err = learn_type(h, &t);
	if (!err)
		err = learn_list(h, &t);
	if (err)
		fail_scan(h, "HDF5 cannot tell its shape or type");
	if (!err) {
		*ret_size = t.points * t.element;
		err = read_target(h, &t, sink);
		if (err)
			fail_scan(h, "HDF5 cannot read it back");
	}
	close_target(h, &t);
	return err;
}
