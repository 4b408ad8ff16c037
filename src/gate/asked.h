/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks about a file of the program when weir itself needs to know: of files
 * that are forwarded the kernel does not know all. NULL: it does.
 */
#ifndef WEIR_GATE_ASKED_H
#define WEIR_GATE_ASKED_H

#include <stdint.h>

/* Before bytes are read, or the length: what was written is stored. */
extern void (*weir_asked_store)(int fd);

/* Where the next call would read or write; -1: the kernel knows. */
extern int64_t (*weir_asked_position)(int fd);

static inline void weir_asked_stored(int fd)
{
	if (weir_asked_store)
		weir_asked_store(fd);
}

static inline int64_t weir_asked_at(int fd)
{
	return weir_asked_position ? weir_asked_position(fd) : -1;
}

#endif
