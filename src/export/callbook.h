/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the calls of all hosts: one for each name of a layer. */
#ifndef WEIR_EXPORT_CALLBOOK_H
#define WEIR_EXPORT_CALLBOOK_H

#include "export/dump/dump.h"
#include "trace/bytes/map.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Each file of a trace has a dictionary of its own, so that a call's number is
 * one of its host's. Zero it to begin.
 */
struct weir_callbook {
	struct weir_map known; /* rows of dictionaries, to our numbers */
	struct weir_map names; /* hashes of layer and name, likewise */
	uint32_t count;
};

void weir_callbook_fini(struct weir_callbook *book);

/* From 1; is_new: it was not given before. 0 or -ENOMEM. */
int weir_callbook_find(struct weir_callbook *book,
		       const struct weir_dump_event *event,
		       uint32_t *ret_number, bool *ret_is_new);

#endif
