/* SPDX-License-Identifier: BSD-3-Clause */
/* weir run: records the I/O of a program. */
#include "base/options.h"
#include "cmds/forward_run.h"
#include "cmds/layer_options.h"
#include "cmds/progress.h"
#include "cmds/rule_options.h"
#include "cmds/run_advice.h"
#include "cmds/run_progress.h"
#include "launch/ranks/rules.h"
#include "launch/run/run.h"
#include "launch/run/runresult.h"
#include "spec/exits.h"
#include "spec/options.h"
#include "trace/layout/ring_layout.h"
#include "verify/verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0: none was given; -1: it cannot be used for this. */
static int find_signal(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{"USR1", SIGUSR1}, {"USR2", SIGUSR2},	{"HUP", SIGHUP},
		{"ALRM", SIGALRM}, {"WINCH", SIGWINCH},
	};

	if (!name)
		return 0;
	if (!strncmp(name, "SIG", 3))
		name += 3;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!strcmp(name, signals[i].name))
			return signals[i].number;
	fprintf(stderr,
		"weir: --switch does not take the signal %s, only USR1, USR2, "
		"HUP, ALRM and WINCH\n",
		name);
	return -1;
}

/* 0, or what the tool shall exit with. */
static int check_ring(const struct weir_options *o)
{
	uint64_t bytes = weir_options_size(o, WEIR_RUN_RING);

	if (bytes && (bytes < WEIR_RING_LEAST || bytes > WEIR_RING_MOST)) {
		fprintf(stderr,
			"weir: --ring takes a size from 64K to 256M\n");
		return WEIR_EXIT_USAGE;
	}
	if (bytes && weir_options_flag(o, WEIR_RUN_PROFILE)) {
		fputs("weir: --ring keeps calls, --profile keeps sums: choose "
		      "one\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	if (weir_options_flag(o, WEIR_RUN_BACKTRACE) &&
	    (bytes || weir_options_flag(o, WEIR_RUN_PROFILE))) {
		fputs("weir: --backtrace does not go with --ring and "
		      "--profile, which keep no call sites\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	if (weir_options_flag(o, WEIR_RUN_POINTERS) &&
	    (bytes || weir_options_flag(o, WEIR_RUN_PROFILE))) {
		fputs("weir: --pointers does not go with --ring and "
		      "--profile, which keep no arguments\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	if (!bytes && weir_options_flag(o, WEIR_RUN_SINGLE_FILE)) {
		fprintf(stderr,
			"weir: --single-file needs --ring SIZE; otherwise the "
			"trace of a node is one file already, and 'weir merge' "
			"joins those of several nodes\n");
		return WEIR_EXIT_USAGE;
	}
	return 0;
}

/* 0, or what the tool shall exit with. */
static int check_verify(const struct weir_options *o)
{
	const struct {
		const char *name;
		bool is_there;
	} others[] = {
		{ "--ring", weir_options_size(o, WEIR_RUN_RING) != 0 },
		{ "--profile", weir_options_flag(o, WEIR_RUN_PROFILE) },
		{ "--paused", weir_options_flag(o, WEIR_RUN_PAUSED) },
		{ "--switch", weir_options_text(o, WEIR_RUN_SWITCH) != NULL },
	};

	if (!weir_options_flag(o, WEIR_RUN_VERIFY))
		return 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (!others[i].is_there)
			continue;
		fprintf(stderr, "weir: --verify needs all calls of the run: "
			"leave out %s\n", others[i].name);
		return WEIR_EXIT_USAGE;
	}
	return 0;
}

/* Of what is to be told, with `brief` only what is wrong, and kept. */
static void tell_proof(const struct weir_verify *found, bool brief,
		       struct weir_runresult *result)
{
	size_t size;
	FILE *out = open_memstream(&result->verified, &size);

	weir_verify_print(found, brief, stderr);
	if (!out)
		return;
	weir_verify_print(found, false, out);
	fclose(out);
}

/* After the run: reads all again that was written. */
static int verify(const char *trace, bool quiet, struct weir_runresult *result)
{
	struct weir_progress progress;
	struct weir_verify *found;
	int err, reason;

	weir_progress_begin(&progress, "reading what was written", NULL);
	err = weir_verify_run(trace, &found);
	weir_progress_end(&progress);
	if (err) {
		fprintf(stderr, "weir: %s: not verified: %s\n", trace,
			strerror(-err));
		result->verified = strdup("not verified");
		return WEIR_EXIT_INTERNAL;
	}
	tell_proof(found, quiet, result);
	reason = weir_verify_differs(found) ? WEIR_EXIT_DIFFERS : 0;
	weir_verify_free(found);
	return reason;
}

/*
 * All that may be a mistake is checked before anything is started: a run of
 * hours must not end with a usage message.
 */
static int run_command(const struct weir_options *o, struct weir_rules *rules,
		       struct weir_forward_run *forward,
		       struct weir_runresult *result)
{
	const char *layers_text = weir_options_text(o, WEIR_RUN_LAYERS);
	bool is_followed = weir_options_flag(o, WEIR_RUN_PROGRESS);
	struct weir_run_progress progress = { .runs = false };
	struct weir_preloads_choice layers;
	int signal_number = find_signal(weir_options_text(o, WEIR_RUN_SWITCH));
	int status;

	if (signal_number < 0)
		return WEIR_EXIT_USAGE;
	status = check_ring(o);
	if (!status)
		status = check_verify(o);
	if (!status)
		status = weir_layer_options_read(layers_text, &layers);
	if (!status)
		status = weir_rule_options_read(o, WEIR_RUN_INCLUDE,
						WEIR_RUN_EXCLUDE, rules);
	if (!status)
		status = weir_forward_run_begin(o, forward);
	if (status)
		return status;
	return weir_run_command(&(struct weir_run_order){
		.output = weir_options_text(o, WEIR_RUN_OUTPUT),
		.buffer = weir_options_size(o, WEIR_RUN_BUFFER),
		.rules = rules,
		.all = weir_options_flag(o, WEIR_RUN_ALL),
		.profile = weir_options_flag(o, WEIR_RUN_PROFILE),
		.plan = weir_options_text(o, WEIR_RUN_PLAN),
		.forward = forward->text,
		.stored = weir_forward_run_finish,
		.followed = weir_forward_run_follow,
		.stored_arg = forward,
		.is_shared = !forward->supervisor,
		.sites = weir_options_flag(o, WEIR_RUN_BACKTRACE),
		.pointers = weir_options_flag(o, WEIR_RUN_POINTERS),
		.verify = weir_options_flag(o, WEIR_RUN_VERIFY),
		.check = weir_options_flag(o, WEIR_RUN_VERIFY) ? verify : NULL,
		.advise = weir_run_advice_tell,
		.follow = is_followed ? weir_run_progress_begin : NULL,
		.unfollow = weir_run_progress_end,
		.follow_arg = &progress,
		.layers = layers,
		.layers_text = layers_text,
		.paused = weir_options_flag(o, WEIR_RUN_PAUSED),
		.switch_signal = signal_number,
		.ring = weir_options_size(o, WEIR_RUN_RING),
		.single_file = weir_options_flag(o, WEIR_RUN_SINGLE_FILE),
		.max_size = weir_options_size(o, WEIR_RUN_MAX_SIZE),
		.quiet = weir_options_flag(o, WEIR_RUN_QUIET),
		.strict = weir_options_flag(o, WEIR_RUN_STRICT),
		.command = o->operands,
		.result = result,
	});
}

/* The file that tells the command's end and ours apart. */
static int leave_result(const char *path, struct weir_runresult *result,
			int status)
{
	int err;

	if (status && !result->status && !result->reasons)
		weir_runresult_add(result, status);
	err = path ? weir_runresult_write(result, path, status) : 0;
	if (!err)
		return status;
	fprintf(stderr, "weir: cannot write the result to %s: %s\n", path,
		strerror(-err));
	return status ? status : WEIR_EXIT_INTERNAL;
}

int weir_cmd_run(int argc, char **argv)
{
	struct weir_forward_run forward = {0};
	struct weir_runresult result = {0};
	struct weir_rules rules = {0};
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_RUN], argc, argv,
				&status))
		return status;
	result.command = o.operands;
	result.plan = weir_options_text(&o, WEIR_RUN_PLAN);
	status = run_command(&o, &rules, &forward, &result);
	weir_runresult_add(&result, weir_forward_run_finish(&forward, &result));
	if (!status)
		status = weir_runresult_status(&result);
	status = leave_result(weir_options_text(&o, WEIR_RUN_RESULT), &result,
			      status);
	weir_runresult_fini(&result);
	weir_rules_fini(&rules);
	weir_options_fini(&o);
	return status;
}
