/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps numbers of one file to those of its reader, in little memory. */
#include "trace/read/numbering.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 64 /* numbers */

void weir_numbering_fini(struct weir_numbering *numbering)
{
	weir_map_fini(&numbering->pages);
	free(numbering->numbers);
	*numbering = (struct weir_numbering){ 0 };
}

static int make_page_room(struct weir_numbering *numbering)
{
	return weir_grow_list((void **)&numbering->numbers,
			      numbering->count + 1, &numbering->room,
			      PAGE * sizeof(*numbering->numbers));
}

static int add_page(struct weir_numbering *numbering, uint64_t page)
{
	int err = make_page_room(numbering);

	if (!err)
		err = weir_map_put(&numbering->pages, page,
				   numbering->count + 1);
	if (err)
		return err;
	memset(numbering->numbers + numbering->count++ * PAGE, 0,
	       PAGE * sizeof(*numbering->numbers));
	return 0;
}

int weir_numbering_put(struct weir_numbering *numbering, uint64_t number,
		       uint32_t becomes)
{
	uint64_t place = weir_map_get(&numbering->pages, number / PAGE);
	int err;

	if (!place) {
		err = add_page(numbering, number / PAGE);
		if (err)
			return err;
		place = numbering->count;
	}
	numbering->numbers[(place - 1) * PAGE + number % PAGE] = becomes;
	return 0;
}

uint32_t weir_numbering_get(const struct weir_numbering *numbering,
			    uint64_t number)
{
	uint64_t place = weir_map_get(&numbering->pages, number / PAGE);

	return place ? numbering->numbers[(place - 1) * PAGE + number % PAGE] :
		       0;
}
