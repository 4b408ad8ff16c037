/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives streams buffers of a plan's size instead of libc's own. */
#ifndef WEIR_ADJUST_BUFFERS_H
#define WEIR_ADJUST_BUFFERS_H

#include "gate/stream.h"

#include <stddef.h>

#define WEIR_BUFFERS_MOST 1024 /* streams at a time */

struct weir_buffer {
	void *at; /* NULL: none */
	size_t bytes;
};

/* Of a stream that was just opened. False: it has the buffer it had. */
bool weir_buffers_give(struct weir_stream *stream, size_t bytes);

/*
 * Before a stream is closed, for afterwards its address may be another
 * stream's: its buffer, to be freed when it is closed.
 */
struct weir_buffer weir_buffers_take(const struct weir_stream *stream);
void weir_buffers_free(struct weir_buffer buffer);

#endif
