/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options --include and --exclude of several verbs. */
#include "cmds/rule_options.h"
#include "spec/exits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int add_rules(const struct weir_options *o, unsigned option, char kind,
		     struct weir_rules *rules)
{
	const char *pattern;

	for (unsigned i = 0; (pattern = weir_options_item(o, option, i)); i++) {
		int err = weir_rules_add(rules, kind, pattern);

		if (!err)
			continue;
		fprintf(stderr, "weir: cannot use the pattern '%s': %s\n",
			pattern,
			err == -E2BIG ? "there are too many; use fewer" :
					strerror(-err));
		return err == -E2BIG ? WEIR_EXIT_USAGE : WEIR_EXIT_INTERNAL;
	}
	return 0;
}

int weir_rule_options_read(const struct weir_options *o, unsigned include,
			   unsigned exclude, struct weir_rules *rules)
{
	int status = add_rules(o, include, '+', rules);

	return status ? status : add_rules(o, exclude, '-', rules);
}
