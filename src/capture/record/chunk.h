/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts records into the open chunk of a thread, and counts the lost ones. */
#ifndef WEIR_RECORD_CHUNK_H
#define WEIR_RECORD_CHUNK_H

#include "capture/memory/thread.h"

#include <stddef.h>

#define WEIR_CHUNK_WORDS      8 /* the most a record without detail takes */
#define WEIR_CHUNK_NOTE_WORDS 6 /* of a note, before its detail */

/*
 * Room for `words` words in the chunk of a BUSY thread, taking a new chunk
 * when needed; NULL: none to be had, the caller drops.
 */
uint64_t *weir_chunk_room(struct weir_thread *t, uint32_t words);

/* Count a call that could not be recorded; leaves the call's frame. */
void weir_chunk_drop(struct weir_thread *t, uint32_t depth, uint64_t tick);

/* Hands the chunk over to the collector, when there is one. */
void weir_chunk_close(struct weir_thread *t);

/*
 * A note, a record that is no call, of a BUSY thread: its detail, of at most
 * `bytes`, is written between begin and put. Making room may write a note of
 * its own (of losses), so it comes first. NULL: no room. put: start 0 is a note
 * without a time of its own.
 */
struct weir_encoded *weir_chunk_begin_note(struct weir_thread *t, size_t bytes);
void weir_chunk_put_note(struct weir_thread *t, uint64_t def, uint64_t start);

/* Records that the call with this frame was entered and did not return. */
void weir_chunk_entered(struct weir_thread *t, uint32_t depth);

#endif
