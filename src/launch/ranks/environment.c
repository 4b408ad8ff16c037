/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the environment of a recorded program. */
#include "launch/ranks/environment.h"

#include "launch/directory/tracedir.h"
#include "launch/programs/preloads.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libweir.so"
#define PRELOAD "LD_PRELOAD="
#define TRACE	"WEIR_TRACE="
#define LIVE	"WEIR_LIVE="
#define OURS	(sizeof(((struct weir_environment *)0)->ours) / sizeof(char *))

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

char *weir_environment_preload(const char *library, const char *first)
{
	const char *theirs = getenv("LD_PRELOAD");
	size_t room = strlen(library) + strlen(first) + 3 +
		      (theirs ? strlen(theirs) : 0);
	char *setting = calloc(1, sizeof(PRELOAD) + room);
	char *copy = strdup(theirs ? theirs : "");
	char *list, *rest = copy, *item;

	if (!setting || !copy) {
		free(setting);
		free(copy);
		return NULL;
	}
	list = strcpy(setting, PRELOAD) + strlen(PRELOAD);
	if (*first)
		add_item(list, room, first, strlen(first));
	add_item(list, room, library, strlen(library));
	while ((item = strsep(&rest, ": "))) {
		/* those of a recorded parent: not more than we want */
		if (*item && !weir_preloads_is_one(item))
			add_item(list, room, item, strlen(item));
	}
	free(copy);
	return setting;
}

/* LD_PRELOAD as it is. */
static char *theirs_alone(void)
{
	const char *theirs = getenv("LD_PRELOAD");
	char *setting;

	if (asprintf(&setting, PRELOAD "%s", theirs ? theirs : "") < 0)
		return NULL;
	return setting;
}

static bool is_replaced(const char *setting)
{
	return !strncmp(setting, PRELOAD, strlen(PRELOAD)) ||
	       !strncmp(setting, TRACE, strlen(TRACE)) ||
	       !strncmp(setting, LIVE, strlen(LIVE));
}

void weir_environment_free(struct weir_environment *e)
{
	for (size_t i = 0; i < OURS; i++)
		free(e->ours[i]);
	free(e->all);
	*e = (struct weir_environment){0};
}

int weir_environment_make(struct weir_environment *e,
			  const struct weir_tracedir *place,
			  const char *library, const char *first,
			  const char *words)
{
	size_t n = 0, used = 0;

	*e = (struct weir_environment){0};
	while (environ && environ[n])
		n++;
	e->all = calloc(n + OURS + 1, sizeof(*e->all));
	if (asprintf(&e->ours[0], TRACE "%s,%s", place->dir, words) < 0)
		e->ours[0] = NULL;
	if (asprintf(&e->ours[1], LIVE "%s", place->live) < 0)
		e->ours[1] = NULL;
	e->ours[2] = library ? weir_environment_preload(library, first)
			     : theirs_alone();
	if (!e->all || !e->ours[0] || !e->ours[1] || !e->ours[2]) {
		weir_environment_free(e);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_replaced(environ[i]))
			e->all[used++] = environ[i];
	}
	memcpy(&e->all[used], e->ours, sizeof(e->ours));
	return 0;
}
