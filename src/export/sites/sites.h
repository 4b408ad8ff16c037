/* SPDX-License-Identifier: BSD-3-Clause */
/* Names where in the program calls were made. */
#ifndef WEIR_SITES_SITES_H
#define WEIR_SITES_SITES_H

#include "base/text.h"
#include "trace/read/reader.h"

#include <stdbool.h>

struct weir_sites;

/*
 * Reads the whole trace for what it tells of objects. 0 or -errno, as
 * weir_reader_open().
 */
int weir_sites_new(const char *path, struct weir_sites **ret_sites);
void weir_sites_free(struct weir_sites *sites); /* NULL too */

/* Events that had a call site, so far. */
uint64_t weir_sites_count(const struct weir_sites *sites);

/*
 * Of the n-th object that could not be read for names and lines: its path, and
 * the error of weir_dwarf_open(). NULL after the last.
 */
const char *weir_sites_trouble(const struct weir_sites *sites, uint32_t n,
			       int *ret_err);

/*
 * Whether the call, or one that led to it, stands in one of these lines of a
 * source file; of its path the last components may do.
 */
bool weir_sites_is_at(struct weir_sites *sites, const struct weir_event *event,
		      const char *file, uint64_t from, uint64_t to);

/* ` at FUNCTION (FILE:LINE) < ...`; nothing for an event without a site. */
void weir_sites_put_text(struct weir_sites *sites, struct weir_text *out,
			 const struct weir_event *event);

/* `,"site":[...]`, likewise. */
void weir_sites_put_json(struct weir_sites *sites, struct weir_text *out,
			 const struct weir_event *event);

#endif
