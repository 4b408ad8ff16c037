/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which operations of the plug-in `faulty` fail, and logs it. */
#ifndef WEIR_BACKENDS_FAULTS_H
#define WEIR_BACKENDS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

enum weir_faults_op {
	WEIR_FAULTS_WRITE,
	WEIR_FAULTS_READ,
	WEIR_FAULTS_SYNC,
	WEIR_FAULTS_TRUNCATE,
	WEIR_FAULTS_OPS,
};

struct weir_faults;

/* 0, or -errno after saying what is wrong. */
int weir_faults_new(const char *options, struct weir_faults **ret_faults);
void weir_faults_free(struct weir_faults *faults);

/* One operation that is asked for. */
struct weir_faults_case {
	enum weir_faults_op op;
	const char *path;
	int64_t offset;
	uint64_t length;
	/* set: */
	uint64_t number; /* among those that are counted; 0: it is not */
	int error;	 /* 0, or -errno: it is to fail so */
	bool is_short;	 /* only half of it is to be done */
};

/* Counts it and decides; waits as long as it is held. */
void weir_faults_meet(struct weir_faults *faults,
		      struct weir_faults_case *ret_case);
/* How it went: bytes, 0 or -errno. */
void weir_faults_tell(struct weir_faults *faults,
		      const struct weir_faults_case *met, int64_t result);

#endif
