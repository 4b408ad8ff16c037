/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the detail of a record while it is written (encode.h). */
#ifndef WEIR_MEMORY_ENCODED_H
#define WEIR_MEMORY_ENCODED_H

#include <stdbool.h>
#include <stdint.h>

#define WEIR_ENCODE_ROOM 6144

struct weir_encoded {
	uint32_t used;
	bool cut;
	uint8_t names;	/* that the call used */
	uint8_t hidden; /* of those, names of files that are not recorded */
	uint8_t why;
	char joined[4096]; /* for work on names */
	uint8_t bytes[WEIR_ENCODE_ROOM];
};

/* Nothing is told yet; `why` and `joined` count only once a name is. */
static inline void weir_encoded_begin(struct weir_encoded *d)
{
	d->used = 0;
	d->cut = false;
	d->names = 0;
	d->hidden = 0;
}

#endif
