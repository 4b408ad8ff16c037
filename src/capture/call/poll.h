/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polls: calls that ask whether an operation has ended and do not wait for it.
 * Who waits by asking in a loop makes more of them than of all other calls, and
 * they all say the same. A poll that found the operation under way, with
 * nothing recorded below it, is counted instead of recorded
 *
 *	inside another call: what that one waits for is its own affair;
 *	outside: when the call before it on this thread was such a poll too, so
 *	that the first one of each row is in the trace.
 *
 * With --all they are recorded like any other call, and sums count them all.
 */
#ifndef WEIR_CALL_POLL_H
#define WEIR_CALL_POLL_H

#include "capture/record/pass.h"

/* In place of weir_observe_start(). */
void weir_poll_start(struct weir_pass *pass, const struct weir_args *args);

/*
 * The call is over (the thread is BUSY) and has found nothing that ended.
 * True: it is counted, and the thread is READY; false: it is to be recorded.
 */
bool weir_poll_fold(struct weir_pass *pass);

#endif
