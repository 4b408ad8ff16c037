/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of kernels: told by place alone, so that anybody can check them. */
#include "data.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (UINT64_C(1) << 17) /* elements compared at a time */

static const size_t bytes_of[] = {
	[KERNEL_I32] = 4,
	[KERNEL_F32] = 4,
	[KERNEL_F64] = 8,
};

uint64_t kernel_random(uint64_t stream, uint64_t index)
{
	uint64_t x = (stream + 1) * UINT64_C(0xd1342543de82ef95) + index;

	x ^= x >> 32;
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 29;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

size_t kernel_array_bytes(const struct kernel_array *array, uint64_t count)
{
	return bytes_of[array->width] * count;
}

static double value_of(const struct kernel_array *array, uint64_t index)
{
	uint64_t x;

	if (array->value)
		return array->value(array, index);
	x = kernel_random(array->stream, index);
	if (array->width == KERNEL_I32)
		return (double)(x >> 33);
	return (double)(x >> 11) * 0x1p-53;
}

void kernel_array_fill(const struct kernel_array *array, uint64_t first,
		       uint64_t count, void *to)
{
	for (uint64_t i = 0; i < count; i++) {
		double value = value_of(array, first + i);

		if (array->width == KERNEL_I32)
			((int32_t *)to)[i] = (int32_t)(int64_t)value;
		else if (array->width == KERNEL_F32)
			((float *)to)[i] = (float)value;
		else
			((double *)to)[i] = value;
	}
}

uint64_t kernel_block_elements(const struct kernel_block *block)
{
	uint64_t elements = 1;

	for (int i = 0; i < block->dims; i++)
		elements *= block->count[i];
	return elements;
}

uint64_t kernel_block_whole(const struct kernel_block *block)
{
	uint64_t elements = 1;

	for (int i = 0; i < block->dims; i++)
		elements *= block->whole[i];
	return elements;
}

/* Where in the array row `n` of the block begins. */
static uint64_t row_begin(const struct kernel_block *block, uint64_t n)
{
	uint64_t at = block->start[block->dims - 1], step = 1;

	for (int i = block->dims - 1; i > 0; i--) {
		step *= block->whole[i];
		at += (block->start[i - 1] + n % block->count[i - 1]) * step;
		n /= block->count[i - 1];
	}
	return at;
}

void kernel_block_fill(const struct kernel_block *block,
		       const struct kernel_array *array, void *to)
{
	uint64_t run = block->count[block->dims - 1];
	uint64_t rows = run ? kernel_block_elements(block) / run : 0;
	char *at = to;

	for (uint64_t n = 0; n < rows; n++) {
		kernel_array_fill(array, row_begin(block, n), run, at);
		at += kernel_array_bytes(array, run);
	}
}

static void swap_bytes(void *data, size_t width, uint64_t count)
{
	uint32_t *short_words = data;
	uint64_t *long_words = data;

	for (uint64_t i = 0; i < count; i++) {
		if (width == 4)
			short_words[i] = be32toh(short_words[i]);
		else
			long_words[i] = be64toh(long_words[i]);
	}
}

static void tell_wrong(const struct kernel_run *run,
		       const struct kernel_array *array, uint64_t index)
{
	fprintf(stderr, "%s: %s: %s: element %llu is not what was written\n",
		kernel.name, run->path, array->what,
		(unsigned long long)index);
}

static void compare_block(struct kernel_run *run,
			  const struct kernel_array *array, uint64_t first,
			  uint64_t count, const uint8_t *got)
{
	static uint64_t want[BLOCK];
	size_t width = bytes_of[array->width];
	const uint8_t *right = (const uint8_t *)want;

	kernel_array_fill(array, first, count, want);
	run->compared += count * width;
	if (!memcmp(got, want, count * width))
		return;
	for (uint64_t i = 0; i < count; i++) {
		if (!memcmp(got + i * width, right + i * width, width))
			continue;
		if (!run->wrong)
			tell_wrong(run, array, first + i);
		run->wrong += width;
	}
}

void kernel_array_compare(struct kernel_run *run,
			  const struct kernel_array *array, uint64_t first,
			  uint64_t count, void *got)
{
	size_t width = bytes_of[array->width];
	uint8_t *at = got;

	if (array->big_endian)
		swap_bytes(got, width, count);
	while (count) {
		uint64_t n = count < BLOCK ? count : BLOCK;

		compare_block(run, array, first, n, at);
		first += n;
		count -= n;
		at += n * width;
	}
}

static void read_whole(const struct kernel_run *run, int fd, void *to,
		       size_t bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, (char *)to + done, bytes - done,
				  (off_t)(offset + done));

		if (n < 0)
			kernel_fail(run, "cannot read %s: %s", run->path,
				    strerror(errno));
		if (!n)
			break; /* what is missing is compared, and wrong */
		done += (size_t)n;
	}
	memset((char *)to + done, 0xff, bytes - done);
}

void kernel_array_check(struct kernel_run *run,
			const struct kernel_array *array, const char *path,
			uint64_t offset)
{
	uint64_t n, ranks = (uint64_t)run->ranks;
	uint64_t rank = (uint64_t)(run->rank + 1) % ranks;
	uint64_t first = array->count / ranks * rank;
	uint64_t end = rank + 1 == ranks ? array->count
					 : array->count / ranks * (rank + 1);
	void *block = kernel_memory(run, BLOCK * sizeof(uint64_t));
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		kernel_fail(run, "cannot open %s: %s", path, strerror(errno));
	for (; first < end; first += n) {
		n = end - first < BLOCK ? end - first : BLOCK;
		read_whole(run, fd, block, kernel_array_bytes(array, n),
			   offset + kernel_array_bytes(array, first));
		kernel_array_compare(run, array, first, n, block);
	}
	close(fd);
	free(block);
}
