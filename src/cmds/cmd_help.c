/* SPDX-License-Identifier: BSD-3-Clause */
/* weir help: explains a verb, or lists them. */
#include "base/options.h"
#include "cmds/verbs.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <stdio.h>

static int print_help(const char *name)
{
	int verb;

	if (!name) {
		fputs(weir_overview, stdout);
		return 0;
	}
	verb = weir_verbs_find(name);
	if (verb < 0)
		return WEIR_EXIT_USAGE;
	fputs(weir_verbs[verb].help, stdout);
	return 0;
}

int weir_cmd_help(int argc, char **argv)
{
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_HELP], argc, argv,
				&status))
		return status;
	status = print_help(o.operands[0]);
	weir_options_fini(&o);
	return status;
}
