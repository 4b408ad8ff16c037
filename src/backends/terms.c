/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads options of a plug-in: a table says which there are. */
#include "backends/terms.h"

#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct weir_terms_option *
find_option(const struct weir_terms_option *table, const char *name)
{
	for (; table->name; table++) {
		if (!strcmp(table->name, name))
			return table;
	}
	return NULL;
}

/* The last one counts, as of options of the command line. */
static int keep_text(const char *value, char **ret_text)
{
	free(*ret_text);
	*ret_text = strdup(value);
	return *ret_text ? 0 : -ENOMEM;
}

static int set_option(const struct weir_terms_option *option,
		      const char *value, void *options)
{
	static int (*const readers[])(const char *, uint64_t *) = {
		[WEIR_TERMS_NUMBER] = weir_number_parse,
		[WEIR_TERMS_SIZE] = weir_number_parse_size,
		[WEIR_TERMS_TIME] = weir_number_parse_time,
	};
	void *place = (char *)options + option->place;

	/* the daemon does not stand in the directory of who said this */
	if (option->kind == WEIR_TERMS_PATH && *value != '/')
		return -ENOTDIR;
	if (option->kind >= WEIR_TERMS_TEXT)
		return keep_text(value, place);
	return readers[option->kind](value, place);
}

/* Says what is wrong: the plug-in only knows that it cannot begin. */
static int read_word(const char *backend, char *word,
		     const struct weir_terms_option *table, void *options)
{
	char *value = strchr(word, '=');
	const struct weir_terms_option *option;
	int err;

	if (value)
		*value++ = '\0';
	option = value ? find_option(table, word) : NULL;
	if (!option) {
		fprintf(stderr, "weir: backend %s has no option '%s%s'; it has",
			backend, word, value ? "=" : "");
		for (; table->name; table++)
			fprintf(stderr, " %s=%s", table->name,
				table[1].name ? "," : "\n");
		return -EINVAL;
	}
	err = set_option(option, value, options);
	if (err)
		fprintf(stderr, "weir: backend %s: %s=%s: %s\n", backend, word,
			value, err == -ENOTDIR ? "not a whole path" :
						 strerror(-err));
	return err;
}

int weir_terms_read(const char *backend, const char *text,
		    const struct weir_terms_option *table, void *ret_options)
{
	char *copy = strdup(text), *rest = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (word = strsep(&rest, ","))) {
		if (*word)
			err = read_word(backend, word, table, ret_options);
	}
	free(copy);
	return err;
}
