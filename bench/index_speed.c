/* SPDX-License-Identifier: BSD-3-Clause */
/* What a write costs in the index of a file: in order, and anywhere. */
#include "base/clock.h"
#include "cache/batch.h"

#include <stdio.h>
#include <stdlib.h>

#define WRITES (UINT64_C(1) << 19) /* 512 MiB of them */
#define LENGTH UINT64_C(1024)

static void note_gone(void *arg, struct weir_write *write)
{
	(void)write;
	++*(uint64_t *)arg;
}

static void tell(const char *what, uint64_t since)
{
	uint64_t took = weir_clock_ns(CLOCK_MONOTONIC) - since;

	printf("  %-8s %6.1f ns a write\n", what,
	       (double)took / (double)WRITES);
}

static void put_all(struct weir_index *index, struct weir_write *writes,
		    uint64_t step)
{
	for (uint64_t i = 0; i < WRITES; i++) {
		writes[i] = (struct weir_write){
			.stamp = i + 1,
			.offset = i * step % WRITES * LENGTH,
			.bytes = (const unsigned char *)writes,
			.length = LENGTH,
		};
		if (weir_index_put(index, &writes[i]))
			exit(1);
	}
}

/* `step` is odd: each place is written once. */
static void measure(const char *order, struct weir_write *writes, uint64_t step)
{
	struct weir_batch_shape shape = { .most = UINT64_C(8) << 20,
					  .align = UINT64_C(1) << 20 };
	uint64_t left = 0, since = weir_clock_ns(CLOCK_MONOTONIC);
	struct weir_index *index = weir_index_new(note_gone, &left);
	struct weir_batch batch;

	printf("%s\n", order);
	put_all(index, writes, step);
	tell("put", since);
	since = weir_clock_ns(CLOCK_MONOTONIC);
	if (weir_batch_gather(index, &shape, &batch))
		exit(1);
	tell("gather", since);
	since = weir_clock_ns(CLOCK_MONOTONIC);
	for (uint32_t i = 0; i < batch.count; i++)
		weir_batch_stored(index, &batch, i);
	weir_batch_settle(index, &batch);
	tell("leave", since);
	if (left != WRITES)
		exit(1);
	weir_index_free(index);
}

int main(void)
{
	struct weir_write *writes = malloc(WRITES * sizeof(*writes));

	if (!writes)
		return 1;
	measure("in order", writes, 1);
	measure("anywhere", writes, 1234567);
	free(writes);
	return 0;
}
