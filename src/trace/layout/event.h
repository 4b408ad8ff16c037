/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds one recorded call, as every tool sees it. */
#ifndef WEIR_LAYOUT_EVENT_H
#define WEIR_LAYOUT_EVENT_H

#include <stdint.h>

/*
 * Handed out by the reader, times are nanoseconds of CLOCK_MONOTONIC of the
 * event's host. Inside the packer and the columns they are the file's ticks,
 * and ret is the errno of a FAILED event.
 *
 * A LOSS note (call WEIR_NOTE_LOSS) says that `size` calls between start and
 * start + dur were not recorded; size 0: it is not known how many.
 */
struct weir_event {
	uint64_t start, dur;
	uint64_t index;  /* among the committed events of its thread, from 0 */
	uint32_t proc;   /* number of the process, from 1 */
	uint32_t thread; /* number in its process, from 1 */
	uint16_t call;   /* id in the dictionary, or a note */
	uint8_t flags;   /* WEIR_EVENT_* */
	uint8_t depth;   /* 0: called by the application itself */
	int32_t fd;      /* -1: none, or not known */
	uint32_t file;   /* number of the name; 0: none, or not known */
	uint32_t handle; /* of the open file in its process; 0: none */
	int64_t off;     /* 0 when NOOFF is set */
	uint64_t size;
	int64_t ret;     /* -1 when FAILED */
	int32_t err;     /* errno when FAILED, else 0 */
	uint32_t detail_len;
	const uint8_t *detail; /* valid until the next event is asked for */
};

#endif
