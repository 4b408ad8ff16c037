/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues the chunks of one thread until their turn to be packed. */
#include "trace/pack/packthread.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_packthread_fini(struct weir_packthread *thread)
{
	free(thread->chunks);
}

int weir_packthread_add(struct weir_packthread *thread,
			const struct weir_packchunk *chunk)
{
	uint32_t at = thread->count;
	int err;

	if (chunk->sequence < thread->next)
		return 0;
	/* They come nearly in order: the right place is near the end. */
	while (at && thread->chunks[at - 1].sequence > chunk->sequence)
		at--;
	if (at && thread->chunks[at - 1].sequence == chunk->sequence)
		return 0;
	err = WEIR_GROW(thread->chunks, thread->count, thread->room);
	if (err)
		return err;
	memmove(&thread->chunks[at + 1], &thread->chunks[at],
		(thread->count - at) * sizeof(*chunk));
	thread->chunks[at] = *chunk;
	thread->count++;
	thread->records += chunk->records;
	return 1;
}

void weir_packthread_drop(struct weir_packthread *thread, uint32_t n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n; i++)
		thread->records -= thread->chunks[i].records;
	thread->count -= n;
	memmove(thread->chunks, thread->chunks + n,
		thread->count * sizeof(*thread->chunks));
}
