/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends the events of the daemon. */
#include "serve/daemon/daemonevents.h"

#include "selftrace/selftrace.h"
#include "serve/state/setup.h"
#include "serve/state/state.h"

#include <inttypes.h>
#include <stdio.h>

static int begin_trace(const char *directory)
{
	const struct weir_setup *setup = weir_setup_used;
	char cache[24];
	struct weir_ownlive_trait traits[] = {
		{"role", "server"},
		{"policy", weir_setup_policies[setup->policy]},
		{"on_close", weir_setup_on_close[setup->on_close]},
		{"cache", cache},
		{"backend", setup->backend},
		{NULL, NULL},
	};

	snprintf(cache, sizeof(cache), "%" PRIu64, setup->cache);
	return weir_selftrace_begin(&(struct weir_ownlive_title){
		.directory = directory,
		.name = "weir serve (daemon)",
		.traits = traits,
	});
}

int weir_daemonevents_begin(const char *directory)
{
	int err = begin_trace(directory);

	if (!err)
		snprintf(weir_state->trace, sizeof(weir_state->trace), "%s",
			 directory);
	return err;
}

/* If it cannot be, the daemon before has at least told of itself. */
void weir_daemonevents_resume(void)
{
	if (!*weir_state->trace)
		return;
	if (begin_trace(weir_state->trace))
		fprintf(stderr, "weir: what this daemon does is not told in "
				"the trace\n");
}

void weir_daemonevents_end(void)
{
	weir_selftrace_end();
}
