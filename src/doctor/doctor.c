/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for what keeps a trace from being made, or from being whole. */
#include "doctor/doctor.h"

#include "doctor/patient.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is the cause of others comes before them. */
static const struct weir_check *const tables[] = {
	weir_machine_checks, weir_library_checks, weir_command_checks,
	weir_wrapper_checks, weir_mpi_checks,	  weir_rule_checks,
	weir_setting_checks, weir_limit_checks,	  weir_place_checks,
	weir_trace_checks,   weir_probe_checks,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* Who asks about a trace alone does not ask about this machine. */
static bool is_asked_for(const struct weir_doctor_task *order,
			 const struct weir_check *table)
{
	return !order->trace || order->command[0] ||
	       table == weir_trace_checks;
}

static void run_check(struct weir_doctor *doctor,
		      const struct weir_patient *patient,
		      const struct weir_check *check)
{
	struct weir_doctor_result *result = &doctor->results[doctor->count];

	if (doctor->count == WEIR_DOCTOR_RESULTS)
		return;
	result->check = check;
	result->where[0] = '\0';
	result->answer = check->look(patient, check->arg, result->where);
	doctor->count += result->answer != WEIR_CHECK_UNASKED;
}

static void ask_all(struct weir_doctor *doctor,
		    const struct weir_patient *patient,
		    const struct weir_check *table)
{
	for (const struct weir_check *check = table; check->name; check++)
		run_check(doctor, patient, check);
}

static int rank(const struct weir_doctor_result *result)
{
	return result->answer == WEIR_CHECK_FINE ? WEIR_CHECK_NOTE + 1
						 : (int)result->check->weight;
}

/* In the order of their ranks, else as they were asked for. */
static void sort(struct weir_doctor *doctor, struct weir_doctor_result *room)
{
	size_t used = 0;

	for (int r = 0; r <= WEIR_CHECK_NOTE + 1; r++) {
		for (size_t i = 0; i < doctor->count; i++) {
			if (rank(&doctor->results[i]) == r)
				room[used++] = doctor->results[i];
		}
		if (r == WEIR_CHECK_SYMPTOM)
			doctor->findings = used;
		if (r == WEIR_CHECK_NOTE)
			doctor->notes = used - doctor->findings;
	}
	memcpy(doctor->results, room, used * sizeof(*room));
}

int weir_doctor_examine(const struct weir_doctor_task *order,
			struct weir_doctor *ret_doctor)
{
	struct weir_doctor_result *room =
		calloc(WEIR_DOCTOR_RESULTS, sizeof(*room));
	struct weir_patient *patient = malloc(sizeof(*patient));
	int err = room && patient ? weir_patient_init(patient, order)
				  : -ENOMEM;

	memset(ret_doctor, 0, sizeof(*ret_doctor));
	for (size_t i = 0; !err && i < TABLES; i++) {
		if (is_asked_for(order, tables[i]))
			ask_all(ret_doctor, patient, tables[i]);
	}
	if (!err)
		sort(ret_doctor, room);
	if (room && patient)
		weir_patient_fini(patient);
	free(patient);
	free(room);
	return err;
}
