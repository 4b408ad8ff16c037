/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes into the log. The hot path: a write is copied into a chunk of the
 * session, and returns.
 *
 *	claim a chunk, write header and bytes, store `used`, let go of the chunk
 *
 * No system call, no lock, no allocation, but when there is no chunk left, or
 * nobody looks (armed). Safe in signal handlers and in forked children: who
 * finds a chunk claimed takes another one.
 */
#ifndef WEIR_LOG_LOG_H
#define WEIR_LOG_LOG_H

#include <stdint.h>

struct weir_transfer;

/*
 * Bytes written: all, or fewer when the service has gone or the file may not
 * be written this way any more (WEIR_FILE_*: then `write` by op); -errno when
 * none.
 */
int64_t weir_log_write(const struct weir_transfer *write);

/* To the end of the file, wherever that is; *ret_end: behind it. */
int64_t weir_log_append(const struct weir_transfer *write, uint64_t *ret_end);

#endif
