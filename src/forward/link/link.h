/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knows what WEIR_FORWARD says, and where the memory of the session is. No
 * descriptor is kept, no thread is made: to open a file one connects, hands it
 * over (attach.h), and closes the socket again.
 */
#ifndef WEIR_LINK_LINK_H
#define WEIR_LINK_LINK_H

#include "base/futex.h"
#include "forward/link/switches.h"
#include "wire/board_layout.h"
#include "wire/session_layout.h"

#include <stdbool.h>

struct weir_link {
	struct weir_session_page *page; /* NULL: not attached yet */
	struct weir_session_open *opens;
	struct weir_session_slot *slots;
	struct weir_session_head *heads;
	unsigned char *lanes, *chunks;
	/* what is prefetched; NULL: nothing is */
	struct weir_prefetch_requests *requests;
	struct weir_prefetch_file *prefetch;
	struct weir_prefetch_block *blocks;
	unsigned char *block_bytes;
	const struct weir_board *board; /* may be there before a session */
};

extern struct weir_link weir_link;

static inline bool weir_link_is_attached(void)
{
	return __atomic_load_n(&weir_link.page, __ATOMIC_ACQUIRE);
}

/*
 * From the constructor; connects to nobody. `where` is what WEIR_FORWARD says:
 * DIRECTORY|BOOT-ID|PREFIX[:PREFIX]...[|DEFERRED[:DEFERRED]...] with
 * directories as realpath gives them.
 */
void weir_link_begin(const char *where);

/* The service's runtime directory. */
const char *weir_link_directory(void);

/* Whether a file of this name (absolute, no links in it) is forwarded. */
bool weir_link_wants(const char *path);

/* Whether files of a directory of this name are created later. */
bool weir_link_defers(const char *path);
/* All such directories, with a zero behind each and one more at the end. */
const char *weir_link_deferred(void);

static inline uint32_t weir_link_flags(uint32_t file)
{
	return atomic_load_explicit(&weir_link.board->files[file].flags,
				    memory_order_acquire);
}

/* To be asked before its flags, for what was read of it before. */
static inline uint32_t weir_link_writings(uint32_t file)
{
	return atomic_load_explicit(&weir_link.board->files[file].writings,
				    memory_order_acquire);
}

/* Of a session: nothing is answered or stored any more. */
static inline bool weir_link_is_dead(void)
{
	return __builtin_expect(atomic_load(&weir_link.page->dead), 0);
}

/* There is something for the daemon to do. */
static inline void weir_link_wake(void)
{
	atomic_fetch_add(&weir_link.page->wakes, 1);
	if (atomic_load(&weir_link.page->asleep))
		weir_futex_wake(&weir_link.page->wakes, 1);
}

#endif
