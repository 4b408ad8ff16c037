/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the control file into a recorded process. */
#ifndef WEIR_MEMORY_CONTROL_H
#define WEIR_MEMORY_CONTROL_H

#include "trace/layout/control_layout.h"
#include "trace/layout/live_layout.h"

#include <stdbool.h>

/* The longest name of a file in a live directory, with its end. */
#define WEIR_CONTROL_PATH (WEIR_LIVE_DIRECTORY + 80)

/* Never NULL: until the file is mapped, a page of our own of zeros. */
extern struct weir_control *weir_control;

/*
 * `aside` as it is for this process: that of the file, until a mark of the
 * program switches recording. Forked children have it too.
 */
extern const _Atomic uint32_t *weir_control_word;
void weir_control_switch(bool records);

/* Map the control file of a live directory, once; 0 or -errno. */
int weir_control_map(const char *directory);

/* The directory is not the right one after all: back to the own page. */
void weir_control_unmap(void);

/* Make the control file in a new live directory; `setup` may be NULL. */
struct weir_control_setup {
	uint32_t flags;
	uint32_t rules_bytes;
	const char *rules;
	uint32_t manner; /* enum weir_control_manner */
	uint64_t ring_bytes;
};

int weir_control_make(const char *directory,
		      const struct weir_control_setup *setup);

/*
 * This process image cannot be recorded, because of an error: it is counted,
 * and so are its calls from now on, by weir_control_lose_call.
 */
void weir_control_lose_process(const char *directory, int err);
void weir_control_lose_call(void);

/* A child was waited for, and told that it has ended. */
void weir_control_tell_end(uint32_t pid, int status);

/* One load; for every call. 0: it is recorded. */
static inline uint32_t weir_control_aside(void)
{
	return atomic_load_explicit(weir_control_word, memory_order_relaxed);
}

/* The rules as the launcher wrote them, and their bytes. */
static inline const char *weir_control_rules(uint32_t *ret_bytes)
{
	*ret_bytes = weir_control->rules_bytes;
	return weir_control->rules;
}

#endif
