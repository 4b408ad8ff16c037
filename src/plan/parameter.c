/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds parameters by name. */
#include "plan/parameter.h"

#include "base/nearest.h"

#include <string.h>
#include <strings.h>

/* Variables of the environment are also found by the name that programs see. */
static bool is_called(const struct weir_param_row *row, const char *name)
{
	if (!strcmp(row->name, name) ||
	    (row->target == WEIR_PLAN_ENVIRONMENT && !strcmp(row->via, name)))
		return true;
	for (const char *const *also = row->also; *also; also++)
		if (!strcmp(*also, name))
			return true;
	return false;
}

const struct weir_param_row *weir_parameter_find(const char *name)
{
	for (int i = 0; i < WEIR_PARAM_ROWS; i++)
		if (is_called(&weir_params[i], name))
			return &weir_params[i];
	return NULL;
}

const char *weir_parameter_excluded(const char *name, const char *value)
{
	for (int i = 0; i < WEIR_PARAM_EXCLUDED; i++) {
		const struct weir_param_excluded *row =
			&weir_params_excluded[i];

		if (strcasecmp(row->name, name))
			continue;
		if (!row->value || (value && !strcasecmp(row->value, value)))
			return row->why;
	}
	return NULL;
}

/* A name in letters of other size is what was meant. */
static const char *same_letters(const char *name)
{
	for (int i = 0; i < WEIR_PARAM_ROWS; i++)
		if (!strcasecmp(weir_params[i].name, name))
			return weir_params[i].name;
	return NULL;
}

const char *weir_parameter_nearest(const char *name)
{
	const char *same = same_letters(name);
	struct weir_nearest near;

	if (same)
		return same;
	weir_nearest_init(&near, name, strlen(name));
	for (int i = 0; i < WEIR_PARAM_ROWS; i++) {
		weir_nearest_offer(&near, weir_params[i].name);
		for (const char *const *also = weir_params[i].also; *also;
		     also++)
			weir_nearest_offer(&near, *also);
	}
	return near.best;
}

/* Whether a comma-separated list has a word. */
static bool lists(const char *values, const char *word, size_t length)
{
	for (const char *at = values; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == length && !strncmp(at, word, length))
			return true;
	}
	return false;
}

bool weir_parameter_has(const struct weir_plan_item *item, const char *word)
{
	return lists(item->value, word, strlen(word));
}

bool weir_parameter_is_opt_in(const struct weir_plan_item *item)
{
	const char *word = item->param->opt_in;

	if (!word || !*word)
		return word;
	while (*word) {
		size_t length = strcspn(word, " ");

		if (lists(item->value, word, length))
			return true;
		word += length + strspn(word + length, " ");
	}
	return false;
}
