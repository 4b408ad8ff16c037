/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetches: requests of clients (wire/prefetch_layout.h) become blocks that
 * threads fill, several at once. Nobody waits for it, and it may always fail:
 * who finds no block reads as if there were none.
 */
#ifndef WEIR_PREFETCH_PREFETCHER_H
#define WEIR_PREFETCH_PREFETCHER_H

#include "serve/session/sessionparts.h"

/* By the session's thread: true: there was a request. */
bool weir_prefetcher_serve(struct weir_session *session);

/* An open file begins to be used, and ends. */
void weir_prefetcher_open(struct weir_session *session, uint32_t open);
void weir_prefetcher_close(struct weir_session *session, uint32_t open);

#endif
