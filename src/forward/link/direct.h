/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes files that a process has open without its service, in the direct table;
 * that and the board it sees without a session.
 */
#ifndef WEIR_LINK_DIRECT_H
#define WEIR_LINK_DIRECT_H

#include "wire/direct_layout.h"

/*
 * Maps both, once a process: the table, or NULL where there is none, or its
 * numbers of processes are not ours.
 */
struct weir_direct *weir_direct_table(void);

/* Notes one more of a file. The slot, or -1: there is no room, or no table. */
int weir_direct_note(uint64_t dev, uint64_t ino, uint64_t count);

/* Changes what is counted in a slot that was noted. */
void weir_direct_change(uint32_t slot, uint64_t change);

struct weir_direct_slot *weir_direct_at(uint32_t slot);

/* In a forked child: what its parent has noted is not its own. */
void weir_direct_forked(void);

#endif
