/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads --layers LIST: the libraries whose calls are recorded. */
#include "cmds/layer_options.h"

#include "spec/exits.h"

#include <stdio.h>
#include <string.h>

int weir_layer_options_read(const char *text,
			    struct weir_preloads_choice *ret_choice)
{
	const struct weir_object *known = weir_preloads;
	const char *word;

	if (!weir_preloads_read(text, ret_choice, &word))
		return 0;
	fprintf(stderr, "weir: --layers does not take '%.*s', only ",
		(int)strcspn(word, ","), word);
	for (; known->name; known++)
		fprintf(stderr, "%s, ", known->name);
	fputs("joined by commas, or all, none or auto\n", stderr);
	return WEIR_EXIT_USAGE;
}
