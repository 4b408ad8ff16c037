/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that grow. */
#ifndef WEIR_BASE_GROW_H
#define WEIR_BASE_GROW_H

#include <errno.h>
#include <stdlib.h>

/* Makes room for one more in a list; 0 or -ENOMEM. */
static inline int weir_grow_list(void **list, size_t count, size_t *room,
				 size_t size)
{
	size_t larger = *room < 8 ? 8 : *room + *room / 2;
	void *grown;

	if (count < *room)
		return 0;
	grown = reallocarray(*list, larger, size);
	if (!grown)
		return -ENOMEM;
	*list = grown;
	*room = larger;
	return 0;
}

#define WEIR_GROW(list, count, room) \
	weir_grow_list((void **)&(list), (count), &(room), sizeof(*(list)))

#endif
