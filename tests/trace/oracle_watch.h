/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells calls on streams: where the stream was by our own account, and what
 * the kernel was given and gave, by where it was before and is after.
 */
#ifndef ORACLE_WATCH_H
#define ORACLE_WATCH_H

#include "oracle.h"

#include <stdio.h>

/* A stream is there, by a call that was told: it starts at this place. */
void watch_new(FILE *f, long place);

#define NO_PLACE (-1) /* nobody need know it */

/* Before a call that gives bytes to the stream, takes some, or neither. */
void watch_put(FILE *f);
void watch_get(FILE *f);
void watch_quiet(FILE *f);

/* Bytes that went to the kernel or came from where it has no place. */
void watch_expect(const char *flow, long bytes);

/* After it: it asked for so many bytes and moved those, -1: failed. */
void watch_moved(const char *symbol, long size, long ret);

/* After a call that moves nothing, with its result and its other fields. */
void watch_told(const char *symbol, long ret, const char *fields, ...)
	__attribute__((format(printf, 3, 4)));

/* The stream is there now. */
void watch_go(long place);

/* Calls told, watched and booked whole. */
FILE *watch_fopen(const char *path, const char *mode);
void watch_fclose(FILE *f);
void watch_fwrite(FILE *f, size_t bytes);
void watch_fread(FILE *f, size_t bytes);
void watch_fseek(FILE *f, long off, int whence);

#endif
