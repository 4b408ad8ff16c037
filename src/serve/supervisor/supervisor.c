/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends a service, as seen by who starts it. */
#include "serve/supervisor/supervisor.h"

#include "base/detach.h"
#include "serve/daemon/startnotice.h"
#include "serve/state/runtime.h"
#include "serve/supervisor/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct weir_supervisor {
	int life;   /* closed: it is to end; -1: it is on its own */
	int report; /* what it has to say */
};

struct start {
	struct weir_setup *setup;
	int lock, door, above, log;
	int life[2], report[2];
	int errors; /* standard error, till the service has begun */
};

static void close_all(const int *fds, int count)
{
	for (int i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int open_log(const char *place, int *ret_log)
{
	char path[PATH_MAX];
	int err = weir_runtime_name(place, WEIR_RUNTIME_LOG, path,
				    sizeof(path));

	if (err)
		return err;
	*ret_log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return *ret_log < 0 ? -errno : 0;
}

static int open_sockets(struct start *start)
{
	const char *place = start->setup->place;

	start->door = weir_runtime_listen(place, WEIR_RUNTIME_DOOR);
	if (start->door < 0)
		return start->door;
	start->above = weir_runtime_listen(place, WEIR_RUNTIME_ABOVE);
	return start->above < 0 ? start->above : 0;
}

static int open_pipes(struct start *start, bool detached)
{
	if (!detached && pipe2(start->life, O_CLOEXEC))
		return -errno;
	if (pipe2(start->report, O_CLOEXEC))
		return -errno;
	start->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	return start->errors < 0 ? -errno : 0;
}

static void __attribute__((noreturn)) become(struct start *start)
{
	umask(077);
	dup2(start->errors, STDERR_FILENO);
	close(start->errors);
	weir_supervise(&(struct weir_supervise_order){
		.setup = start->setup,
		.door = start->door,
		.above = start->above,
		.life = start->life[0],
		.report = start->report[1],
		.log = start->log,
	});
}

static int start_process(struct start *start)
{
	const int kept[] = {
		start->lock, start->door, start->above, start->log,
		start->life[0], start->report[1], start->errors,
	};
	int count = sizeof(kept) / sizeof(*kept), err;

	fflush(NULL);
	err = weir_detach_fork("weir-supervise", kept, count);
	if (!err)
		become(start);
	close_all(kept, count);
	return err < 0 ? err : 0;
}

/* It has said itself, on standard error, what prevents it. */
static int await_beginning(struct start *start)
{
	struct weir_startnotice notice;
	int err = weir_startnotice_read(start->report[0], &notice, NULL);

	return err ? err : notice.err;
}

static int make_supervisor(struct start *start,
			   struct weir_supervisor **ret_supervisor)
{
	struct weir_supervisor *supervisor = calloc(1, sizeof(*supervisor));
	int err = supervisor ? start_process(start) : -ENOMEM;

	if (!err)
		err = await_beginning(start);
	if (err) {
		free(supervisor);
		close_all((int[]){start->life[1], start->report[0]}, 2);
		return err;
	}
	supervisor->life = start->life[1];
	supervisor->report = start->report[0];
	*ret_supervisor = supervisor;
	return 0;
}

static int prepare_place(struct start *start, bool detached)
{
	int err = open_sockets(start);

	if (!err)
		err = open_log(start->setup->place, &start->log);
	if (!err)
		err = open_pipes(start, detached);
	if (err)
		close_all((int[]){start->lock, start->door, start->above,
				  start->log, start->life[0], start->life[1]},
			  6);
	return err;
}

int weir_supervisor_start(struct weir_setup *setup, bool detached,
			  struct weir_supervisor **ret_supervisor)
{
	struct start start = {
		.setup = setup, .lock = -1, .door = -1, .above = -1,
		.log = -1, .life = {-1, -1}, .report = {-1, -1},
	};
	int err = weir_runtime_make(setup->place, sizeof(setup->place),
				    detached, &start.lock);

	if (err) {
		fprintf(stderr, "weir: cannot make a directory for the service"
			"%s%s: %s\n", *setup->place ? " at " : "",
			setup->place, strerror(-err));
		return err;
	}
	err = prepare_place(&start, detached);
	if (!err)
		err = make_supervisor(&start, ret_supervisor);
	if (!err)
		return 0;
	weir_runtime_remove(setup->place);
	fprintf(stderr, "weir: the service cannot be started: %s\n",
		strerror(-err));
	return err;
}

void weir_supervisor_leave(struct weir_supervisor *supervisor)
{
	close(supervisor->report);
	free(supervisor);
}

int weir_supervisor_finish(struct weir_supervisor *supervisor, FILE *out,
			   struct weir_startnotice *ret_notice)
{
	int err;

	*ret_notice = (struct weir_startnotice){0};
	close(supervisor->life);
	err = weir_startnotice_read(supervisor->report, ret_notice, out);
	weir_supervisor_leave(supervisor);
	return err ? err : (int)ret_notice->unstored;
}
