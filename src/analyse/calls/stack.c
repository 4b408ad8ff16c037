/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the layers of the I/O stack, and tells whose side they are on. */
#include "analyse/calls/stack.h"

#include <stddef.h>
#include <string.h>

/* From the application down. */
static const struct {
	const char *name; /* NULL: all others */
	enum weir_stack_role role;
	bool is_later;
} layers[] = {
	{ "mark", WEIR_STACK_NONE, false },
	{ "recent", WEIR_STACK_NONE, false },
	{ "hdf5", WEIR_STACK_CLIENT, false },
	{ "pnetcdf", WEIR_STACK_CLIENT, false },
	{ "mpiio", WEIR_STACK_JOINT, false },
	{ NULL, WEIR_STACK_CLIENT, false },
	{ "stdio", WEIR_STACK_CLIENT, false },
	{ "posix", WEIR_STACK_CLIENT, false },
	{ "async", WEIR_STACK_CLIENT, false },
	{ "client", WEIR_STACK_CLIENT, false },
	{ "comm", WEIR_STACK_COMM, false },
	{ "server", WEIR_STACK_SERVER, false },
	{ "serve", WEIR_STACK_SERVER, true },
	{ "disk", WEIR_STACK_DISK, false },
	{ "backend", WEIR_STACK_DISK, true },
};

static struct weir_stack_place place_at(unsigned at)
{
	return (struct weir_stack_place){ layers[at].role, at,
					  layers[at].is_later };
}

struct weir_stack_place weir_stack_find(const char *layer)
{
	unsigned other = 0;

	for (unsigned i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
		if (!layers[i].name)
			other = i;
		else if (!strcmp(layers[i].name, layer))
			return place_at(i);
	}
	return place_at(other);
}
