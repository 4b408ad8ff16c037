/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which process of a parallel program this one is. */
#include "base/rank.h"

#include "spec/ranks.h"

#include <stddef.h>
#include <string.h>

#define MOST_DIGITS 9

struct row {
	const char *launcher;
	const char *rank, *size, *job, *step; /* variables, or NULL */
	bool needs_size;
};

static const struct row rows[] = { WEIR_RANKS };

static const char *variable_of(char *const *environment, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	for (; name && environment && *environment; environment++)
		if (!strncmp(*environment, name, length) &&
		    (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* Other programs may use such names for anything. */
static const char *rank_text_of(char *const *environment, const char *name)
{
	const char *value = variable_of(environment, name);
	size_t digits = 0;

	while (value && value[digits] >= '0' && value[digits] <= '9')
		digits++;
	return digits && digits <= MOST_DIGITS && !value[digits] ? value : NULL;
}

/* As much of it as there is room for: it only has to be the same for all. */
static void append_text(char *to, size_t room, const char *text)
{
	size_t used = strlen(to), length = strlen(text);

	if (used + length >= room)
		length = room - used - 1;
	memcpy(to + used, text, length);
	to[used + length] = '\0';
}

/* A job's script is no rank of a step, and has no step's name. */
static void name_job(struct weir_rank *rank, const struct row *row,
		     char *const *environment)
{
	const char *job = variable_of(environment, row->job);
	const char *step = variable_of(environment, row->step);

	rank->job[0] = '\0';
	if (!job || !*job || (row->step && (!step || !*step)))
		return;
	append_text(rank->job, sizeof(rank->job), job);
	if (row->step) {
		append_text(rank->job, sizeof(rank->job), ".");
		append_text(rank->job, sizeof(rank->job), step);
	}
}

bool weir_rank_find(char *const *environment, struct weir_rank *ret_rank)
{
	for (const struct row *row = rows; row->launcher; row++) {
		const char *rank = rank_text_of(environment, row->rank);
		const char *size = rank_text_of(environment, row->size);

		if (!rank || (row->needs_size && !size))
			continue;
		ret_rank->launcher = row->launcher;
		ret_rank->rank = rank;
		ret_rank->size = size;
		name_job(ret_rank, row, environment);
		return true;
	}
	return false;
}
