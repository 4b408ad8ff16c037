/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recorded program finds in its environment. */
#include "launch/environment.h"

#include "launch/tracedir.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libweir.so"

/* Relative to the directory of this tool; the last is Debian's multiarch. */
static const char *const places[] = {
	LIBRARY,
	"../lib/weir/" LIBRARY,
	"../lib64/weir/" LIBRARY,
	"../lib/*/weir/" LIBRARY,
};

static int look_beside(const char *pattern, char path[PATH_MAX])
{
	glob_t found;
	int err = -ENOENT;

	if (!glob(pattern, 0, NULL, &found) &&
	    realpath(found.gl_pathv[0], path))
		err = 0;
	globfree(&found);
	return err;
}

int weir_environment_find_library(char path[PATH_MAX])
{
	const char *given = getenv("WEIR_LIBRARY");
	char self[PATH_MAX], pattern[2 * PATH_MAX];
	ssize_t length;
	int err = -ENOENT;

	if (given && *given)
		err = realpath(given, path) ? 0 : -errno;
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length < 0)
		return -errno;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; err && i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s", self, places[i]);
		err = look_beside(pattern, path);
	}
	if (!err && strpbrk(path, " :"))
		err = -EINVAL;
	return err;
}

/* Appends an item to a list of LD_PRELOAD, once. */
static void add_item(char *list, size_t room, const char *item, size_t length)
{
	size_t used = strlen(list);

	for (char *at = list; (at = strstr(at, item)); at++) {
		if ((at == list || at[-1] == ':') &&
		    (at[length] == ':' || !at[length]))
			return;
	}
	snprintf(list + used, room - used, "%s%.*s", used ? ":" : "",
		 (int)length, item);
}

static int set_preload(const char *library, const char *first)
{
	const char *theirs = getenv("LD_PRELOAD");
	size_t room = strlen(library) + strlen(first) + 3 +
		      (theirs ? strlen(theirs) : 0);
	char *list = calloc(1, room), *copy, *rest, *item;
	int err;

	if (!list)
		return -ENOMEM;
	if (*first)
		add_item(list, room, first, strlen(first));
	add_item(list, room, library, strlen(library));
	rest = copy = theirs ? strdup(theirs) : NULL;
	while ((item = strsep(&rest, ": "))) {
		if (*item)
			add_item(list, room, item, strlen(item));
	}
	err = setenv("LD_PRELOAD", list, 1) ? -errno : 0;
	free(copy);
	free(list);
	return err;
}

int weir_environment_set(const struct weir_tracedir *place, const char *library,
			 const char *first, uint64_t buffer)
{
	char trace[PATH_MAX + 24];

	snprintf(trace, sizeof(trace), "%s,%llu", place->dir,
		 (unsigned long long)buffer);
	if (setenv("WEIR_TRACE", trace, 1) ||
	    setenv("WEIR_LIVE", place->live, 1))
		return -errno;
	return set_preload(library, first);
}
