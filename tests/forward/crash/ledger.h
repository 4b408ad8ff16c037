/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lanes have written, in memory that nobody's death takes away. A lane is
 * a process that writes until it is killed, and the one that follows it. Each
 * operation is entered before it begins and when it has returned: what has
 * returned must be there for ever; what was in flight when its process died may
 * be there or not, byte by byte.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define LEDGER_LANES   8
#define LEDGER_MOST    (1u << 20) /* bytes of a lane's own file */
#define LEDGER_CELLS   1024
#define LEDGER_CELL    509
#define LEDGER_RECORDS 200000 /* of a lane, in each log */
/*
 * Divides a page: the kernel ends the write of a killed process between two
 * pages, and what it leaves are whole records.
 */
#define LEDGER_RECORD 64

/* run-crash.py reads and writes this part. */
struct ledger_face {
	_Atomic uint32_t failed, stop;
	_Atomic uint32_t may_fail; /* the service may go: calls may fail */
	_Atomic uint32_t lanes;
	struct {
		_Atomic int32_t pid;
		_Atomic uint32_t deaths;
		_Atomic uint64_t operations;
	} lane[LEDGER_LANES];
	char why[1024];
};

enum ledger_kind {
	LEDGER_NOTHING,
	LEDGER_WRITE,
	LEDGER_CUT,
};

/* A log that all append to: by O_APPEND, or by a shared offset. */
enum ledger_log {
	LEDGER_APPENDED,
	LEDGER_SHARED,
	LEDGER_LOGS,
};

struct ledger_lane {
	_Atomic uint32_t kind; /* of what is in flight */
	uint64_t offset, length, seed;
	uint64_t size;
	uint64_t random;
	uint32_t begun[LEDGER_LOGS]; /* records, of each log */
	uint8_t is_there[LEDGER_LOGS][LEDGER_RECORDS];
	uint8_t bytes[LEDGER_MOST]; /* 0 beyond the size */
};

struct ledger {
	struct ledger_face face;
	uint64_t seed, spoil;
	_Atomic uint32_t begun[LEDGER_CELLS], ended[LEDGER_CELLS];
	struct ledger_lane lanes[LEDGER_LANES];
};

extern struct ledger *ledger;
extern char ledger_place[PATH_MAX - 64];

int ledger_make(const char *path); /* 0 or -errno */
int ledger_join(const char *path);

__attribute__((format(printf, 1, 2))) void ledger_fail(const char *form, ...);

/* A call failed: a fault, unless the service may go; then the lane ends. */
void ledger_error(const char *what);

/* A file of the trial; lane -1: it belongs to all. */
int ledger_open(const char *name, int lane, int flags);

uint8_t ledger_cell_value(uint32_t number, uint32_t at);
void ledger_check_cell(uint32_t cell, uint32_t ended, const uint8_t *bytes);

/* The bytes of a write, of a record. */
void ledger_fill(uint8_t *room, uint64_t length, uint64_t seed);
void ledger_fill_record(uint8_t *room, uint32_t lane, uint32_t number);

/*
 * Compares a lane's own file with what it may be, and takes it as what it is
 * from now on.
 */
void ledger_adopt(uint32_t lane, uint8_t *room);

/* All files, when nobody writes any more. */
void ledger_check_all(void);

#endif
