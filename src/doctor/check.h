/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines a check: one cause for which a trace is missing or cut. */
#ifndef WEIR_DOCTOR_CHECK_H
#define WEIR_DOCTOR_CHECK_H

#include <stddef.h>

struct weir_patient;

#define WEIR_CHECK_ROOM 1024

enum weir_check_weight {
	WEIR_CHECK_PREVENTS, /* there is no trace, or nothing in it */
	WEIR_CHECK_CUTS,     /* something is missing, or is not as expected */
	WEIR_CHECK_SYMPTOM,  /* so it is seen; the cause is another row's */
	WEIR_CHECK_NOTE,     /* good to know; nothing is missing */
};

enum weir_check_answer {
	WEIR_CHECK_UNASKED, /* it is not about this patient */
	WEIR_CHECK_FINE,
	WEIR_CHECK_FOUND, /* `where` says where exactly */
};

struct weir_check {
	const char *name; /* stands in JSON, for ever */
	enum weir_check_weight weight;
	enum weir_check_answer (*look)(const struct weir_patient *patient,
				       int arg, char where[WEIR_CHECK_ROOM]);
	int arg;	   /* for look() */
	const char *wrong; /* what is wrong */
	const char *todo;  /* what to do about it */
	const char *fine;  /* what is so when nothing is wrong */
};

/* Says where; WEIR_CHECK_FOUND. */
enum weir_check_answer weir_check_found(char where[WEIR_CHECK_ROOM],
					const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The tables, each in its file; a row without a name ends it. */
extern const struct weir_check weir_command_checks[];
extern const struct weir_check weir_wrapper_checks[];
extern const struct weir_check weir_mpi_checks[];
extern const struct weir_check weir_library_checks[];
extern const struct weir_check weir_setting_checks[];
extern const struct weir_check weir_rule_checks[];
extern const struct weir_check weir_place_checks[];
extern const struct weir_check weir_limit_checks[];
extern const struct weir_check weir_machine_checks[];
extern const struct weir_check weir_probe_checks[];
extern const struct weir_check weir_trace_checks[];

#endif
