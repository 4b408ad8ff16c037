/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to move bytes, each with the layer that is to tell of them. */
#ifndef WEIR_TESTS_MOVES_H
#define WEIR_TESTS_MOVES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MOVES_BATCH 4 /* operations at once */

struct moves_task {
	const char *name;
	int fd; /* of the file, to read and write */
	long rounds;
	size_t size; /* of a transfer */
	char *data;  /* MOVES_BATCH of them */
};

struct moves_way {
	const char *name, *layer;
	void (*run)(const struct moves_task *task);
};

extern struct moved {
	uint64_t read, written, copied;
} moved;

extern const struct moves_way moves_plain[], moves_aio[], moves_libaio[],
	moves_uring[];

void moves_need(int is_good, const char *what);

/* What a call returned; negative: it failed, which ends the program. */
long moves_add(uint64_t *to, long bytes);

static inline off_t moves_place(const struct moves_task *task, long round,
				long i)
{
	return (off_t)((round * MOVES_BATCH + i) * (long)task->size);
}

#endif
