/* SPDX-License-Identifier: BSD-3-Clause */
/* The most recent calls of a process, in short records. */
#ifndef WEIR_CAPTURE_RECENT_H
#define WEIR_CAPTURE_RECENT_H

struct weir_brief;

/* Keep a call in place of the oldest one; its thread is BUSY. */
void weir_recent_put(const struct weir_brief *brief);

#endif
