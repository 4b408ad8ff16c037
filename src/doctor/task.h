/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the doctor is asked to look at. */
#ifndef WEIR_DOCTOR_TASK_H
#define WEIR_DOCTOR_TASK_H

#include <stdbool.h>
#include <stdint.h>

struct weir_rules;

struct weir_doctor_task {
	const char *output; /* as for weir run */
	uint64_t buffer;
	struct weir_rules *rules;
	bool all;
	const char *trace; /* one that is there already, or NULL */
	bool runs_command; /* and looks at what it left */
	char **command;	   /* ends with NULL; may be empty */
};

#endif
