/* SPDX-License-Identifier: BSD-3-Clause */
/* weir run: record the I/O of a program. */
#include "base/options.h"
#include "launch/run.h"
#include "spec/options.h"

int weir_cmd_run(int argc, char **argv)
{
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_RUN], argc, argv,
				&status))
		return status;
	status = weir_run_command(&(struct weir_run_order){
		.output = weir_options_text(&o, WEIR_RUN_OUTPUT),
		.buffer = weir_options_size(&o, WEIR_RUN_BUFFER),
		.quiet = weir_options_flag(&o, WEIR_RUN_QUIET),
		.strict = weir_options_flag(&o, WEIR_RUN_STRICT),
		.command = o.operands,
	});
	weir_options_fini(&o);
	return status;
}
