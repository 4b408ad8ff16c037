/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the whole way: records a small program of our own. */
#include "doctor/check.h"
#include "doctor/history.h"
#include "doctor/patient.h"
#include "doctor/task.h"
#include "doctor/trial.h"
#include "launch/ranks/rules.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Why the trial's trace does not show the file, or NULL. */
static const char *look_at_trial(const struct weir_trial *trial)
{
	struct weir_history *history;
	const char *why = "no call of it is in its trace";

	if (trial->status)
		return "it failed";
	if (weir_history_new(trial->trace, "/probe", &history))
		return NULL;
	if (history->has_wanted)
		why = NULL;
	else if (history->err)
		why = "it left no trace";
	weir_history_free(history);
	return why;
}

static enum weir_check_answer look_at_probe(const struct weir_patient *p,
					    int arg, char *where)
{
	static char self[] = "/proc/self/exe", verb[] = "probe";
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;
	struct weir_rules rules = {0};
	struct weir_trial trial;
	char *command[] = {self, verb, trial.file, NULL};
	const char *why;
	struct stat st;
	int err;

	if (stat(p->place, &st) || !S_ISDIR(st.st_mode))
		return WEIR_CHECK_UNASKED; /* told by another check */
	err = weir_trial_init(&trial, p->place);
	if (err)
		return weir_check_found(where, "no directory could be made in "
					"%s: %s", p->place, strerror(-err));
	if (!weir_trial_run(&trial,
			    &(struct weir_run_order){
				    .buffer = p->order->buffer,
				    .rules = &rules,
				    .all = true,
				    .quiet = true,
				    .strict = true,
				    .command = command,
			    },
			    false)) {
		why = look_at_trial(&trial);
		answer = WEIR_CHECK_FINE;
		if (why)
			answer = weir_check_found(
				where, "%s: %s%s%s (status %d)", p->place, why,
				trial.said[0] ? "; it said: " : "", trial.said,
				trial.status);
	}
	weir_trial_fini(&trial);
	return answer;
}

const struct weir_check weir_probe_checks[] = {
	{"probe", WEIR_CHECK_SYMPTOM, look_at_probe, 0,
	 "a small program of weir's own could not be recorded",
	 "look at the other findings; if there are none, name another place: "
	 "-o DIR, and report it if that does not help",
	 "a small program of weir's own was recorded, from its start to its "
	 "trace"},
	{0},
};
