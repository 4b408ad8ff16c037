/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command and has it recorded. */
#include "launch/run/run.h"

#include "base/detach.h"
#include "launch/clocks/timeserver.h"
#include "launch/collect/collector.h"
#include "launch/collect/collector_report.h"
#include "launch/collect/others.h"
#include "launch/directory/job.h"
#include "launch/directory/tracedir.h"
#include "launch/plans/planresult.h"
#include "launch/plans/runplan.h"
#include "launch/programs/program.h"
#include "launch/programs/subject.h"
#include "launch/ranks/environment.h"
#include "launch/ranks/forwarding.h"
#include "launch/ranks/parallel.h"
#include "launch/ranks/rules.h"
#include "launch/run/child.h"
#include "launch/run/runresult.h"
#include "launch/run/summary.h"
#include "spec/exits.h"
#include "trace/control/controlfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_RUNS 1000 /* of one program by a rank of a job */

struct run {
	const struct weir_run_order *order;
	char dir[PATH_MAX]; /* as the user sees it */
	char library[PATH_MAX];
	char *preload; /* the library and what goes with it */
	struct weir_program program;
	struct weir_tracedir place;
	struct weir_job job; /* that we are a rank of, with our command */
	struct weir_environment environment;
	struct weir_parallel parallel;
	struct weir_runplan plan; /* that its programs run by */
	struct weir_timeserver clock; /* for collectors of other hosts */
	int control_fd; /* the collector sees it close when the command ends */
	int report_fd;	/* what the collector has to say */
	int switch_fd;	/* the control file, to switch recording; or -1 */
	bool is_paused;
	bool has_run; /* recorded, to its end */
};

/*
 * A command that is not there leaves no trace directory behind. What else
 * may be wrong is for exec to say.
 */
static int look_at_program(struct run *run)
{
	const char *command = run->order->command[0];
	int err = weir_program_inspect(command, &run->program);

	if (err != -ENOENT)
		return 0;
	fprintf(stderr, "weir: cannot run %s: command not found\n", command);
	return err;
}

/* What the command's programs want and is not there is told here, once. */
static int list_objects(struct run *run, weir_preloads_set wanted)
{
	weir_preloads_set missing;

	run->preload = weir_preloads_list(run->library, wanted, &missing);
	if (!run->preload)
		return -ENOMEM;
	weir_preloads_tell_missing(missing, run->library);
	return 0;
}

static int find_library(struct run *run)
{
	int err = weir_environment_find_library(run->library);

	if (err == -EINVAL)
		fprintf(stderr,
			"weir: cannot preload %s: there is a colon or space in "
			"its path; install weir elsewhere\n",
			run->library);
	else if (err)
		fprintf(stderr,
			"weir: cannot find libweir.so: set WEIR_LIBRARY to its "
			"path\n");
	return err;
}

/* Only who uses it keeps it open: the collector takes it for a process. */
static int open_switch(struct run *run)
{
	int dir_fd, err;

	if (!run->order->switch_signal && !run->order->paused)
		return 0;
	dir_fd = open(run->place.live, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return -errno;
	err = weir_controlfile_open(dir_fd, true, &run->switch_fd);
	close(dir_fd);
	run->is_paused = run->order->paused;
	return err ? err : weir_controlfile_pause(run->switch_fd,
						  run->is_paused);
}

/* The signal has come; true: it is not for the command. */
static bool switch_recording(void *arg, int signal_number)
{
	struct run *run = arg;

	if (run->switch_fd < 0 || signal_number != run->order->switch_signal)
		return false;
	run->is_paused = !run->is_paused;
	if (weir_controlfile_pause(run->switch_fd, run->is_paused))
		run->is_paused = !run->is_paused;
	else if (!run->order->quiet)
		fprintf(stderr, "weir: recording is switched %s\n",
			run->is_paused ? "off" : "on");
	return true;
}

static uint32_t manner_of(const struct weir_run_order *order)
{
	if (order->ring)
		return WEIR_MANNER_RING;
	if (order->profile)
		return WEIR_MANNER_PROFILE;
	return WEIR_MANNER_TRACE | (order->sites ? WEIR_MANNER_SITES : 0) |
	       (order->pointers ? WEIR_MANNER_POINTERS : 0);
}

/* What every process is told; it must be there before the first comes. */
static int make_control(struct run *run)
{
	const struct weir_run_order *order = run->order;
	struct weir_controlfile_setup setup = {
		.flags = (order->all ? WEIR_CONTROL_ALL : 0) |
			 (order->single_file ? WEIR_CONTROL_SINGLE : 0) |
			 (order->verify ? WEIR_CONTROL_DIGEST : 0),
		.max_bytes = order->max_size,
		.manner = manner_of(order),
		.ring_bytes = order->ring,
		.rules = order->rules->text,
		.rules_bytes = order->rules->bytes,
	};
	int err = weir_controlfile_make(run->place.live, &setup);

	return err ? err : open_switch(run);
}

/* Where we choose the name, that of the rank's n-th command. */
static int claim_directory(struct run *run)
{
	size_t length = strlen(run->dir);
	int err = weir_job_claim(&run->job, run->dir);

	for (int n = 2; err == -EEXIST && !run->order->output && n < MOST_RUNS;
	     n++) {
		snprintf(run->dir + length, sizeof(run->dir) - length, "-%d",
			 n);
		err = weir_job_claim(&run->job, run->dir);
	}
	return err;
}

/* Ranks share one, as those do that write into one file. */
static int make_directory(struct run *run)
{
	int err = 0;

	if (run->order->single_file)
		return weir_tracedir_join(&run->place, run->dir);
	if (!*run->job.name)
		return weir_tracedir_create(&run->place, run->dir);
	err = claim_directory(run);
	return err ? err : weir_tracedir_join(&run->place, run->dir);
}

/* The processes find it there, on every host. */
static int leave_plan(struct run *run)
{
	int err = 0;

	if (run->plan.bytes)
		err = weir_runplan_leave(&run->plan, run->place.dir);
	if (err == -EEXIST)
		weir_tracedir_abandon(&run->place);
	return err;
}

/* The directory: one in use is the user's mistake, not a reason to go on. */
static int make_place(struct run *run)
{
	int err = make_directory(run);

	if (err == -EEXIST) {
		fprintf(stderr,
			"weir: %s is not empty: name another directory, or "
			"remove it first\n",
			run->dir);
		return err;
	}
	if (!err)
		err = weir_tracedir_check_room(&run->place);
	if (!err)
		err = weir_tracedir_lock(&run->place);
	if (!err)
		err = weir_tracedir_make_live(&run->place);
	if (!err)
		err = make_control(run);
	if (!err)
		err = leave_plan(run);
	if (err && err != -EEXIST)
		fprintf(stderr, "weir: cannot write a trace into %s: %s\n",
			run->dir, strerror(-err));
	return err;
}

static void serve(const struct weir_collector_job *job)
{
	umask(077);
	_exit(weir_collector_run(job) ? WEIR_EXIT_INTERNAL : 0);
}

static int start_collector(struct run *run)
{
	int control[2], reports[2], err;
	struct weir_collector_job job = {
		.place = &run->place,
		.max_bytes = run->order->max_size,
		.card = run->clock.is_open ? &run->clock.card : NULL,
	};

	if (pipe2(control, O_CLOEXEC))
		return -errno;
	if (pipe2(reports, O_CLOEXEC)) {
		err = -errno;
		close(control[0]);
		close(control[1]);
		return err;
	}
	job.control_fd = control[0];
	job.report_fd = reports[1];
	err = weir_detach_fork("weir-collect",
		(int[]){control[0], reports[1], run->place.lock_fd}, 3);
	if (!err)
		serve(&job);
	close(control[0]);
	close(reports[1]);
	if (err < 0) {
		close(control[1]);
		close(reports[0]);
		return err;
	}
	weir_tracedir_close(&run->place); /* the collector holds the lock now */
	run->control_fd = control[1];
	run->report_fd = reports[0];
	return 0;
}

/* Neither more nor less than the owner's rights, whatever the umask. */
static int make_private_place(struct run *run)
{
	mode_t theirs = umask(077);
	int err = make_place(run);

	umask(theirs);
	return err;
}

/* What a process on any node is told behind the trace's directory. */
static void write_words(const struct weir_run_order *order, char words[96])
{
	int used = snprintf(words, 96, "%llu",
			    (unsigned long long)order->buffer);

	if (order->ring)
		used += snprintf(words + used, 96 - (size_t)used, ",ring=%llu",
				 (unsigned long long)order->ring);
	snprintf(words + used, 96 - (size_t)used, "%s%s%s",
		 order->single_file ? ",single-file" : "",
		 order->profile ? ",profile" : "",
		 order->verify ? ",verify" : "");
}

static int make_environment(struct run *run)
{
	char words[96];
	struct weir_parallel_facts facts = {
		.dir = run->place.dir,
		.words = words,
		.rules = run->order->rules,
		.all = run->order->all,
		.layers = run->order->layers_text,
		.plan = run->plan.bytes ? run->plan.path : NULL,
		.forward = run->order->forward,
	};
	int err;

	write_words(run->order, words);
	err = weir_parallel_plan(&run->parallel, run->order->command, &facts);
	if (!err)
		err = weir_runplan_export(&run->plan);
	if (!err && run->order->forward)
		err = weir_forwarding_export(run->order->forward);
	if (err)
		return err;
	return weir_environment_make(&run->environment, &run->place,
				     run->parallel.line ? NULL : run->preload,
				     run->program.first, words);
}

static int start_recording(struct run *run)
{
	int err = make_environment(run);

	/* Without it the hosts' clocks are as they are, which is told. */
	if (!err && weir_timeserver_is_wanted(run->order->command[0]))
		weir_timeserver_open(&run->clock, &run->place);
	if (!err)
		err = start_collector(run);
	if (!err && run->clock.is_open)
		weir_timeserver_start(&run->clock);
	else
		weir_timeserver_close(&run->clock);
	if (err)
		fprintf(stderr, "weir: cannot start the collector: %s\n",
			strerror(-err));
	return err;
}

static int prepare_run(struct run *run)
{
	weir_preloads_set wanted;
	int err;

	weir_runplan_warn(&run->plan, &run->order->layers,
			  run->order->command);
	wanted = weir_subject_look(run->order->command, &run->order->layers);
	err = find_library(run);
	if (!err)
		err = list_objects(run, wanted);
	if (err)
		return err;
	err = make_private_place(run);
	if (err == -EEXIST)
		return err;
	if (!err)
		err = start_recording(run);
	if (err && run->place.made && *run->plan.path)
		unlink(run->plan.path);
	if (err)
		weir_tracedir_abandon(&run->place);
	return err;
}

static int set_environment(void *arg)
{
	struct run *run = arg;

	environ = run->environment.all;
	return 0;
}

/* The collector answers within its grace, or is dead. */
static int read_report(int fd, struct weir_collector_report *ret_report)
{
	ssize_t got;

	do
		got = read(fd, ret_report, sizeof(*ret_report));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(*ret_report) ? 0 : -EPIPE;
}

/* One that died before it stored anything: another one can do all. */
static int collect_after_all(struct run *run)
{
	char path[PATH_MAX];
	int err = -EEXIST;

	if (weir_tracedir_path(&run->place, ".weir", path) &&
	    access(path, F_OK))
		err = weir_tracedir_lock(&run->place);
	if (!err)
		err = start_collector(run);
	return err;
}

/* Told that the command has ended, it reports. */
static int ask_collector(struct run *run,
			 struct weir_collector_report *ret_report)
{
	int err;

	close(run->control_fd);
	err = read_report(run->report_fd, ret_report);
	close(run->report_fd);
	return err;
}

/* Says why there is nothing to sum up. */
static void excuse(struct run *run, int err)
{
	if (!err)
		fprintf(stderr, "weir: %s has been removed; nothing is left of "
			"the trace\n", run->dir);
	else
		fprintf(stderr,
			"weir: the collector ended before its time; what it "
			"stored can be read: weir dump %s\n",
			run->dir);
}

/*
 * True: all of the plan took effect, or there is none. `over`: no more will
 * be told of it.
 */
static bool tell_effects(struct run *run, bool over)
{
	struct weir_planresult_ask ask = {
		.plan = run->order->plan,
		.is_job = *run->job.name,
		.is_silent = weir_job_is_silent(&run->job),
		.failures = run->order->quiet,
	};

	if (!ask.plan)
		return true;
	if (over)
		return weir_planresult_tell(&run->place, &ask,
					    &run->order->result->outcome);
	fprintf(stderr, "weir: what became of the plan is not known yet: weir "
		"info %s\n", run->dir);
	return false;
}

/* What the trace lacks, and what of the plan did not take effect. */
static void judge_report(struct run *run,
			 const struct weir_collector_report *report,
			 bool is_lost, bool is_applied)
{
	struct weir_runresult *result = run->order->result;

	result->is_counted = report != NULL;
	if (report) {
		result->missing = weir_summary_missing(report);
		result->recorded = report->totals.events;
	}
	if (run->order->strict && (is_lost || result->missing))
		weir_runresult_add(result, WEIR_EXIT_LOST);
	if (run->order->strict && !is_applied)
		weir_runresult_add(result, WEIR_EXIT_UNAPPLIED);
}

static void conclude_run(struct run *run)
{
	const struct weir_summary_ask ask = {
		run->dir, run->order->command, run->order->advise,
	};
	struct weir_collector_report report;
	unsigned others;
	bool removed, is_applied;
	int err;

	run->has_run = true;
	if (run->switch_fd >= 0)
		close(run->switch_fd);
	err = ask_collector(run, &report);
	if (err && !collect_after_all(run))
		err = ask_collector(run, &report);
	/* Other ranks, and other runs into one file, end when they like. */
	others = *run->job.name || run->order->single_file ?
			 0 : weir_others_wait(&run->place);
	weir_timeserver_close(&run->clock);
	report.single |= *run->job.name != '\0'; /* others are in there too */
	removed = weir_tracedir_discard_lost(&run->place);
	if (!err && !removed && !report.single)
		weir_others_add(&run->place, &report);
	if (removed)
		excuse(run, 0);
	else if (err)
		excuse(run, err);
	else if (run->order->quiet || weir_job_is_silent(&run->job))
		weir_summary_warn(&report);
	else
		weir_summary_print(&report, &ask);
	if (others)
		fprintf(stderr, "weir: %u other hosts still write to %s\n",
			others, run->dir);
	is_applied = removed ||
		     tell_effects(run, !err && report.news ==
						       WEIR_COLLECTOR_DONE);
	judge_report(run, err ? NULL : &report, err || removed, is_applied);
}

/* The command begins and ends: 0, or why it does not begin. */
static int run_child(struct run *run, char **command, weir_child_setup setup)
{
	struct weir_runresult *result = run->order->result;
	struct weir_child child;
	int err = weir_child_start(&child, command, setup, run);

	if (err)
		return err;
	result->is_started = true;
	if (run->order->follow && setup)
		run->order->follow(run->order->follow_arg, &run->place);
	result->status = weir_child_wait(&child, switch_recording, run);
	if (run->order->follow && setup)
		run->order->unfollow(run->order->follow_arg);
	result->signal = child.signal;
	if (setup)
		weir_controlfile_tell_end(run->place.live, (uint32_t)child.pid,
					  child.told);
	return 0;
}

static int run_unrecorded(struct run *run)
{
	const struct weir_run_order *order = run->order;

	fprintf(stderr, "weir: warning: %s runs without being recorded%s%s\n",
		order->command[0], order->plan ? ", and without its plan" : "",
		order->forward ? ", and without being forwarded" : "");
	return run_child(run, order->command, NULL) ? WEIR_EXIT_INTERNAL : 0;
}

/* Started by a launcher for one rank, and the others by others. */
static bool may_be_rank(const struct weir_run_order *order)
{
	const char *why =
		order->check ? "--verify has to see all ranks end" :
		order->forward && !order->is_shared ?
			"--forward has to serve all ranks" : NULL;

	if (why)
		fprintf(stderr, "weir: %s: start their launcher by weir run, "
			"not weir run by it\n", why);
	return !why;
}

/* 0, or why the command was not run. */
static int run_by_plan(struct run *run)
{
	const struct weir_run_order *order = run->order;
	int err;

	weir_job_find(&run->job);
	if (*run->job.name && !may_be_rank(order))
		return WEIR_EXIT_USAGE;
	if (order->output)
		snprintf(run->dir, sizeof(run->dir), "%s", order->output);
	else
		weir_tracedir_name(run->dir, order->command[0], run->job.name);
	if (look_at_program(run))
		return WEIR_RUNRESULT_NOT_FOUND;
	err = prepare_run(run);
	if (err == -EEXIST)
		return WEIR_EXIT_USAGE;
	if (err)
		return order->strict ? WEIR_EXIT_INTERNAL :
				       run_unrecorded(run);
	if (order->forward && !order->ring && !order->profile)
		order->followed(order->stored_arg, run->place.live);
	err = run_child(run, run->parallel.line ? run->parallel.line
						: order->command,
			set_environment);
	weir_environment_free(&run->environment);
	weir_parallel_fini(&run->parallel);
	free(run->preload);
	if (err) {
		weir_timeserver_close(&run->clock);
		fprintf(stderr, "weir: cannot start a process: %s\n",
			strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (order->forward)
		weir_runresult_add(order->result,
				   order->stored(order->stored_arg,
						 order->result));
	conclude_run(run);
	return 0;
}

int weir_run_command(const struct weir_run_order *order)
{
	struct run run = {.order = order, .switch_fd = -1};
	struct weir_runresult *result = order->result;
	int err = order->plan ? weir_runplan_read(&run.plan, order->plan) : 0;

	if (!err)
		err = run_by_plan(&run);
	weir_runplan_fini(&run.plan);
	if (run.has_run && !realpath(run.dir, result->trace))
		result->trace[0] = '\0';
	if (run.has_run && order->check)
		weir_runresult_add(result, order->check(run.dir, order->quiet,
							result));
	return err ? err : weir_runresult_status(result);
}
