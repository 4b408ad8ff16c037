/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Digests what libc's calls write. The roles come here only when calls
 * are verified (WEIR_MANNER_DIGEST in pass->why), with copies of what they
 * know.
 */
#ifndef WEIR_DIGESTS_DIGESTING_H
#define WEIR_DIGESTS_DIGESTING_H

#include "capture/record/pass.h"
#include "gate/fdmap.h"
#include "gate/ofd.h"
#include "gate/stream.h"

struct weir_digesting_call {
	uint64_t entry, entered;
	uint64_t pending, ahead; /* of streams */
	uint64_t size;
	int64_t off;
	int64_t ret;
	const void *data;
	const void *iov;
	uint64_t iovcnt;
	struct weir_stream *stream;
	uint32_t handle;
	int fd;
	int flags;
	int letter;
	uint16_t call;
	uint8_t why;
	bool has_off;
	bool is_placed; /* the call said where */
	bool uses_position;
};

/* Member by member, so that neither pass nor args need a place in memory. */
WEIR_GATE_HOT struct weir_digesting_call
weir_digesting_call(const struct weir_pass *pass, const struct weir_args *args)
{
	return (struct weir_digesting_call){
		.entry = pass->entry,
		.entered = pass->entered,
		.pending = pass->pending,
		.ahead = pass->ahead,
		.size = args->size,
		.off = args->off,
		.ret = args->failed ? 0 : args->ret,
		.data = args->data,
		.iov = args->iov,
		.iovcnt = args->iovcnt,
		.stream = args->stream,
		.handle = pass->handle,
		.fd = args->fd,
		.flags = args->flags,
		.letter = args->letter,
		.call = args->call,
		.why = pass->why,
		.has_off = args->has_off,
		.uses_position = pass->uses_position,
	};
}

WEIR_GATE_HOT bool weir_digesting_wants(const struct weir_pass *pass)
{
	return weir_gate_unlikely(pass->why & WEIR_MANNER_DIGEST);
}

/* A descriptor is new. */
void weir_digesting_open(uint64_t entry, int fd, int flags);

/* A write: what is there goes before it, what was given comes after it. */
void weir_digesting_write_before(const struct weir_digesting_call *call);
void weir_digesting_write_after(const struct weir_digesting_call *call);

/* The file gets another length; or holes. */
void weir_digesting_resize(const struct weir_digesting_call *call);

/* The same of a file by its name. */
void weir_digesting_shorten(const char *path, int64_t length);

/* Something that cannot be followed, enum weir_digest_doubt. */
void weir_digesting_doubt(const struct weir_digesting_call *call,
			  uint32_t doubts);

/*
 * Of an asynchronous write, when it is handed over. Its buffer has to stay as
 * it is until the end.
 */
void weir_digesting_submit(const struct weir_digesting_call *call);

/* --- streams ------------------------------------------------------------ */

/*
 * A call on a stream is about to be made: what was put into its buffer by
 * inline functions since the last, and what this call puts.
 */
void weir_digest_stream(const struct weir_digesting_call *call);

/* It has put less than it was given. */
void weir_digest_stream_short(uint32_t handle);

/*
 * What printf will write: in memory of the thread until the next such call.
 * Returns the length.
 */
uint64_t weir_digest_stream_format(const void **ret_text, const char *format,
				   __builtin_va_list list);

/* --- for both ----------------------------------------------------------- */

/* A range is about to be overwritten: what has to be read of it is. */
void weir_digesting_old(uint32_t handle, int fd, uint64_t from, uint64_t to);

bool weir_digesting_is_taken(const struct weir_digesting_call *call);

#endif
