/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the detail of a record, argument by argument. */
#ifndef WEIR_RECORD_ENCODE_H
#define WEIR_RECORD_ENCODE_H

#include "capture/record/readable.h"
#include "gate/gate.h"

#include <stddef.h>

WEIR_GATE_DOOR void weir_encode_unsigned(struct weir_encoded *d,
					 uint64_t value);
WEIR_GATE_DOOR void weir_encode_signed(struct weir_encoded *d, int64_t value);
WEIR_GATE_DOOR void weir_encode_optional(struct weir_encoded *d, bool given,
					 uint64_t value);
WEIR_GATE_DOOR void weir_encode_bytes(struct weir_encoded *d, const void *bytes,
				      size_t len);
WEIR_GATE_DOOR void weir_encode_text(struct weir_encoded *d, const char *text);
/* An argument, which may point anywhere when the call failed. */
void weir_encode_string(struct weir_encoded *d, const struct weir_args *args,
			const char *text);

/*
 * A path from args->dirfd: `late` when another text comes before it, which may
 * be what was not found. The second path of a call has a dirfd of its own.
 */
WEIR_GATE_DOOR void weir_encode_path(struct weir_encoded *d,
				     const struct weir_args *args,
				     const char *path);
void weir_encode_late_path(struct weir_encoded *d, const struct weir_args *args,
			   const char *path);
void weir_encode_path2(struct weir_encoded *d, const struct weir_args *args,
		       const char *path);
void weir_encode_vector(struct weir_encoded *d, struct weir_args *args);
void weir_encode_stat(struct weir_encoded *d, const struct weir_args *args,
		      const void *st);
void weir_encode_statx(struct weir_encoded *d, const struct weir_args *args,
		       const void *st);
void weir_encode_handle(struct weir_encoded *d, int fd);
void weir_encode_pair(struct weir_encoded *d, const struct weir_args *args,
		      const int *fds);

/* An offset that the kernel moved by the result: what it was before. */
static inline uint64_t weir_encode_before(const struct weir_args *args,
					  const long *offset)
{
	if (!weir_readable_is_there(args, offset))
		return 0;
	return (uint64_t)(*offset - (args->failed ? 0 : args->ret));
}

/* What a struct timespec says, in ns. */
uint64_t weir_encode_timeout(const struct weir_args *args, const void *timeout);

#endif
