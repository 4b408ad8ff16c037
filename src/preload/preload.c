/* SPDX-License-Identifier: BSD-3-Clause */
/* preload: the library's beginning and end inside the application. */
#include "capture/session.h"
#include "preload/standalone.h"
#include "spec/real.h"

#include <stdlib.h>
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

/* DIR,BUFSIZE with K, M or G behind the number; 0: not given or not one. */
static uint64_t buffer_bytes(const char *comma)
{
	uint64_t bytes = 0;
	const char *at = comma ? comma + 1 : "";

	for (; *at >= '0' && *at <= '9' && bytes < UINT64_C(1) << 40; at++)
		bytes = bytes * 10 + (uint64_t)(*at - '0');
	switch (*at) {
	case 'K':
	case 'k':
		return bytes << 10;
	case 'M':
	case 'm':
		return bytes << 20;
	case 'G':
	case 'g':
		return bytes << 30;
	}
	return bytes;
}

__attribute__((constructor)) static void begin(int argc, char **argv,
					       char **environment)
{
	static struct weir_standalone alone;
	const char *trace, *comma;
	struct weir_session_request request = { .argc = argc, .argv = argv };

	weir_real_resolve();
	trace = setting(environment, "WEIR_TRACE");
	if (!trace || !*trace || getauxval(AT_SECURE))
		return;
	comma = strrchr(trace, ',');
	request.buffer_bytes = buffer_bytes(comma);
	request.live_directory = setting(environment, "WEIR_LIVE");
	if (!request.live_directory) {
		size_t len = comma ? (size_t)(comma - trace) : strlen(trace);

		if (weir_standalone_prepare(&alone, trace, len, environment))
			return;
		request.live_directory = alone.live_directory;
	}
	weir_session_start(&request);
}

__attribute__((destructor)) static void finish(void)
{
	weir_session_hint_exit();
}
