/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a process is, as it learns it: its rank, its libraries. */
#include "capture/process/traits.h"

#include "capture/memory/pool.h"
#include "capture/process/procguard.h"
#include "trace/layout/live_layout.h"

#include <string.h>

#define TRIES 1000

/* Of this process or of the one that forked it: key, NUL, value, NUL. */
static char known[WEIR_LIVE_TRAITS];
static uint32_t known_bytes;
static _Atomic bool writing;

/* Not for ever: a handler may have interrupted the one who writes. */
static bool begin_writing(void)
{
	for (int i = 0; i < TRIES; i++) {
		bool nobody = false;

		if (atomic_compare_exchange_strong(&writing, &nobody, true))
			return true;
	}
	return false;
}

/* The bytes first, then how many there are. */
static void publish(struct weir_live *live, uint32_t from)
{
	memcpy(live->traits + from, known + from, known_bytes - from);
	atomic_store(&live->traits_bytes, known_bytes);
}

static void add_trait(const char *key, const char *value)
{
	size_t key_bytes = strlen(key) + 1, value_bytes = strlen(value) + 1;
	uint32_t from = known_bytes;

	if (from + key_bytes + value_bytes > sizeof(known))
		return;
	memcpy(known + from, key, key_bytes);
	memcpy(known + from + key_bytes, value, value_bytes);
	known_bytes += (uint32_t)(key_bytes + value_bytes);
	/* Before, all of it is copied later; there may be no file ever. */
	if (weir_procguard_is_begun())
		publish(weir_pool_live(), from);
}

void weir_traits_set(const char *key, const char *value)
{
	if (!begin_writing())
		return;
	add_trait(key, value);
	atomic_store(&writing, false);
}

void weir_traits_copy(struct weir_live *live)
{
	atomic_store(&writing, false); /* nobody else is in a new child */
	publish(live, 0);
}
