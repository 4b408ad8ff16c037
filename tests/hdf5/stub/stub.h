/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the stand-in share, and what a test may ask of it. */
#ifndef WEIR_TESTS_HDF5_STUB_H
#define WEIR_TESTS_HDF5_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t hid_t;
typedef uint64_t hsize_t;

#define EXPORT __attribute__((visibility("default")))
#define AT(kind, n) ((hid_t)(kind) << 56 | (n))
#define KIND(id) ((int)((id) >> 56))
#define DOUBLE AT(3, 1)

enum {
	FILES = 1, GROUPS = 2, TYPES = 3, SPACES = 4, SETS = 5, LISTS = 10,
	EVENTS = 15,
};

/* A transfer of a dataset; what has no buffer fails. */
struct stub_op {
	hid_t set, space;
	void *buf;
	bool writes;
};

int stub_transfer(const struct stub_op *op);

/* 1: the set has it; 0: to be done at once; -1: the set takes none. */
int stub_hand_over(hid_t es, const struct stub_op *op);

bool stub_is_event_set(hid_t id);

/* Whether a call can be made with a list, which is printed; 0 is none. */
bool stub_takes(const char *call, hid_t list);
int stub_open_lists(void);

/* Whether an operation of the dataset is under way. */
bool stub_is_busy(hid_t data);

/* How often something was asked of a dataset while it was busy. */
int stub_disturbed(void);

/* Its operations are done by who waits, not by a thread of the library. */
void stub_do_in_wait(hid_t es);

/* The first cannot be cancelled any more. */
void stub_start_first(hid_t es);

/* All are over, without a call that tells. */
void stub_finish(hid_t es);

#endif
