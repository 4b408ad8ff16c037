/* SPDX-License-Identifier: BSD-3-Clause */
/* weir plan export: a plan for others. */
#include "cmds/plan_export.h"

#include "plan/export/planexport.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int refuse_output(const char *path, int err)
{
	fprintf(stderr, "weir: cannot write %s: %s\n", path, strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

static int write_to(int fd, const struct weir_planexport_format *format,
		    const struct weir_plan *plan)
{
	struct weir_text text;
	int err = weir_text_init(&text, fd);

	if (err)
		return err;
	weir_planexport_write(&text, format, plan, plan->path, stderr);
	err = weir_text_flush(&text);
	weir_text_fini(&text);
	return err;
}

static int write_plan_file(const char *path,
			   const struct weir_planexport_format *format,
			   const struct weir_plan *plan)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err;

	if (fd < 0)
		return -errno;
	err = write_to(fd, format, plan);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int weir_plan_export_run(const struct weir_options *o,
			  const struct weir_plan *plan)
{
	const struct weir_option *to = &o->verb->options[WEIR_PLAN_TO];
	const char *path = weir_options_text(o, WEIR_PLAN_OUTPUT);
	const struct weir_planexport_format *format = weir_planexport_find(
		to->choices[weir_options_choice(o, WEIR_PLAN_TO)]);
	int err;

	err = path ? write_plan_file(path, format, plan)
		   : write_to(STDOUT_FILENO, format, plan);
	return err ? refuse_output(path ? path : "the output", err)
		   : WEIR_EXIT_OK;
}
