/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast one core sums up what is written. usage: digest_speed BYTES */
#include "base/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ALL (UINT64_C(4) << 30)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	size_t size = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	unsigned char *bytes = size ? malloc(size) : NULL;
	struct weir_digest sum = { 0, 0 };
	double begin;

	if (!bytes)
		return 2;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(i * 2654435761u >> 13);
	begin = now();
	for (uint64_t at = 0; at < ALL; at += size)
		weir_digest_add(&sum, at, bytes, size);
	printf("GB/s %.3f\n", (double)ALL / (now() - begin) / 1e9);
	printf("sum %u\n", (unsigned)(sum.low & 0xff));
	return 0;
}
