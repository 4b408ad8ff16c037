/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for what keeps a trace from being made, or from being whole. */
#ifndef WEIR_DOCTOR_DOCTOR_H
#define WEIR_DOCTOR_DOCTOR_H

#include "doctor/check.h"
#include "doctor/task.h"

#include <stddef.h>

struct weir_doctor_result {
	const struct weir_check *check;
	enum weir_check_answer answer; /* FINE or FOUND */
	char where[WEIR_CHECK_ROOM];
};

#define WEIR_DOCTOR_RESULTS 160

/* Findings first, the worst before others; then what is fine. */
struct weir_doctor {
	struct weir_doctor_result results[WEIR_DOCTOR_RESULTS];
	size_t count;
	size_t findings; /* what prevents or cuts a trace, and symptoms */
	size_t notes;	 /* after them */
};

/* 0, or -errno when it could not be done. */
int weir_doctor_examine(const struct weir_doctor_task *order,
			struct weir_doctor *ret_doctor);

#endif
