/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells, one JSON line a call, what a program has just done, so that a
 * recording of it can be judged. Written by raw system call only: telling
 * must leave no trace. Nothing here is shared with the recorder.
 */
#ifndef ORACLE_TELL_H
#define ORACLE_TELL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Where to tell; the descriptor is out of everybody's way. */
void tell_open(const char *path);
const char *tell_log(void);

/* From now on tell as this thread of that process; 0: as ourselves. */
void tell_as(pid_t pid, pid_t tid);

/*
 * A call is over: `symbol` is the name it was called by, errno its error when
 * ret is negative. `fields` is formatted, and ' stands for ".
 */
void tell(const char *symbol, long ret, const char *fields, ...)
	__attribute__((format(printf, 3, 4)));

#define NO_FIELDS "%s", ""

/* The result is an error number, as of posix_fallocate. */
void tell_errnum(const char *symbol, int err, const char *fields, ...)
	__attribute__((format(printf, 3, 4)));

/* The result is no matter, or one of the fields. */
void tell_any(const char *symbol, const char *fields, ...)
	__attribute__((format(printf, 2, 3)));

/* The call never returned: a jump or a cancellation left it. */
void tell_entered(const char *symbol, const char *fields, ...)
	__attribute__((format(printf, 2, 3)));

/* The symbol was called and is known to cause no event. */
void tell_silent(const char *symbol);

/* A system call of this name was made through syscall(), and told. */
void tell_system_call(const char *name);

/* Values for fields; each has a buffer of its own. */
const char *tell_vector(const struct iovec *vec, int count);
const char *tell_stat(const struct stat *st);

/* Ends the program: it could not do what it claims to do. */
void tell_failure(const char *what) __attribute__((noreturn));

#endif
