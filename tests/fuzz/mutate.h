/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fuzzer is told of a format: where its parts, numbers and words are,
 * and how lengths and checks are put right after a change. Each target
 * defines its own `fuzz_shape`; mutate.c does the rest.
 */
#ifndef WEIR_TESTS_MUTATE_H
#define WEIR_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A number in the head of a part. */
struct fuzz_number {
	uint16_t at;
	uint8_t size; /* 1, 2, 4 or 8 bytes */
};

#define FUZZ_NUMBER(type, member)                                              \
	{ offsetof(type, member), sizeof(((type *)0)->member) }

/* What is NULL or 0 does not apply. */
struct fuzz_shape {
	/* bytes of the first part with its padding; 0: all is one part */
	size_t (*part)(const uint8_t *bytes, size_t size);
	size_t head; /* bytes of a part before its body */
	const struct fuzz_number *numbers; /* of a head; ends with size 0 */

	/*
	 * The body of a part as it is before it is squeezed; 0: as it stands.
	 * And a part made anew of a changed body, the old one's head before
	 * it; its length.
	 */
	size_t (*unpack)(const uint8_t *part, size_t size, uint8_t *body,
			 size_t room);
	size_t (*pack)(uint8_t *part, size_t room, const uint8_t *body,
		       size_t size);

	/* what no fuzzer hits by chance: magic, lengths, checks */
	void (*repair)(uint8_t *bytes, size_t size);

	const char *const *words; /* of a text; ends with NULL */
};

extern const struct fuzz_shape fuzz_shape;

/* The fuzzer's own, and its stand-in where there is no fuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
				 const uint8_t *data2, size_t size2,
				 uint8_t *out, size_t max_size,
				 unsigned int seed);

#endif
