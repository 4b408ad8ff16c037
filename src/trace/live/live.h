/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a recorded process's memory file, from outside the process. */
#ifndef WEIR_LIVE_LIVE_H
#define WEIR_LIVE_LIVE_H

#include "trace/layout/live_layout.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Nothing in the file is believed: what decides anything is copied once and
 * the copy is checked. A view belongs to one thread.
 */
struct weir_live_view;

/* Records of one thread; `data` points into the view or at the caller's. */
struct weir_live_chunk {
	uint32_t thread;
	uint32_t sequence;
	uint32_t used;	  /* bytes, a multiple of 8 */
	uint32_t records; /* as the process says */
	uint64_t base;	  /* tick the first gap counts from */
	uint32_t unit;
	const uint8_t *data;
};

/*
 * Maps the file `name` of the directory. -EAGAIN: the process is still
 * setting it up; -EBADMSG: not a live file.
 */
int weir_live_open(int dir_fd, const char *name,
		   struct weir_live_view **ret_view);

/* The same on a copy in memory: changes nothing outside. */
int weir_live_load(int dir_fd, const char *name,
		   struct weir_live_view **ret_view);

void weir_live_close(struct weir_live_view *view);

/* A checked copy of the head as it was at open; strings are terminated. */
const struct weir_live *weir_live_about(const struct weir_live_view *view);

/* The head itself, for its atomic words. */
struct weir_live *weir_live_shared(const struct weir_live_view *view);

/* The slot, or NULL when there is no such unit. */
struct weir_slot *weir_live_slot(struct weir_live_view *view, uint32_t i);

/* Slots to look at. */
uint32_t weir_live_slots(struct weir_live_view *view);

/* Something in the file cannot be; no more is to be expected of it. */
bool weir_live_is_damaged(const struct weir_live_view *view);

/*
 * Fills in the full chunks and returns their number. Every chunk comes after
 * all earlier ones of its thread, over all calls. They stay full, and come
 * again, until they are released; so a collector that dies leaves them
 * behind for another.
 */
uint32_t weir_live_take(struct weir_live_view *view,
			struct weir_live_chunk chunks[WEIR_LIVE_UNITS]);
void weir_live_release(struct weir_live_view *view,
		       const struct weir_live_chunk *chunks, uint32_t count);

/*
 * The open chunk that a slot's `chunk` word names, cut to `used` bytes; false
 * when it is none or has been taken already. To be released like the others
 * if, and only if, its thread has ended.
 */
bool weir_live_open_chunk(struct weir_live_view *view,
			  const struct weir_slot *slot,
			  struct weir_live_chunk *ret_chunk);

/* Adds memory for more units, one window at most; 1 when it did, or -errno. */
int weir_live_grow(struct weir_live_view *view);

/*
 * The process image can write no more: it ended, was killed or exec'd. Of a
 * copy: the process was not there when it was made.
 */
bool weir_live_is_gone(struct weir_live_view *view);

/* Nobody else has the file open or mapped. Not of a copy. */
bool weir_live_is_alone(const struct weir_live_view *view);

/* The file, still the view's own; -1: a copy in memory. */
int weir_live_fd(const struct weir_live_view *view);

#endif
