/* SPDX-License-Identifier: BSD-3-Clause */
/* weir info: sums up a trace on one screen. */
#include "base/options.h"
#include "cmds/trace_choice.h"
#include "cmds/verdict.h"
#include "share/infojson.h"
#include "share/infotext.h"
#include "spec/options.h"

#include <unistd.h>

static int show_info(const char *trace, bool exact, bool as_json)
{
	struct weir_info info;
	int status, err = weir_info_gather(trace, exact, &info);

	if (err)
		return weir_verdict_refuse(trace, err);
	status = weir_info_is_damaged(&info) ? WEIR_EXIT_DAMAGED : 0;
	if (as_json)
		err = weir_infojson_write(&info, trace, STDOUT_FILENO);
	else
		err = weir_infotext_write(&info, trace, STDOUT_FILENO);
	weir_info_fini(&info);
	return err ? weir_verdict_refuse_output("standard output", err)
		   : status;
}

int weir_cmd_info(int argc, char **argv)
{
	struct weir_options o;
	const char *trace;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_INFO], argc, argv,
				&status))
		return status;
	trace = weir_trace_choice("info", o.operands[0]);
	status = !trace ? WEIR_EXIT_USAGE :
		show_info(trace, weir_options_flag(&o, WEIR_INFO_EXACT),
			  weir_options_chose(&o, WEIR_INFO_FORMAT, "json"));
	weir_options_fini(&o);
	return status;
}
