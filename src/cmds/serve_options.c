/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options of a service, and finds the one that is meant. */
#include "cmds/serve_options.h"

#include "base/number.h"
#include "serve/files/backends.h"
#include "serve/state/runtime.h"
#include "spec/constants.h"
#include "spec/exits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS	    UINT64_C(1000000)
#define LEAST_CACHE (UINT64_C(4) << 20)
#define MOST_CACHE  (UINT64_C(1) << 40)
#define LEAST_PREFETCH (UINT64_C(1) << 20)

static int put_path(const char *path, char ret_path[PATH_MAX])
{
	if (!path)
		return 0;
	if (realpath(path, ret_path))
		return 0;
	fprintf(stderr, "weir: %s: %s\n", path, strerror(errno));
	return WEIR_EXIT_USAGE;
}

/* Said before there is anything to remove. */
static bool can_be_used(const struct weir_setup *setup)
{
	if (weir_backends_load(setup->backend, setup->backend_options))
		return false;
	weir_backends_end();
	return true;
}

/* Bytes to prefetch into; false, after saying what it may be. */
static bool read_prefetch(const char *text, uint64_t cache, uint64_t *ret_bytes)
{
	*ret_bytes = cache / 4;
	if (!strcmp(text, "on"))
		return true;
	*ret_bytes = 0;
	if (!strcmp(text, "off"))
		return true;
	if (!weir_number_parse_size(text, ret_bytes) &&
	    *ret_bytes >= LEAST_PREFETCH && *ret_bytes <= MOST_CACHE)
		return true;
	fputs("weir: --prefetch takes on, off, or a size from 1M to 1T\n",
	      stderr);
	return false;
}

int weir_serve_options_read(const struct weir_options *o,
			    const struct weir_serve_options *which,
			    struct weir_setup *ret_setup)
{
	uint64_t cache = weir_options_size(o, which->cache), prefetch;

	if (cache < LEAST_CACHE || cache > MOST_CACHE) {
		fputs("weir: --cache takes a size from 4M to 1T\n", stderr);
		return WEIR_EXIT_USAGE;
	}
	if (!read_prefetch(weir_options_text(o, which->prefetch), cache,
			   &prefetch))
		return WEIR_EXIT_USAGE;
	*ret_setup = (struct weir_setup){
		.cache = cache,
		.prefetch = prefetch,
		.policy = (enum weir_setup_policy)weir_options_choice(
			o, which->policy),
		.on_close = (enum weir_setup_on_close)weir_options_choice(
			o, which->on_close),
		.stagers = 2,
		.idle_ms = WEIR_SERVICE_IDLE / MS,
		.age_ms = WEIR_SERVICE_AGE / MS,
		.answer_ms = 1000,
	};
	if (weir_backends_place(weir_options_text(o, which->backend),
				ret_setup->backend)) {
		fputs("weir: --backend: that is too long\n", stderr);
		return WEIR_EXIT_USAGE;
	}
	if (!can_be_used(ret_setup))
		return WEIR_EXIT_USAGE;
	return put_path(weir_options_text(o, which->rescue),
			ret_setup->rescue);
}

int weir_serve_options_place(const char *given, char *ret_place, size_t room)
{
	char here[PATH_MAX] = "";
	int length;

	if (*given != '/' && !getcwd(here, sizeof(here)))
		here[0] = '\0';
	length = snprintf(ret_place, room, "%s%s%s", here, *here ? "/" : "",
			  given);
	if (length > 0 && (size_t)length < room)
		return 0;
	fprintf(stderr, "weir: --at %.40s...: that is too long\n", given);
	return WEIR_EXIT_USAGE;
}

struct found {
	char place[PATH_MAX];
	unsigned count;
};

static void note_service(const char *place, void *arg)
{
	struct found *found = arg;

	if (!found->count++)
		snprintf(found->place, sizeof(found->place), "%s", place);
}

static void name(const char *place, void *unused)
{
	fprintf(stderr, "  %s\n", place);
}

static int find_only(char ret_place[PATH_MAX])
{
	struct found found = {.count = 0};

	weir_runtime_each(note_service, &found);
	if (found.count == 1) {
		memcpy(ret_place, found.place, PATH_MAX);
		return 0;
	}
	if (!found.count) {
		fputs("weir: no service is running: weir serve start\n",
		      stderr);
		return WEIR_EXIT_REFUSED;
	}
	fprintf(stderr, "weir: %u services are running; name one by --at, or "
		"by WEIR_SERVER:\n", found.count);
	weir_runtime_each(name, NULL);
	return WEIR_EXIT_REFUSED;
}

int weir_serve_options_find(const char *given, char ret_place[PATH_MAX])
{
	int fd;

	if (!given)
		given = getenv("WEIR_SERVER");
	if (!given || !*given)
		return find_only(ret_place);
	if (!realpath(given, ret_place)) {
		fprintf(stderr, "weir: no service is at %s: %s\n", given,
			strerror(errno));
		return WEIR_EXIT_REFUSED;
	}
	fd = weir_runtime_connect(ret_place, WEIR_RUNTIME_ABOVE);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	fprintf(stderr, "weir: no service is at %s: %s\n", given,
		strerror(-fd));
	return WEIR_EXIT_REFUSED;
}
