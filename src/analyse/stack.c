/* SPDX-License-Identifier: BSD-3-Clause */
/* The I/O stack: which layer stands above which, and on whose side. */
#include "analyse/stack.h"

#include <stddef.h>
#include <string.h>

/* From the application down. */
static const struct {
	const char *name; /* NULL: all others */
	enum weir_stack_role role;
} layers[] = {
	{ "mark", WEIR_STACK_NONE },	{ "recent", WEIR_STACK_NONE },
	{ "hdf5", WEIR_STACK_CLIENT },	{ "pnetcdf", WEIR_STACK_CLIENT },
	{ "mpiio", WEIR_STACK_JOINT },	{ NULL, WEIR_STACK_CLIENT },
	{ "stdio", WEIR_STACK_CLIENT },	{ "posix", WEIR_STACK_CLIENT },
	{ "async", WEIR_STACK_CLIENT },	{ "client", WEIR_STACK_CLIENT },
	{ "comm", WEIR_STACK_COMM },	{ "server", WEIR_STACK_SERVER },
	{ "serve", WEIR_STACK_SERVER },	{ "disk", WEIR_STACK_DISK },
	{ "backend", WEIR_STACK_DISK },
};

struct weir_stack_place weir_stack_find(const char *layer)
{
	unsigned other = 0;

	for (unsigned i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
		if (!layers[i].name)
			other = i;
		else if (!strcmp(layers[i].name, layer))
			return (struct weir_stack_place){ layers[i].role, i };
	}
	return (struct weir_stack_place){ layers[other].role, other };
}
