/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives streams buffers of a plan's size instead of libc's own. */
#include "adjust/buffers.h"

#include "base/sys.h"
#include "gate/confined.h"
#include "spec/real.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#define TAKEN ((uintptr_t)1) /* being filled in */

static struct {
	_Atomic uintptr_t stream; /* 0: free */
	struct weir_buffer buffer;
} given[WEIR_BUFFERS_MOST];

static size_t most; /* the highest that was ever used, and one more */

void weir_buffers_free(struct weir_buffer buffer)
{
	if (buffer.at && !weir_confined)
		weir_sys2(SYS_munmap, buffer.at, buffer.bytes);
}

struct weir_buffer weir_buffers_take(const struct weir_stream *stream)
{
	struct weir_buffer found = { NULL, 0 };
	size_t end = __atomic_load_n(&most, __ATOMIC_ACQUIRE);

	for (size_t i = 0; i < end; i++)
		if (atomic_load(&given[i].stream) == (uintptr_t)stream) {
			found = given[i].buffer;
			atomic_store(&given[i].stream, 0);
			break;
		}
	return found;
}

static void raise_to(size_t end)
{
	size_t there = __atomic_load_n(&most, __ATOMIC_RELAXED);

	while (there < end &&
	       !__atomic_compare_exchange_n(&most, &there, end, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static bool remember_buffer(const struct weir_stream *stream,
			    struct weir_buffer buffer)
{
	for (size_t i = 0; i < WEIR_BUFFERS_MOST; i++) {
		uintptr_t free = 0;

		if (!atomic_compare_exchange_strong(&given[i].stream, &free,
						    TAKEN))
			continue;
		given[i].buffer = buffer;
		atomic_store(&given[i].stream, (uintptr_t)stream);
		raise_to(i + 1);
		return true;
	}
	return false;
}

/* What a stream has that was closed behind our back, or opened again. */
static void forget_buffer(const struct weir_stream *stream)
{
	weir_buffers_free(weir_buffers_take(stream));
}

bool weir_buffers_give(struct weir_stream *stream, size_t bytes)
{
	int how = stream->flags & WEIR_STREAM_LINES ? _IOLBF : _IOFBF;
	long at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct weir_buffer buffer = { (void *)at, bytes };

	if (weir_sys_failed(at))
		return false;
	forget_buffer(stream);
	if (!remember_buffer(stream, buffer)) {
		weir_buffers_free(buffer);
		return false;
	}
	if (weir_real.setvbuf(stream, buffer.at, how, bytes)) {
		forget_buffer(stream);
		return false;
	}
	return true;
}
