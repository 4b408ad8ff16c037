/* SPDX-License-Identifier: BSD-3-Clause */
/* weir exec: become a program that is recorded. */
#include "base/options.h"
#include "launch/shim.h"
#include "spec/options.h"

int weir_cmd_exec(int argc, char **argv)
{
	struct weir_options o;
	const char *files;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_EXEC], argc, argv,
				&status))
		return status;
	files = weir_options_text(&o, WEIR_EXEC_FILES);
	status = weir_shim_become(o.operands[0], files ? files : "",
				  o.operands + 1);
	weir_options_fini(&o);
	return status;
}
