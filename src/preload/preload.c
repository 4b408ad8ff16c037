/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends the library's work inside the application. */
#include "adjust/adjust.h"
#include "adjust/opened.h"
#include "adjust/rest.h"
#include "adjust/variables.h"
#include "base/rank.h"
#include "base/sys.h"
#include "capture/digests/digests.h"
#include "capture/process/traits.h"
#include "capture/session.h"
#include "capture/streams/role_stream.h"
#include "forward/divert/divert.h"
#include "gate/next.h"
#include "preload/forbid.h"
#include "preload/jump.h"
#include "preload/reap.h"
#include "preload/standalone.h"
#include "spec/launchers.h"
#include "spec/real.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

static const char *setting(char *const *environment, const char *name)
{
	size_t len = strlen(name);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, name, len) &&
		    (*environment)[len] == '=')
			return *environment + len + 1;
	return NULL;
}

/*
 * Without the launcher. The collector of an earlier process may have removed
 * the live directory just after we found it: then the second look makes one.
 */
static void begin_alone(struct weir_session_request *request,
			const char *trace, char **environment)
{
	static struct weir_standalone alone;
	size_t len = weir_standalone_split(trace, &alone.words);
	int err = 0;

	alone.files = setting(environment, "WEIR_FILES");
	request->live_directory = alone.live_directory;
	for (int tries = 0; !err && tries < 2; tries++) {
		request->may_try_again = !tries;
		err = weir_standalone_prepare(&alone, trace, len, environment);
		if (!err && weir_session_start(request) != -ENOENT)
			return;
	}
	if (err)
		weir_standalone_give_up(&alone, err);
}

/* What starts parallel programs is none: its own I/O is of no interest. */
static bool is_launcher(void)
{
	static const char *const silent[] = { WEIR_LAUNCHERS_SILENT };
	char path[256];
	long length = weir_sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe",
				path, sizeof(path) - 1);
	const char *name;

	if (length < 0)
		return false;
	path[length] = 0;
	name = strrchr(path, '/');
	for (const char *const *known = silent; name && *known; known++)
		if (!strcmp(name + 1, *known))
			return true;
	return false;
}

/* Known from the beginning; an MPI library may know better later. */
static void tell_rank(char *const *environment)
{
	struct weir_rank rank;

	if (!weir_rank_find(environment, &rank))
		return;
	weir_traits_set("rank", rank.rank);
	if (rank.size)
		weir_traits_set("size", rank.size);
	if (*rank.job)
		weir_traits_set("job", rank.job);
	weir_traits_set("launcher", rank.launcher);
}

__attribute__((constructor)) static void begin(int argc, char **argv,
					       char **environment)
{
	struct weir_session_request request = { .argc = argc, .argv = argv };
	struct weir_standalone_words words;
	const char *trace, *plan, *forward;

	weir_next_prepare();
	weir_forbid_resolve();
	weir_jump_resolve();
	weir_reap_resolve();
	trace = setting(environment, "WEIR_TRACE");
	forward = setting(environment, "WEIR_FORWARD");
	if ((!trace && !forward) || getauxval(AT_SECURE) || is_launcher())
		return;
	if (forward && *forward)
		weir_divert_begin(forward);
	if (!trace || !*trace)
		return;
	tell_rank(environment);
	plan = setting(environment, "WEIR_PLAN");
	if (plan && *plan) {
		weir_adjust_begin(plan);
		weir_opened_begin();
		weir_rest_begin();
	}
	weir_standalone_split(trace, &words);
	request.buffer_bytes = words.buffer_bytes;
	request.live_directory = setting(environment, "WEIR_LIVE");
	if (request.live_directory)
		weir_session_start(&request);
	else
		begin_alone(&request, trace, environment);
	if (plan && *plan)
		weir_variables_count(environment);
}

__attribute__((destructor)) static void finish(void)
{
	weir_role_end_streams();
	weir_divert_flush();
	weir_divert_end();
	weir_digests_end();
	weir_session_hint_exit();
}
