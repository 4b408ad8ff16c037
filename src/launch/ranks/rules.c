/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rules of a trace from the words of the user. */
#include "launch/ranks/rules.h"

#include "base/grow.h"
#include "trace/layout/control_layout.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int needs_directory(const char *pattern)
{
	return strchr(pattern, '/') && *pattern != '/' && *pattern != '*';
}

int weir_rules_add(struct weir_rules *rules, char kind, const char *pattern)
{
	char cwd[PATH_MAX] = "";
	size_t room;

	if (needs_directory(pattern)) {
		if (!getcwd(cwd, sizeof(cwd) - 1))
			return -errno;
		strcat(cwd, "/");
		pattern += strncmp(pattern, "./", 2) ? 0 : 2;
	}
	room = 1 + strlen(cwd) + strlen(pattern) + 1;
	if (rules->bytes + room > WEIR_CONTROL_RULES)
		return -E2BIG;
	if (WEIR_GROW_EXACTLY(rules->text, rules->bytes + room))
		return -ENOMEM;
	snprintf(rules->text + rules->bytes, room, "%c%s%s", kind, cwd,
		 pattern);
	rules->bytes += room;
	return 0;
}

void weir_rules_fini(struct weir_rules *rules)
{
	free(rules->text);
	rules->text = NULL;
	rules->bytes = 0;
}
