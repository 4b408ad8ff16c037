/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what the doctor's checks examine. */
#include "doctor/patient.h"

#include "base/number.h"
#include "doctor/history.h"
#include "doctor/task.h"
#include "doctor/trial.h"
#include "launch/ranks/environment.h"
#include "trace/layout/live_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SPLIT   32
#define MOST_BUFFER ((uint64_t)WEIR_LIVE_UNITS * WEIR_LIVE_UNIT_BYTES)

static size_t count_words(char **words)
{
	size_t count = 0;

	while (words[count])
		count++;
	return count;
}

/*
 * A script's argument is one word, whatever blanks it has, unless its
 * interpreter is env, which is told to split it.
 */
static size_t add_argument(struct weir_patient_link *link, char **to)
{
	const char *slash = strrchr(link->program.interpreter, '/');
	char *rest = link->split, *word;
	size_t count = 0;

	snprintf(link->split, sizeof(link->split), "%s",
		 link->program.argument);
	if (!*rest)
		return 0;
	if (!slash || strcmp(slash, "/env") || strncmp(rest, "-S", 2)) {
		to[0] = rest;
		return 1;
	}
	rest += 2;
	while (count < MAX_SPLIT && (word = strsep(&rest, " \t"))) {
		if (*word)
			to[count++] = word;
	}
	return count;
}

/* What the kernel starts for a script, or execvp for a text without `#!`. */
static char **start_script(struct weir_patient_link *link, char **words)
{
	size_t count = count_words(words), used = 1;
	char **made = calloc(count + MAX_SPLIT + 3, sizeof(*made));

	if (!made)
		return NULL;
	if (!link->program.is_script)
		strcpy(link->program.interpreter, "/bin/sh");
	made[0] = link->program.interpreter;
	used += add_argument(link, made + used);
	made[used++] = link->program.path;
	memcpy(made + used, words + 1, count * sizeof(*made));
	link->made = made;
	return made;
}

/* Looks at a program; the words it starts, or NULL. */
static char **look_at_link(struct weir_patient_link *link, char **words)
{
	char path[PATH_MAX] = "";

	link->word = words[0];
	link->err = weir_program_find(words[0], path);
	link->is_there = !link->err;
	if (link->is_there)
		link->err = weir_program_look(path, &link->program);
	snprintf(link->program.path, PATH_MAX, "%s", path);
	link->is_wrapper = weir_wrapper_read(words, &link->use);
	if (link->err == -ENOEXEC || link->program.is_script) {
		link->err = 0;
		/* A wrapper that is a script is a wrapper first of all. */
		return link->is_wrapper ? link->use.next
					: start_script(link, words);
	}
	return link->is_wrapper ? link->use.next : NULL;
}

static void follow_wrappers(struct weir_patient *patient, char **words)
{
	struct weir_patient_link *link;

	while (words && patient->link_count < WEIR_PATIENT_LINKS) {
		link = &patient->links[patient->link_count++];
		words = look_at_link(link, words);
		if (!words && !link->err && !link->is_wrapper)
			patient->last = link;
	}
}

/* DIR or DIR,SIZE, as the preloaded library reads it. */
static void split_setting(const char *setting, char target[PATH_MAX])
{
	const char *comma = strrchr(setting, ',');
	uint64_t bytes;
	size_t length = comma && !weir_number_parse_size(comma + 1, &bytes) ?
				(size_t)(comma - setting) : strlen(setting);

	snprintf(target, PATH_MAX, "%.*s", (int)length, setting);
}

/* Where the trace will be: as for weir run, or for the library alone. */
static void find_trace_place(struct weir_patient *patient)
{
	const char *setting = getenv("WEIR_TRACE");
	const char *output = patient->order->output;
	struct stat st;
	char *slash;

	patient->is_plain = setting && *setting && !output;
	if (output)
		snprintf(patient->target, PATH_MAX, "%s", output);
	else if (patient->is_plain)
		split_setting(setting, patient->target);
	strcpy(patient->place, *patient->target ? patient->target : ".");
	if (!stat(patient->place, &st))
		return;
	slash = strrchr(patient->place, '/');
	if (slash)
		slash[slash == patient->place] = '\0';
	else
		strcpy(patient->place, ".");
}

/* The command is run only when that is asked for. */
static int try_command(struct weir_patient *patient)
{
	const struct weir_doctor_task *order = patient->order;
	int err;

	patient->trial = calloc(1, sizeof(*patient->trial));
	if (!patient->trial)
		return -ENOMEM;
	err = weir_trial_init(patient->trial, patient->place);
	if (!err)
		err = weir_trial_run(patient->trial,
				     &(struct weir_run_order){
					     .buffer = order->buffer,
					     .rules = order->rules,
					     .all = order->all,
					     .layers = {.by_program = true},
					     .quiet = true,
					     .command = order->command,
				     },
				     true);
	if (err) /* told by the checks of the place */
		return 0;
	return weir_history_new(patient->trial->trace, NULL,
				&patient->history);
}

int weir_patient_init(struct weir_patient *patient,
		      const struct weir_doctor_task *order)
{
	int err = 0;

	memset(patient, 0, sizeof(*patient));
	patient->order = order;
	patient->buffer = order->buffer < MOST_BUFFER ? order->buffer
						      : MOST_BUFFER;
	if (order->command[0])
		follow_wrappers(patient, order->command);
	if (patient->last)
		err = weir_closure_make(patient->last->program.path,
					&patient->closure);
	patient->library_err = weir_environment_find_library(patient->library);
	find_trace_place(patient);
	if (!err && order->trace)
		err = weir_history_new(order->trace, NULL, &patient->history);
	else if (!err && order->runs_command)
		err = try_command(patient);
	return err;
}

void weir_patient_fini(struct weir_patient *patient)
{
	for (size_t i = 0; i < patient->link_count; i++)
		free(patient->links[i].made);
	weir_closure_fini(&patient->closure);
	weir_history_free(patient->history);
	if (patient->trial)
		weir_trial_fini(patient->trial);
	free(patient->trial);
}
