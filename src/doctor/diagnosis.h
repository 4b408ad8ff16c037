/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the doctor's findings as text or JSON. */
#ifndef WEIR_DOCTOR_DIAGNOSIS_H
#define WEIR_DOCTOR_DIAGNOSIS_H

#include <stdbool.h>

struct weir_doctor;
struct weir_text;

/* `all`: what is fine, too. */
void weir_diagnosis_text(struct weir_text *out,
			 const struct weir_doctor *doctor, bool all);
void weir_diagnosis_json(struct weir_text *out,
			 const struct weir_doctor *doctor);

#endif
