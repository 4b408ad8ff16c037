/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives memory to chunks, and takes it back to the system. */
#ifndef WEIR_SESSION_CHUNKMEMORY_H
#define WEIR_SESSION_CHUNKMEMORY_H

#include "serve/session/sessionparts.h"

/* 0 or -ENOMEM. */
int weir_chunkmemory_provide(struct weir_session *session, uint32_t chunk);
void weir_chunkmemory_strip(struct weir_session *session, uint32_t chunk);

#endif
