/* SPDX-License-Identifier: BSD-3-Clause */
/* weir doctor: finds out why there is no trace, or only a part. */
#include "base/options.h"
#include "base/text.h"
#include "cmds/rule_options.h"
#include "doctor/diagnosis.h"
#include "doctor/doctor.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int print_diagnosis(const struct weir_options *o,
			   const struct weir_doctor *doctor)
{
	struct weir_text out;
	int err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	if (weir_options_chose(o, WEIR_DOCTOR_FORMAT, "json"))
		weir_diagnosis_json(&out, doctor);
	else
		weir_diagnosis_text(&out, doctor,
				    weir_options_flag(o, WEIR_DOCTOR_VERBOSE));
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}

/* Its results are too large for the stack. */
static int examine(const struct weir_options *o, struct weir_rules *rules)
{
	struct weir_doctor *doctor = malloc(sizeof(*doctor));
	struct weir_doctor_task order = {
		.output = weir_options_text(o, WEIR_DOCTOR_OUTPUT),
		.buffer = weir_options_size(o, WEIR_DOCTOR_BUFFER),
		.rules = rules,
		.all = weir_options_flag(o, WEIR_DOCTOR_ALL),
		.trace = weir_options_text(o, WEIR_DOCTOR_TRACE),
		.runs_command = weir_options_flag(o, WEIR_DOCTOR_TRY),
		.command = o->operands,
	};
	int status = 0, err;

	err = doctor ? weir_doctor_examine(&order, doctor) : -ENOMEM;
	if (!err) {
		status = doctor->findings ? WEIR_EXIT_FOUND : 0;
		err = print_diagnosis(o, doctor);
	}
	free(doctor);
	if (!err)
		return status;
	fprintf(stderr, "weir: cannot examine this machine: %s\n",
		strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

/* What cannot be meant; 0 when it can. */
static int check_usage(const struct weir_options *o)
{
	bool tries = weir_options_flag(o, WEIR_DOCTOR_TRY);

	if (tries && !o->operand_count)
		fputs("weir: --try needs a COMMAND to run\n", stderr);
	else if (tries && weir_options_text(o, WEIR_DOCTOR_TRACE))
		fputs("weir: --try makes a trace of its own; leave out "
		      "--trace\n", stderr);
	else
		return 0;
	return WEIR_EXIT_USAGE;
}

int weir_cmd_doctor(int argc, char **argv)
{
	struct weir_rules rules = {0};
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_DOCTOR], argc, argv,
				&status))
		return status;
	status = check_usage(&o);
	if (!status)
		status = weir_rule_options_read(&o, WEIR_DOCTOR_INCLUDE,
						WEIR_DOCTOR_EXCLUDE, &rules);
	if (!status)
		status = examine(&o, &rules);
	weir_rules_fini(&rules);
	weir_options_fini(&o);
	return status;
}
