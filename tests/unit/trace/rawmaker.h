/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes raw traces for tests, by the rules of doc/format.md. */
#ifndef WEIR_TESTS_RAWMAKER_H
#define WEIR_TESTS_RAWMAKER_H

#include "trace/file/store.h"
#include "trace/layout/event.h"

#include <stdint.h>

#define RAWMAKER_WORDS 960

extern const char rawmaker_dictionary[];

/* A thread that writes chunks; they go to the store when they are full. */
struct rawmaker {
	struct weir_store *store;
	uint32_t proc, thread, sequence;
	uint64_t clock, base; /* ticks */
	uint64_t words[RAWMAKER_WORDS + 8];
	uint32_t used, records;
	struct {
		uint64_t def, size, next;
	} sites[64];
};

void rawmaker_start(struct rawmaker *maker, struct weir_store *store,
		    uint32_t proc, uint32_t thread, uint64_t clock);

/* Writes a record of the event, whose ret is errno when it is FAILED. */
void rawmaker_add(struct rawmaker *maker, const struct weir_event *event);
void rawmaker_flush(struct rawmaker *maker);

/* A detail under construction. */
struct rawmaker_detail {
	uint8_t bytes[2048];
	uint32_t used;
};

void rawmaker_number(struct rawmaker_detail *detail, uint64_t number);
void rawmaker_text(struct rawmaker_detail *detail, const char *text);

/* With this detail, which is empty then, or with none (NULL). */
void rawmaker_put(struct rawmaker *maker, struct weir_event event,
		  struct rawmaker_detail *detail);

/* Ready-made events: open(path) = fd with a new handle; a HANDLE note. */
void rawmaker_open(struct rawmaker *maker, uint32_t handle, int fd,
		   uint32_t base, const char *path);
void rawmaker_handle(struct rawmaker *maker, uint32_t handle, int fd,
		     int origin, uint32_t base, const char *path);

/* Blocks of text. */
void rawmaker_block(struct weir_store *store, uint32_t type, uint32_t proc,
		    const char *text);
void rawmaker_head(struct weir_store *store, uint64_t mult);
void rawmaker_dict(struct weir_store *store);
void rawmaker_proc(struct weir_store *store, uint32_t number, uint32_t pid,
		   const char *state);

/*
 * The main of a program that makes golden traces: PROGRAM RAW PACKED, where
 * fill() makes the first and the second is made of it.
 */
int rawmaker_main(int argc, char **argv, void (*fill)(struct weir_store *));

#endif
