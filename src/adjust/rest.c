/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeroes what a short read leaves of its buffer. */
#include "adjust/rest.h"

#include "adjust/adjust.h"
#include "capture/memory/thread.h"
#include "spec/calls.h"

#include <string.h>
#include <sys/uio.h>

bool weir_rest_is_on;

/* Calls that read only what they are about to write. */
static const uint16_t writers[] = {
	WEIR_CALL_MPI_FILE_WRITE_AT,
	WEIR_CALL_MPI_FILE_WRITE_AT_ALL,
	WEIR_CALL_MPI_FILE_IWRITE_AT,
	WEIR_CALL_MPI_FILE_IWRITE_AT_ALL,
	WEIR_CALL_MPI_FILE_WRITE,
	WEIR_CALL_MPI_FILE_WRITE_ALL,
	WEIR_CALL_MPI_FILE_IWRITE,
	WEIR_CALL_MPI_FILE_IWRITE_ALL,
	WEIR_CALL_MPI_FILE_WRITE_SHARED,
	WEIR_CALL_MPI_FILE_WRITE_ORDERED,
	WEIR_CALL_MPI_FILE_IWRITE_SHARED,
	WEIR_CALL_MPI_FILE_WRITE_AT_ALL_BEGIN,
	WEIR_CALL_MPI_FILE_WRITE_AT_ALL_END,
	WEIR_CALL_MPI_FILE_WRITE_ALL_BEGIN,
	WEIR_CALL_MPI_FILE_WRITE_ALL_END,
	WEIR_CALL_MPI_FILE_WRITE_ORDERED_BEGIN,
	WEIR_CALL_MPI_FILE_WRITE_ORDERED_END,
};

void weir_rest_begin(void)
{
	weir_rest_is_on = weir_adjust_is_on();
}

static bool is_writer(uint16_t call)
{
	for (size_t i = 0; i < sizeof(writers) / sizeof(*writers); i++)
		if (writers[i] == call)
			return true;
	return false;
}

/* Then the buffer is MPI's own. */
static bool is_in_write(void)
{
	const struct weir_thread *t = weir_thread_self;
	uint32_t depth = t->state == WEIR_THREAD_READY ? weir_thread_depth(t)
						       : 0;

	if (depth > WEIR_SLOT_FRAMES)
		depth = WEIR_SLOT_FRAMES;
	while (depth--)
		if (is_writer(t->slot->frames[depth].call))
			return true;
	return false;
}

void weir_rest_fill(void *buffer, unsigned long len, long got)
{
	if (weir_rest_is_on && is_in_write())
		memset((char *)buffer + got, 0, len - (unsigned long)got);
}

void weir_rest_fill_vector(const void *vector, int count, long got)
{
	const struct iovec *parts = vector;
	size_t left = (size_t)got;

	if (got < 0 || !is_in_write())
		return;
	for (int i = 0; i < count; i++) {
		size_t known = left < parts[i].iov_len ? left
						       : parts[i].iov_len;

		memset((char *)parts[i].iov_base + known, 0,
		       parts[i].iov_len - known);
		left -= known;
	}
}
