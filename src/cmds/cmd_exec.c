/* SPDX-License-Identifier: BSD-3-Clause */
/* weir exec: becomes a program that is recorded. */
#include "base/options.h"
#include "cmds/layer_options.h"
#include "launch/ranks/shim.h"
#include "spec/options.h"

int weir_cmd_exec(int argc, char **argv)
{
	struct weir_options o;
	struct weir_shim_order order = { .files = "" };
	const char *files;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_EXEC], argc, argv,
				&status))
		return status;
	files = weir_options_text(&o, WEIR_EXEC_FILES);
	if (files)
		order.files = files;
	order.trace = o.operands[0];
	order.plan = weir_options_text(&o, WEIR_EXEC_PLAN);
	order.forward = weir_options_text(&o, WEIR_EXEC_FORWARD);
	status = weir_layer_options_read(
		weir_options_text(&o, WEIR_EXEC_LAYERS), &order.layers);
	if (!status)
		status = weir_shim_become(&order, o.operands + 1);
	weir_options_fini(&o);
	return status;
}
