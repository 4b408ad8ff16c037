/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads for which files and datasets a setting is, and on what conditions. */
#include "plan/scope.h"

#include "base/nearest.h"
#include "base/pathname.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct attribute {
	struct weir_scope *scope;
	struct weir_complaints *complaints;
	unsigned line;
	const char *key, *value;
};

/* A text as a pattern that matches it alone, between two others. */
static char *literally(const char *before, const char *text, const char *after)
{
	char *pattern = malloc(strlen(before) + 2 * strlen(text) +
			       strlen(after) + 1);
	char *to;

	if (!pattern)
		return NULL;
	to = stpcpy(pattern, before);
	for (; *text; text++) {
		if (strchr("*?[]\\", *text))
			*to++ = '\\';
		*to++ = *text;
	}
	strcpy(to, after);
	return pattern;
}

/* Keeps a text of which there can be but one. */
static int keep_attribute(const struct attribute *a, char **place, char *text)
{
	if (!text)
		return -ENOMEM;
	if (*place || !*text) {
		weir_complaint_tell(a->complaints, a->line, *place
			? "%s: what it is for is said already, here or "
			  "around it; say it once"
			: "%s is empty; take it out, or write a pattern",
			a->key);
		free(text);
		return 0;
	}
	*place = text;
	return 0;
}

/* Paths that it is tried on begin at the root, and have no ./ or //. */
static char *spell_pattern(const char *text)
{
	char *pattern = malloc(strlen(text) + sizeof("*/"));
	char *tidy = pattern + strlen("*/");

	if (!pattern)
		return NULL;
	strcpy(tidy, text);
	weir_pathname_tidy(tidy);
	if (strchr(tidy, '/') && !strchr("/*?[", *tidy))
		memcpy(pattern, "*/", strlen("*/"));
	else
		memmove(pattern, tidy, strlen(tidy) + 1);
	return pattern;
}

static int take_file(const struct attribute *a)
{
	return keep_attribute(a, &a->scope->file, spell_pattern(a->value));
}

/* H5Tuner's: a part of the name. */
static int take_part_of_file(const struct attribute *a)
{
	return keep_attribute(a, &a->scope->file,
			      *a->value ? literally("*", a->value, "*")
					: strdup(""));
}

static int take_dataset(const struct attribute *a)
{
	return keep_attribute(a, &a->scope->dataset, strdup(a->value));
}

/* H5Tuner's: the name, in any group. */
static int take_name_of_dataset(const struct attribute *a)
{
	bool is_below = *a->value != '/' && strchr(a->value, '/');

	return keep_attribute(a, &a->scope->dataset,
			      literally(is_below ? "*/" : "", a->value, ""));
}

static int take_proof(const struct attribute *a)
{
	return keep_attribute(a, &a->scope->proof, strdup(a->value));
}

/* No other word is taken for yes: what it allows may damage data. */
static bool says_yes(const struct attribute *a)
{
	if (strcmp(a->value, "yes") && strcmp(a->value, "no"))
		weir_complaint_tell(a->complaints, a->line,
				    "%s: `%.40s' is neither yes nor no; "
				    "write one of them", a->key, a->value);
	return !strcmp(a->value, "yes");
}

static int take_force(const struct attribute *a)
{
	a->scope->force = says_yes(a);
	return 0;
}

static int take_opt_in(const struct attribute *a)
{
	a->scope->opt_in = says_yes(a);
	return 0;
}

static const struct {
	const char *key;
	int (*take)(const struct attribute *a);
} attributes[] = {
	{ "file", take_file },
	{ "FileName", take_part_of_file },
	{ "dataset", take_dataset },
	{ "VariableName", take_name_of_dataset },
	{ "force", take_force },
	{ "opt-in", take_opt_in },
	{ "proof", take_proof },
};

#define COUNT (sizeof(attributes) / sizeof(*attributes))

static void refuse_attribute(const struct attribute *a)
{
	struct weir_nearest near;

	weir_nearest_init(&near, a->key, strlen(a->key));
	for (size_t i = 0; i < COUNT; i++)
		weir_nearest_offer(&near, attributes[i].key);
	if (near.best)
		weir_complaint_tell(a->complaints, a->line,
				    "unknown attribute `%.60s'; did you mean "
				    "`%s'?", a->key, near.best);
	else
		weir_complaint_tell(a->complaints, a->line,
				    "unknown attribute `%.60s'; there are "
				    "file, FileName, dataset, VariableName, "
				    "force, opt-in and proof", a->key);
}

static int take_one(const struct attribute *a)
{
	if (strlen(a->value) > 1024) {
		weir_complaint_tell(a->complaints, a->line,
				    "%.60s is longer than 1024 bytes", a->key);
		return 0;
	}
	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(attributes[i].key, a->key))
			return attributes[i].take(a);
	refuse_attribute(a);
	return 0;
}

/* What <for> says holds for the settings in it; each frees its own copy. */
static int inherit(struct weir_scope *scope, const struct weir_scope *around)
{
	char **to[] = { &scope->file, &scope->dataset, &scope->proof };
	char *const from[] = { around->file, around->dataset, around->proof };

	scope->force = around->force;
	scope->opt_in = around->opt_in;
	for (int i = 0; i < 3; i++) {
		*to[i] = from[i] ? strdup(from[i]) : NULL;
		if (from[i] && !*to[i])
			return -ENOMEM;
	}
	return 0;
}

int weir_scope_take(struct weir_scope *scope, const struct weir_scope *around,
		    const struct weir_xmlread_element *element,
		    struct weir_complaints *complaints)
{
	int err;

	*scope = (struct weir_scope){ .file = NULL };
	err = around ? inherit(scope, around) : 0;
	for (unsigned i = 0; i < element->count && !err; i++) {
		struct attribute a = {
			.scope = scope, .complaints = complaints,
			.line = element->line, .key = element->key[i],
			.value = element->value[i],
		};

		err = take_one(&a);
	}
	return err;
}

void weir_scope_fini(struct weir_scope *scope)
{
	free(scope->file);
	free(scope->dataset);
	free(scope->proof);
}
