/* SPDX-License-Identifier: BSD-3-Clause */
/* weir collect: serves the recorded processes of this node. */
#include "base/detach.h"
#include "base/options.h"
#include "launch/collect/collector.h"
#include "launch/directory/tracedir.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The lock is passed on to the detached process; who does not get it is not
 * needed, and quick to say so.
 */
static int collect(const char *dir)
{
	struct weir_tracedir place;
	int err;

	umask(077);
	err = weir_tracedir_open(&place, dir);
	if (!err)
		err = weir_tracedir_find_live(&place);
	if (err) {
		fprintf(stderr, "weir: %s: no recorded processes: %s\n", dir,
			strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (weir_tracedir_lock(&place))
		return 0;
	err = weir_detach_fork("weir-collect", &place.lock_fd, 1);
	if (err)
		return err < 0 ? WEIR_EXIT_INTERNAL : 0;
	err = weir_collector_run(&(struct weir_collector_job){
		.place = &place, .control_fd = -1, .report_fd = -1});
	return err ? WEIR_EXIT_INTERNAL : 0;
}

int weir_cmd_collect(int argc, char **argv)
{
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_COLLECT], argc, argv,
				&status))
		return status;
	status = collect(o.operands[0]);
	weir_options_fini(&o);
	return status;
}
