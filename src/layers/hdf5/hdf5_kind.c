/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the form that elements have in the file. */
#include "layers/hdf5/hdf5_kind.h"

#include "layers/hdf5/hdf5_space.h"
#include "layers/layers.h"

#include <stdatomic.h>
#include <string.h>

/* What H5Tget_class() says. */
enum { STRING = 3, COMPOUND = 6, REFERENCE = 7, VARIABLE = 9, ARRAY = 10 };

#define VIRTUAL	 3 /* H5Pget_layout(): its bytes are in other datasets */
#define HARMLESS 4 /* filters up to this give back what they got */
#define DEPTH	 8 /* types within types */

static const char *const symbols[] = {
	"H5Dget_type",
	"H5Aget_type",
	"H5Dread",
	"H5Aread",
	"H5Screate_simple",
	"H5Tget_class",
	"H5Tcopy",
	"H5Tpack",
	"H5Tequal",
	"H5Tclose",
	"H5Tget_nmembers",
	"H5Tget_member_type",
	"H5Tget_super",
	"H5Tis_variable_str",
	"H5Tconvert",
	"H5Pget_fill_value",
	"H5Pfill_value_defined",
	"H5Pget_nfilters",
	"H5Pget_filter2",
	"H5Pget_data_transform",
};

#define SYMBOLS (sizeof(symbols) / sizeof(*symbols))

_Static_assert(sizeof(struct weir_hdf5_tools) == SYMBOLS * sizeof(void *),
	       "a name for each function");

/* NULL: the library lacks some. Two threads may look at once: they find the
 * same. */
static const struct weir_hdf5_tools *
tools_of(const struct weir_hdf5_library *lib)
{
	static union {
		struct weir_hdf5_tools tools;
		void *slots[SYMBOLS];
	} all[WEIR_HDF5_LIBRARIES];
	static _Atomic int states[WEIR_HDF5_LIBRARIES];
	uint32_t at = lib->number - 1;
	bool has_all = true;

	if (!atomic_load(&states[at])) {
		for (size_t i = 0; i < SYMBOLS; i++) {
			all[at].slots[i] = weir_layers_sibling(symbols[i],
							       lib->libversion);
			has_all &= all[at].slots[i] != NULL;
		}
		atomic_store(&states[at], has_all ? 1 : -1);
	}
	return atomic_load(&states[at]) > 0 ? &all[at].tools : NULL;
}

static bool has_plain_elements(const struct weir_hdf5_tools *tools, long type,
			       int depth);

static bool has_plain_members(const struct weir_hdf5_tools *tools, long type,
			      int depth)
{
	int count = tools->type_members(type);
	bool plain = count > 0;

	for (int i = 0; i < count && plain; i++) {
		long member = tools->type_member(type, (unsigned)i);

		plain = member >= 0 && has_plain_elements(tools, member, depth);
		if (member >= 0)
			tools->type_close(member);
	}
	return plain;
}

static bool has_plain_base(const struct weir_hdf5_tools *tools, long type,
			   int depth)
{
	long base = tools->type_super(type);
	bool plain = base >= 0 && has_plain_elements(tools, base, depth);

	if (base >= 0)
		tools->type_close(base);
	return plain;
}

/* Elements are all there is of them: none points to what is elsewhere. */
static bool has_plain_elements(const struct weir_hdf5_tools *tools, long type,
			       int depth)
{
	if (depth == DEPTH)
		return false;
	switch (tools->type_class(type)) {
	case STRING:
		return !tools->type_is_variable(type);
	case COMPOUND:
		return has_plain_members(tools, type, depth + 1);
	case ARRAY:
		return has_plain_base(tools, type, depth + 1);
	case REFERENCE:
	case VARIABLE:
	case -1:
		return false;
	}
	return true;
}

/* Some filters keep only part of what they get. */
static bool has_harmless_filters(const struct weir_hdf5_tools *tools, long list)
{
	int count = tools->list_filters(list);

	for (int i = 0; i < count; i++) {
		size_t values = 0;
		unsigned flags, config;
		int filter =
			tools->list_filter(list, (unsigned)i, &flags, &values,
					   NULL, 0, NULL, &config);

		if (filter < 1 || filter > HARMLESS)
			return false;
	}
	return count >= 0;
}

/* What is there where nothing was written. False: too long for us. */
static bool learn_fill(struct weir_hdf5_kind *kind, long list)
{
	int state = 0;

	if (kind->tools->list_has_fill(list, &state) < 0 || !state)
		return true;
	if (kind->element > WEIR_HDF5_FILL)
		return state == 1; /* the default: zeros */
	memset(kind->fill, 0, kind->element);
	if (kind->tools->list_fill(list, kind->packed, kind->fill) < 0)
		return true;
	for (uint64_t i = 0; i < kind->element; i++)
		kind->has_fill |= kind->fill[i] != 0;
	return true;
}

static bool learn_list(struct weir_hdf5_kind *kind,
		       struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	long list;
	bool known;

	if (object->type != WEIR_HDF5_DATASET)
		return true;
	list = lib->dataset_list(object->id);
	if (list < 0)
		return false;
	known = lib->list_layout(list) != VIRTUAL &&
		has_harmless_filters(kind->tools, list) &&
		learn_fill(kind, list);
	lib->list_close(list);
	return known;
}

/* Parts of elements may be written; the others stay as they were. */
static bool is_whole(const struct weir_hdf5_kind *kind, long type)
{
	const struct weir_hdf5_tools *tools = kind->tools;

	if (kind->is_same || tools->type_class(type) != COMPOUND)
		return true;
	return tools->type_members(type) == tools->type_members(kind->packed);
}

bool weir_hdf5_kind_meet(struct weir_hdf5_kind *kind,
			 struct weir_hdf5_object *object, long type)
{
	const struct weir_hdf5_tools *tools = tools_of(object->library);
	long stored;

	*kind = (struct weir_hdf5_kind){ .tools = tools, .packed = -1 };
	if (!tools)
		return false;
	stored = object->type == WEIR_HDF5_DATASET
			 ? tools->dataset_type(object->id)
			 : tools->attribute_type(object->id);
	if (stored < 0)
		return false;
	kind->packed = tools->type_copy(stored);
	tools->type_close(stored);
	if (kind->packed < 0 || !has_plain_elements(tools, kind->packed, 0))
		return false;
	tools->type_pack(kind->packed); /* fails for what has no members */
	kind->element = object->library->type_size(kind->packed);
	kind->in_memory = object->library->type_size(type);
	kind->is_same = tools->type_equal(type, kind->packed) > 0;
	return kind->element && kind->in_memory && is_whole(kind, type) &&
	       learn_list(kind, object);
}

void weir_hdf5_kind_leave(struct weir_hdf5_kind *kind)
{
	if (kind->packed >= 0)
		kind->tools->type_close(kind->packed);
}
