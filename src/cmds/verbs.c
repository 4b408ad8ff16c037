/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a verb by the name a user gave. */
#include "cmds/verbs.h"

#include "base/nearest.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <stdio.h>
#include <string.h>

static void refuse_verb(const char *name)
{
	struct weir_nearest near;

	weir_nearest_init(&near, name, strlen(name));
	for (int i = 0; i < WEIR_VERB_COUNT; i++) {
		if (!weir_verbs[i].hidden)
			weir_nearest_offer(&near, weir_verbs[i].name);
	}
	fprintf(stderr, "weir: unknown %s `%s'",
		name[0] == '-' ? "option" : "verb", name);
	if (near.best)
		fprintf(stderr, "; did you mean `%s'?", near.best);
	fputs("\nTry: weir --help\n", stderr);
}

int weir_verbs_refuse_word(const char *verb, const char *word,
			   const struct weir_nearest *near)
{
	fprintf(stderr, "weir: there is no `weir %s %s'", verb, word);
	if (near->best)
		fprintf(stderr, "; did you mean `%s'?", near->best);
	fprintf(stderr, "\nTry: weir %s --help\n", verb);
	return WEIR_EXIT_USAGE;
}

int weir_verbs_find(const char *name)
{
	for (int i = 0; i < WEIR_VERB_COUNT; i++) {
		if (!strcmp(weir_verbs[i].name, name))
			return i;
	}
	refuse_verb(name);
	return -1;
}
