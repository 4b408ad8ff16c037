/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up what this process and others tell each other by MPI. */
#include "capture/messages.h"

#include "capture/memory/control.h"

#include <stdatomic.h>

/*
 * Each is added to by itself: who reads while another thread adds is told so
 * by a doubt, which is set before.
 */
static _Atomic uint64_t direct, balance, together, probed;
static _Atomic uint32_t doubts;
static _Atomic bool is_followed;
static _Atomic uintptr_t talker; /* the thread that did it first */

static __thread char myself __attribute__((tls_model("initial-exec")));

bool weir_messages_are_wanted(void)
{
	return weir_control->manner & WEIR_MANNER_SITES;
}

void weir_messages_follow(void)
{
	atomic_store(&is_followed, true);
}

static void note_thread(void)
{
	uintptr_t none = 0, me = (uintptr_t)&myself;

	if (!atomic_compare_exchange_strong(&talker, &none, me) && none != me)
		atomic_fetch_or(&doubts, (uint32_t)WEIR_MESSAGES_THREADS);
}

void weir_messages_add(const struct weir_messages *more)
{
	note_thread();
	atomic_fetch_or(&doubts, more->doubts);
	atomic_fetch_add(&direct, more->direct);
	atomic_fetch_add(&balance, more->balance);
	atomic_fetch_add(&together, more->together);
}

void weir_messages_probe(uint64_t message)
{
	note_thread();
	atomic_store(&probed, message);
}

void weir_messages_receive(uint64_t message)
{
	note_thread();
	atomic_fetch_sub(&direct, message);
	if (atomic_load(&probed) == message)
		atomic_store(&probed, 0);
}

struct weir_messages weir_messages_look(void)
{
	return (struct weir_messages){
		.direct = atomic_load(&direct),
		.balance = atomic_load(&balance),
		.together = atomic_load(&together),
		.doubts = atomic_load(&doubts) |
			  (atomic_load(&probed) ?
				   (uint32_t)WEIR_MESSAGES_PROBED : 0),
		.is_followed = atomic_load(&is_followed),
	};
}
