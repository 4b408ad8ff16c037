/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own books: which descriptor is which file, and where in it. */
#ifndef ORACLE_BOOK_H
#define ORACLE_BOOK_H

#include "oracle_tell.h"

/* The working directory, absolute; and a path as seen from there. */
void book_chdir(const char *absolute);
const char *book_absolute(const char *path);

void book_open(int fd, const char *absolute, int flags);
void book_stream(int fd); /* a pipe: no name we know, no position */
void book_dup(int from, int to, bool cloexec);
void book_close(int fd);
void book_sweep(unsigned first, unsigned last);
void book_set_append(int fd, bool append);
void book_set_cloexec(int fd, bool cloexec);

/* Another process got these files: their positions are anybody's. */
void book_share(bool but_not_cloexec);

/* Position known again, or only to us (a recorder may not know it). */
void book_seek(int fd, long position);
void book_doubt(int fd, long moved);

long book_position(int fd);

/* 'fd' and, where known, 'path': the first fields of every line. */
const char *book_name(int fd);

/* The call moved the position by ret, when that is positive. */
void book_transfer(const char *symbol, int fd, size_t size, long ret);
void book_transfer_args(const char *symbol, int fd, size_t size, long ret,
			const char *args, ...)
	__attribute__((format(printf, 5, 6)));

/* open, told and booked. */
int book_do_open(const char *path, int flags, mode_t mode);
void book_do_close(int fd);

#endif
