/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what the doctor's checks examine. */
#ifndef WEIR_DOCTOR_PATIENT_H
#define WEIR_DOCTOR_PATIENT_H

#include "doctor/wrapper.h"
#include "launch/programs/closure.h"
#include "launch/programs/program.h"

#include <stdint.h>

struct weir_doctor_task;
struct weir_history;
struct weir_trial;

#define WEIR_PATIENT_LINKS 8

/* One of the programs that start each other: wrappers, scripts, the last. */
struct weir_patient_link {
	const char *word; /* by which it is called */
	bool is_there;	  /* found, and may be executed */
	int err;	  /* 0, or why its file could not be looked at */
	struct weir_program program;
	bool is_wrapper;
	struct weir_wrapper_use use; /* of a wrapper */
	char **made; /* words made for what a script starts; owned */
	char split[WEIR_PROGRAM_LINE];
};

struct weir_patient {
	const struct weir_doctor_task *order;
	struct weir_patient_link links[WEIR_PATIENT_LINKS];
	size_t link_count;
	const struct weir_patient_link *last; /* looked at; NULL: not known */
	struct weir_closure closure;	      /* of it */
	uint64_t buffer; /* bytes that a process will really have */
	char library[PATH_MAX];		      /* libweir.so */
	int library_err;
	bool is_plain;		/* to be recorded by WEIR_TRACE, not weir run */
	char target[PATH_MAX];	/* the trace's directory; empty: a new one */
	char place[PATH_MAX];	/* that directory, or the one it is made in */
	struct weir_trial *trial;     /* of the command, or NULL */
	struct weir_history *history; /* of a trace that is there, or NULL */
};

int weir_patient_init(struct weir_patient *patient,
		      const struct weir_doctor_task *order);
void weir_patient_fini(struct weir_patient *patient);

#endif
