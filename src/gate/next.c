/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that come after ours in the search order. */
#include "gate/next.h"

#include <dlfcn.h>

void weir_next_fill(const struct weir_next_slot *slots, size_t count)
{
	int err = weir_gate_errno();

	for (size_t i = 0; i < count; i++) {
		void *found = dlsym(RTLD_NEXT, slots[i].symbol);

		if (found)
			*slots[i].function = found;
	}
	weir_gate_set_errno(err);
}
