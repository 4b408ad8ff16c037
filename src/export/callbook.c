/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the calls of all hosts: one for each name of a layer. */
#include "export/callbook.h"

#include "base/hash.h"

#include <string.h>

void weir_callbook_fini(struct weir_callbook *book)
{
	weir_map_fini(&book->known);
	weir_map_fini(&book->names);
}

/* Calls that no dictionary has are told apart by their numbers. */
static uint64_t call_key(const struct weir_dump_event *event)
{
	const struct weir_call *call = event->call;
	uint64_t parts[2];

	if (!call)
		return event->event->call;
	parts[0] = weir_hash_bytes(call->name, strlen(call->name));
	parts[1] = call->layer ?
			   weir_hash_bytes(call->layer, strlen(call->layer)) :
			   0;
	return weir_hash_numbers(parts, sizeof(parts));
}

static int find_by_name(struct weir_callbook *book, uint64_t key,
			uint64_t *ret_number, bool *ret_is_new)
{
	uint64_t number = weir_map_get(&book->names, key);

	*ret_is_new = !number;
	*ret_number = number ? number : ++book->count;
	return number ? 0 : weir_map_put(&book->names, key, *ret_number);
}

int weir_callbook_find(struct weir_callbook *book,
		       const struct weir_dump_event *event,
		       uint32_t *ret_number, bool *ret_is_new)
{
	uint64_t row = event->call ? (uintptr_t)event->call :
				     event->event->call;
	uint64_t number = weir_map_get(&book->known, row);
	int err = 0;

	*ret_is_new = false;
	if (!number) {
		err = find_by_name(book, call_key(event), &number, ret_is_new);
		if (!err)
			err = weir_map_put(&book->known, row, number);
	}
	*ret_number = (uint32_t)number;
	return err;
}
