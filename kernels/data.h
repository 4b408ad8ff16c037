/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of kernels: told by place alone, so that anybody can check them. */
#ifndef WEIR_KERNELS_DATA_H
#define WEIR_KERNELS_DATA_H

#include "kernel.h"

/* One of many independent streams of numbers. */
uint64_t kernel_random(uint64_t stream, uint64_t index);

enum kernel_width {
	KERNEL_I32,
	KERNEL_F32,
	KERNEL_F64,
};

/*
 * An array as it lies in a file: element i has a value that only i and the
 * array's own facts tell.
 */
struct kernel_array {
	const char *what; /* its name */
	enum kernel_width width;
	uint64_t stream; /* of random numbers */
	uint64_t count;	 /* elements */
	bool big_endian; /* in the file */
	/* NULL: random; else the value of an element. */
	double (*value)(const struct kernel_array *array, uint64_t index);
};

size_t kernel_array_bytes(const struct kernel_array *array, uint64_t count);

/* The elements from `first` on, in the machine's own order. */
void kernel_array_fill(const struct kernel_array *array, uint64_t first,
		       uint64_t count, void *to);

#define KERNEL_DIMS 4

/* A rank's block of an array of some dimensions, the last the fastest. */
struct kernel_block {
	int dims;
	unsigned long long whole[KERNEL_DIMS];
	unsigned long long start[KERNEL_DIMS];
	unsigned long long count[KERNEL_DIMS];
};

uint64_t kernel_block_elements(const struct kernel_block *block);
uint64_t kernel_block_whole(const struct kernel_block *block);

/* The block's elements, one after the other. */
void kernel_block_fill(const struct kernel_block *block,
		       const struct kernel_array *array, void *to);

/*
 * Compare elements that somebody has read, from `first` on, with what they
 * should be; the first that is wrong is told on stderr.
 */
void kernel_array_compare(struct kernel_run *run,
			  const struct kernel_array *array, uint64_t first,
			  uint64_t count, void *got);

/*
 * The same for the whole array at `offset` of a file, read by plain system
 * calls; each rank takes what, dealt evenly, would be the next rank's.
 */
void kernel_array_check(struct kernel_run *run,
			const struct kernel_array *array, const char *path,
			uint64_t offset);

#endif
