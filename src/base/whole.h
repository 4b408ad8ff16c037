/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes all that is asked for, in as many calls as it takes. */
#ifndef WEIR_BASE_WHOLE_H
#define WEIR_BASE_WHOLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Up to the room or the end of the file: the bytes read, or -errno. */
ssize_t weir_whole_fill(int fd, void *to, size_t room);
ssize_t weir_whole_fill_at(int fd, void *to, size_t room, uint64_t at);

/* All, or -EBADMSG where the file ends before; 0 or -errno. */
int weir_whole_read(int fd, void *to, size_t size);
int weir_whole_read_at(int fd, void *to, size_t size, uint64_t at);

/* All; 0 or -errno. What stands in the file when it fails is not told. */
int weir_whole_write(int fd, const void *bytes, size_t size);
int weir_whole_write_at(int fd, const void *bytes, size_t size, uint64_t at);

/*
 * A file that is short, as those of /proc, with a NUL behind it: its bytes,
 * at most room - 1, or -errno. `to` is a text in any case.
 */
ssize_t weir_whole_load(const char *path, char *to, size_t room);

/*
 * All of a file that has `size` bytes, and a NUL behind them, in memory that is
 * the caller's; NULL with errno set: there is no memory, or not so much of it.
 */
char *weir_whole_copy(int fd, size_t size, uint64_t at);

/* Makes a file of mode 0600 that was not there: whole, or not at all. */
int weir_whole_create(const char *path, const void *bytes, size_t size);

#endif
