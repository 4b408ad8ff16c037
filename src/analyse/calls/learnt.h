/* SPDX-License-Identifier: BSD-3-Clause */
/* Learns from names of files if they are wanted, and what they lie in. */
#ifndef WEIR_CALLS_LEARNT_H
#define WEIR_CALLS_LEARNT_H

#include "analyse/calls/callview.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"
#include "trace/read/reader.h"

#include <stdint.h>

#define WEIR_LEARNT_UNWANTED UINT32_MAX

/* A byte for each name, as there may be very many. */
struct weir_learnt {
	const struct weir_reader *reader;
	struct weir_names *names; /* those of the reader, and more */
	const char *glob;	  /* of files that are wanted; NULL: all */
	uint8_t *of;		  /* each of the reader's names */
	struct weir_map whole_of; /* objects to the files that they lie in */
};

/* All is borrowed. 0 or -ENOMEM, which leaves nothing behind. */
int weir_learnt_init(struct weir_learnt *learnt,
		     const struct weir_reader *reader,
		     struct weir_names *names, const char *glob);
void weir_learnt_fini(struct weir_learnt *learnt);

/* As weir_callviews_number(). */
int weir_learnt_number(struct weir_learnt *learnt, const char *name,
		       size_t len, uint32_t *ret_number);

/* Whether it is a pipe or the like, by its name; NULL: it is none. */
/* How a call of a layer is marked on a file with this mark. */
uint32_t weir_learnt_mark(uint32_t mark, unsigned layer);

int weir_learnt_is_channel(const char *name, size_t len);

/* Likewise, whether the system makes up what is in it. */
int weir_learnt_is_live(const char *name, size_t len);

/* Fills in the file of a call, and what that says of it. 0 or -ENOMEM. */
int weir_learnt_tell(struct weir_learnt *learnt, struct weir_callview *view);

#endif
