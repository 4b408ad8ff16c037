/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes room in lists that grow: the only place that calls realloc for them. */
#ifndef WEIR_BASE_GROW_H
#define WEIR_BASE_GROW_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The next room of a list that has `room` and wants `wanted`. */
static inline size_t weir_grow_next(size_t room, size_t wanted)
{
	size_t larger = room ? room + room / 2 : 8;

	return larger > wanted ? larger : wanted;
}

/* Room for `room` entries, no less and no more; 0 or -ENOMEM. */
static inline int weir_grow_exactly(void **list, size_t room, size_t size)
{
	void *grown = reallocarray(*list, room, size);

	if (!grown)
		return -ENOMEM;
	*list = grown;
	return 0;
}

/* Room for `wanted` entries at least; 0 or -ENOMEM. */
static inline int weir_grow_list(void **list, size_t wanted, size_t *room,
				 size_t size)
{
	size_t larger = weir_grow_next(*room, wanted);

	if (wanted <= *room)
		return 0;
	if (weir_grow_exactly(list, larger, size))
		return -ENOMEM;
	*room = larger;
	return 0;
}

/* The same; what is new is zero. */
static inline int weir_grow_zeroed(void **list, size_t wanted, size_t *room,
				   size_t size)
{
	size_t before = *room;

	if (weir_grow_list(list, wanted, room, size))
		return -ENOMEM;
	if (*room > before)
		memset((char *)*list + before * size, 0,
		       (*room - before) * size);
	return 0;
}

/* ROOM may be of any unsigned type. */
#define WEIR_GROW_BY(grow, list, wanted, room)                                 \
	({                                                                     \
		size_t weir_grow_room = (room);                                \
		int weir_grow_err = grow((void **)&(list), (wanted),           \
					 &weir_grow_room, sizeof(*(list)));    \
		(room) = (__typeof__(room))weir_grow_room;                     \
		weir_grow_err;                                                 \
	})

/* Room for one more, for `wanted` in all, and that with zeros. */
#define WEIR_GROW(list, count, room)                                           \
	WEIR_GROW_BY(weir_grow_list, list, (size_t)(count) + 1, room)
#define WEIR_GROW_TO(list, wanted, room)                                       \
	WEIR_GROW_BY(weir_grow_list, list, wanted, room)
#define WEIR_GROW_ZEROED(list, wanted, room)                                   \
	WEIR_GROW_BY(weir_grow_zeroed, list, wanted, room)

/* For lists that share one count of room, and those that have no spare. */
#define WEIR_GROW_EXACTLY(list, room)                                          \
	weir_grow_exactly((void **)&(list), room, sizeof(*(list)))

#endif
