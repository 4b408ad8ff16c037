/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a copy of HDF5 in this process, and the functions we call. */
#include "layers/hdf5/hdf5_library.h"

#include "base/sys.h"
#include "capture/layer.h"
#include "layers/layers.h"

#include <stdatomic.h>
#include <time.h>

#define WAITS 1000
#define WAIT  50000 /* ns */

enum { FREE, FILLING, READY, REFUSED };

struct wanted {
	const char *symbol;
	size_t at;
	bool optional;
};

#define WANT(symbol, member)                                                   \
	{                                                                      \
		symbol, offsetof(struct weir_hdf5_library, member), false      \
	}
#define MAY(symbol, member)                                                    \
	{                                                                      \
		symbol, offsetof(struct weir_hdf5_library, member), true       \
	}

static const struct wanted wanted[] = {
	WANT("H5get_libversion", libversion),
	WANT("H5Iget_type", id_type),
	WANT("H5Iget_ref", id_users),
	WANT("H5Iget_name", id_name),
	WANT("H5Fget_name", file_name),
	WANT("H5Aget_name", attribute_name),
	WANT("H5Aget_space", attribute_space),
	WANT("H5Eget_num", error_number),
	WANT("H5Eget_current_stack", error_take),
	WANT("H5Eset_current_stack", error_put),
	WANT("H5Eauto_is_v2", error_is_v2),
	WANT("H5Eget_auto2", error_get2),
	WANT("H5Eset_auto2", error_set2),
	MAY("H5Eget_auto1", error_get1),
	MAY("H5Eset_auto1", error_set1),
	WANT("H5Sclose", space_close),
	WANT("H5Sget_simple_extent_ndims", space_rank),
	WANT("H5Sget_simple_extent_dims", space_dims),
	WANT("H5Sget_select_type", select_type),
	WANT("H5Sget_select_npoints", select_points),
	WANT("H5Sget_select_bounds", select_bounds),
	WANT("H5Sis_regular_hyperslab", select_is_regular),
	WANT("H5Sget_regular_hyperslab", select_regular),
	WANT("H5Sget_select_hyper_nblocks", select_blocks),
	WANT("H5Tget_size", type_size),
	WANT("H5Dget_space", dataset_space),
	WANT("H5Dget_create_plist", dataset_list),
	WANT("H5Dget_offset", dataset_offset),
	WANT("H5Dget_storage_size", dataset_storage),
	MAY("H5Dget_chunk_storage_size", chunk_storage),
	MAY("H5Dget_num_chunks", chunk_number),
	MAY("H5Dget_chunk_info", chunk_info),
	WANT("H5Iget_file_id", file_of),
	WANT("H5Fclose", file_close),
	WANT("H5Fget_create_plist", file_list),
	WANT("H5Pget_userblock", list_userblock),
	WANT("H5Pclose", list_close),
	WANT("H5Pget_layout", list_layout),
	WANT("H5Pget_chunk", list_chunk),
	MAY("H5Pget_dxpl_mpio", list_transfer),
	MAY("H5Pget_mpio_actual_io_mode", list_got),
	MAY("H5Pget_mpio_no_collective_cause", list_cause),
	MAY("H5VLget_connector_name", plugin_name),
	MAY("H5ESget_op_counter", events_inserted),
	MAY("H5ESget_count", events_left),
	MAY("H5ESget_err_count", events_failed),
};

struct weir_hdf5_library weir_hdf5_libraries[WEIR_HDF5_LIBRARIES];

static bool has_all(struct weir_hdf5_library *lib, const void *next)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		void *function = weir_layers_sibling(wanted[i].symbol, next);

		if (!function && !wanted[i].optional)
			return false;
		*(void **)((char *)lib + wanted[i].at) = function;
	}
	return true;
}

static char *append_number(char *at, unsigned number)
{
	if (number > 9)
		at = append_number(at, number / 10);
	*at = (char)('0' + number % 10);
	return at + 1;
}

/* An hid_t is a number of 64 bits, and its version is told. */
static bool is_young(struct weir_hdf5_library *lib)
{
	unsigned version[3] = { 0, 0, 0 };
	char text[40], *end = text;

	lib->libversion(&version[0], &version[1], &version[2]);
	for (int i = 0; i < 3; i++) {
		end = append_number(end, version[i]);
		*end++ = i < 2 ? '.' : '\0';
	}
	weir_layer_trait("hdf5", text);
	lib->attribute_type = version[0] == 1 && version[1] <= 10 ? 6 : 7;
	return version[0] > 1 || (version[0] == 1 && version[1] >= 10);
}

/* The lower bound comes last: who sees it sees all. */
static int resolve_library(struct weir_hdf5_library *lib, const void *next)
{
	if (!weir_layers_span(next, &lib->seen_low, &lib->seen_high))
		return REFUSED;
	lib->number = (uint32_t)(lib - weir_hdf5_libraries) + 1;
	if (!has_all(lib, next) || !is_young(lib))
		return REFUSED;
	lib->high = lib->seen_high;
	atomic_thread_fence(memory_order_release);
	lib->low = lib->seen_low;
	return READY;
}

static bool has_seen(const struct weir_hdf5_library *lib, const void *next)
{
	return (uintptr_t)next - lib->seen_low < lib->seen_high - lib->seen_low;
}

/* Another thread meets it. Not for ever: a handler may have left it there. */
static int wait_for(struct weir_hdf5_library *lib)
{
	struct timespec wait = { .tv_nsec = WAIT };
	int state = FILLING;

	for (int i = 0; i < WAITS && state == FILLING; i++) {
		weir_sys2(SYS_nanosleep, &wait, 0);
		state = atomic_load(&lib->state);
	}
	return state;
}

/*
 * Places are taken in order and never freed, so the first free one ends the
 * search. NULL also when another thread takes too long to look at a new copy:
 * no call of the program waits for ever.
 */
struct weir_hdf5_library *weir_hdf5_library_find(const void *next)
{
	for (int i = 0; i < WEIR_HDF5_LIBRARIES; i++) {
		struct weir_hdf5_library *lib = &weir_hdf5_libraries[i];
		int state = FREE;

		if (atomic_compare_exchange_strong(&lib->state, &state,
						   FILLING)) {
			state = resolve_library(lib, next);
			atomic_store(&lib->state, state);
			return state == READY ? lib : NULL;
		}
		if (state == FILLING)
			state = wait_for(lib);
		if (state == FILLING)
			return NULL;
		if (has_seen(lib, next))
			return state == READY ? lib : NULL;
	}
	return NULL;
}

void weir_hdf5_mute(struct weir_hdf5_library *lib, struct weir_hdf5_hush *old)
{
	old->is_v2 = 1;
	lib->error_is_v2(0, &old->is_v2);
	if (old->is_v2) {
		lib->error_get2(0, &old->function, &old->data);
		lib->error_set2(0, NULL, NULL);
	} else if (lib->error_get1 && lib->error_set1) {
		lib->error_get1(&old->function, &old->data);
		lib->error_set1(NULL, NULL);
	}
}

void weir_hdf5_unmute(struct weir_hdf5_library *lib,
		      const struct weir_hdf5_hush *old)
{
	if (old->is_v2)
		lib->error_set2(0, old->function, old->data);
	else if (lib->error_get1 && lib->error_set1)
		lib->error_set1(old->function, old->data);
}

void weir_hdf5_hush(struct weir_hdf5_library *lib, struct weir_hdf5_hush *old)
{
	old->is_needless = false;
	old->stack = lib->error_number(0) > 0 ? lib->error_take() : -1;
	weir_hdf5_mute(lib, old);
}

void weir_hdf5_hush_good(struct weir_hdf5_library *lib,
			 struct weir_hdf5_hush *old)
{
	if (lib->plugin_name)
		weir_hdf5_hush(lib, old);
	else
		old->is_needless = true;
}

void weir_hdf5_unhush(struct weir_hdf5_library *lib,
		      const struct weir_hdf5_hush *old)
{
	if (old->is_needless)
		return;
	weir_hdf5_unmute(lib, old);
	if (old->stack >= 0)
		lib->error_put(old->stack);
}
