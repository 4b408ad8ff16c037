/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows whose operations are that are under way. */
#include "analyse/query/operations.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

void weir_operations_fini(struct weir_operations *operations)
{
	weir_pending_fini(&operations->pending);
	free(operations->whose);
	*operations = (struct weir_operations){ 0 };
}

int weir_operations_begin(struct weir_operations *operations,
			  struct weir_operations_whose whose)
{
	uint32_t index = operations->pending.begun;

	if (WEIR_GROW_ZEROED(operations->whose, (size_t)index,
			     operations->room))
		return -ENOMEM;
	operations->whose[index - 1] = whose;
	return 0;
}

struct weir_operations_whose
weir_operations_end(struct weir_operations *operations)
{
	return operations->whose[operations->pending.ended - 1];
}
