/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which MPI this process has, and the functions we call. */
#include "layers/mpi/mpi_real.h"

#include "layers/layers.h"

#include <stdatomic.h>

struct weir_mpi_real weir_mpi_real;
struct weir_mpi_flavour weir_mpi_flavour = { .other = 15 };
static _Atomic int known; /* 1: all is found, -1: never will be */

static const struct {
	const char *symbol;
	void **slot;
} functions[] = {
#define SLOT(name) (void **)&weir_mpi_real.name
	{ "PMPI_Comm_rank", SLOT(comm_rank) },
	{ "PMPI_Comm_size", SLOT(comm_size) },
	{ "PMPI_Query_thread", SLOT(query_thread) },
	{ "PMPI_Get_library_version", SLOT(library_version) },
	{ "PMPI_Error_class", SLOT(error_class) },
	{ "PMPI_Type_size_x", SLOT(type_size) },
	{ "PMPI_Type_get_extent", SLOT(type_extent) },
	{ "PMPI_Type_get_true_extent", SLOT(type_true_extent) },
	{ "PMPI_Type_get_envelope", SLOT(type_envelope) },
	{ "PMPI_Type_get_contents", SLOT(type_contents) },
	{ "PMPI_Type_free", SLOT(type_free) },
	{ "PMPI_Pack", SLOT(pack) },
	{ "PMPI_Get_elements_x", SLOT(get_elements) },
	{ "PMPI_File_get_info", SLOT(get_info) },
	{ "PMPI_File_get_position", SLOT(get_position) },
	{ "PMPI_File_get_errhandler", SLOT(get_errhandler) },
	{ "PMPI_Errhandler_free", SLOT(errhandler_free) },
	{ "PMPI_Info_get_nkeys", SLOT(info_nkeys) },
	{ "PMPI_Info_get_nthkey", SLOT(info_nthkey) },
	{ "PMPI_Info_get", SLOT(info_get) },
	{ "PMPI_Info_free", SLOT(info_free) },
	{ "PMPI_Info_create", SLOT(info_create) },
	{ "PMPI_Info_dup", SLOT(info_dup) },
	{ "PMPI_Info_set", SLOT(info_set) },
#undef SLOT
};

static long address_of(const char *symbol, const void *from)
{
	return (long)weir_layers_object(symbol, from);
}

/* Whose handles are pointers to objects that the library exports. */
static bool meet_openmpi(const void *from)
{
	struct weir_mpi_flavour openmpi = {
		.other = 16,
		.first_way = 0,
		.by_column = 1,
		.undivided = 2,
		.in_turns = 1,
		.usual_block = -1,
		.key = 35,
		.value = 255,
		.nobody = -2,
		.self = address_of("ompi_mpi_comm_self", from),
		.comm_null = address_of("ompi_mpi_comm_null", from),
		.world = address_of("ompi_mpi_comm_world", from),
		.byte = address_of("ompi_mpi_byte", from),
		.info_null = address_of("ompi_mpi_info_null", from),
		.request_null = address_of("ompi_request_null", from),
		.file_null = address_of("ompi_mpi_file_null", from),
		.errors_return = address_of("ompi_mpi_errors_return", from),
	};

	if (!openmpi.world)
		return false;
	weir_mpi_flavour = openmpi;
	return true;
}

/* Whose handles are numbers, the same in all descendants of MPICH. */
static void meet_mpich(void)
{
	weir_mpi_flavour = (struct weir_mpi_flavour){
		.narrow = true,
		.other = 15,
		.first_way = 1,
		.by_column = 57,
		.undivided = 123,
		.in_turns = 122,
		.usual_block = -49767,
		.key = 254,
		.value = 1023,
		.nobody = -1,
		.self = 0x44000001,
		.comm_null = 0x04000000,
		.world = 0x44000000,
		.byte = 0x4c00010d,
		.info_null = 0x1c000000,
		.request_null = 0x2c000000,
		.errors_return = 0x54000001,
		.no_status = (void *)1,
	};
}

static bool find_all(const void *from)
{
	bool all = true;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		*functions[i].slot =
			weir_layers_sibling(functions[i].symbol, from);
		all &= *functions[i].slot != NULL;
	}
	return all;
}

/* Two threads may do this at once: both find the same. */
bool weir_mpi_meet(const void *from)
{
	int now = atomic_load_explicit(&known, memory_order_acquire);

	if (weir_gate_likely(now))
		return now > 0;
	if (!meet_openmpi(from))
		meet_mpich();
	now = find_all(from) ? 1 : -1;
	atomic_store_explicit(&known, now, memory_order_release);
	return now > 0;
}

int weir_mpi_missing(void)
{
	return weir_mpi_flavour.other;
}

/* Classes are told by MPICH's numbers; Open MPI has others. */
static const unsigned char openmpi_classes[] = {
	[1] = 1,   [2] = 2,   [3] = 3,	 [4] = 4,   [5] = 5,   [6] = 6,
	[7] = 19,  [8] = 7,   [9] = 8,	 [10] = 9,  [11] = 10, [12] = 11,
	[13] = 12, [14] = 13, [15] = 14, [16] = 15, [17] = 16, [18] = 17,
	[19] = 18, [20] = 20, [21] = 21, [22] = 53, [23] = 22, [24] = 46,
	[25] = 23, [26] = 52, [27] = 24, [28] = 25, [29] = 26, [30] = 27,
	[31] = 29, [32] = 31, [33] = 30, [34] = 28, [35] = 32, [36] = 48,
	[37] = 47, [38] = 33, [39] = 34, [40] = 35, [41] = 36, [42] = 37,
	[43] = 38, [44] = 39, [45] = 40, [46] = 49, [47] = 50, [48] = 41,
	[49] = 51, [50] = 42, [51] = 43, [52] = 44, [53] = 45,
};

/* Such failures come from the file system: the arguments were good. */
static bool is_late(int class)
{
	return class == 32 || class == 36 || class == 39; /* IO, full, quota */
}

long weir_mpi_moved(const void *status)
{
	long bytes = 0;

	if (weir_mpi_real.get_elements(status, weir_mpi_flavour.byte, &bytes))
		return 0;
	return bytes > 0 ? bytes : 0;
}

uint64_t weir_mpi_asked(const struct weir_layer *on,
			const struct weir_mpi_args *args)
{
	long size = 0;

	if ((on->args.failed && !is_late(on->args.err)) || args->count < 0 ||
	    weir_mpi_real.type_size(args->type, &size) || size < 0)
		return 0;
	return (uint64_t)size * (uint64_t)args->count;
}

void weir_mpi_fault(struct weir_layer *on)
{
	int class = 0;

	if (!on->args.failed)
		return;
	weir_mpi_real.error_class((int)on->args.ret, &class);
	if (!weir_mpi_flavour.narrow && class > 0 &&
	    class < (int)sizeof(openmpi_classes))
		class = openmpi_classes[class];
	on->args.err = class;
}
