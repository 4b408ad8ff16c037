/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes back chunks that clients have and do not use. */
#ifndef WEIR_LOG_CHUNKRECLAIM_H
#define WEIR_LOG_CHUNKRECLAIM_H

#include "serve/session/sessionparts.h"

/* What nobody has written to for a moment; true: perhaps more later. */
bool weir_chunkreclaim_idle(struct weir_session *session);

/* All, whoever is about to write. */
void weir_chunkreclaim_all(struct weir_session *session);

#endif
