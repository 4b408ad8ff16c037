/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the raw trace beside the collector, when nobody needs the processor. */
#ifndef WEIR_COLLECT_PACKING_H
#define WEIR_COLLECT_PACKING_H

#include "trace/pack/pack.h"

struct weir_live_view;
struct weir_packing;

/*
 * Starts a thread of the lowest priority. Packs raw_path into packed_path; in
 * smaller steps when the trace must not grow beyond max_bytes (0: it may).
 */
int weir_packing_start(const char *raw_path, const char *packed_path,
		       uint64_t max_bytes, struct weir_packing **ret_packing);

/* Packs at once, when all is there: a thread takes longer to start. */
int weir_packing_all(const char *raw_path, const char *packed_path,
		     struct weir_pack_totals *ret_totals);

/* How much of the raw file is packed. */
uint64_t weir_packing_done(struct weir_packing *packing);

/* Tells how far the raw file goes. */
void weir_packing_feed(struct weir_packing *packing, uint64_t raw_end);

/*
 * A process whose chunks cannot be packed yet, since they name a handle that
 * stands in the open chunk of another thread; 0: there is none.
 */
uint32_t weir_packing_wanting(struct weir_packing *packing);

/* Lets the packer look into the open chunks of that process. */
void weir_packing_hint(struct weir_packing *packing, uint32_t process,
		       struct weir_live_view *view);

/*
 * Packs the rest at normal priority and ends the thread. After a failure the
 * packed file is removed.
 */
int weir_packing_finish(struct weir_packing *packing,
			struct weir_pack_totals *ret_totals);

#endif
