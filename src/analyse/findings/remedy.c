/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what weir itself can do about a finding: settings, options. */
#include "analyse/findings/remedy.h"

#include "analyse/findings/runfacts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A cache is worth its memory up to so much. */
#define LARGEST_CACHE (UINT64_C(1) << 30)

/* What the words of `try` are about. */
struct trying {
	const struct weir_runfacts *facts;
	uint64_t need; /* bytes of a cache */
};

static bool is_openmpi(const struct weir_runfacts *facts)
{
	return facts->mpi && !strncmp(facts->mpi, "Open MPI", 8);
}

static bool has_calls(const struct weir_runfacts *facts, int layer)
{
	return facts->layers[layer].calls != 0;
}

static bool is_ompio(const struct weir_runfacts *facts)
{
	return has_calls(facts, WEIR_CALLVIEW_MPIIO) && is_openmpi(facts);
}

static bool is_romio(const struct weir_runfacts *facts)
{
	return has_calls(facts, WEIR_CALLVIEW_MPIIO) && facts->mpi &&
	       !is_openmpi(facts);
}

/* OMPIO moves small pieces one by one in collective calls, too. */
static bool is_parallel_hdf5(const struct weir_runfacts *facts)
{
	return has_calls(facts, WEIR_CALLVIEW_HDF5) && is_romio(facts) &&
	       facts->size > 1;
}

static bool is_proven(const struct weir_runfacts *facts)
{
	return is_parallel_hdf5(facts) && facts->has_sites;
}

static bool is_unproven(const struct weir_runfacts *facts)
{
	return is_parallel_hdf5(facts) && !facts->has_sites;
}

static bool is_hdf5(const struct weir_runfacts *facts)
{
	return has_calls(facts, WEIR_CALLVIEW_HDF5);
}

static bool wants_cache(const struct weir_runfacts *facts)
{
	return facts->forecast.cache != 0;
}

/* Words before a colon in `try`: what has to be true of the run. */
static const struct {
	const char *name;
	bool (*is_true)(const struct weir_runfacts *facts);
} conditions[] = {
	{ "romio", is_romio },	   { "ompio", is_ompio },
	{ "proven", is_proven },   { "unproven", is_unproven },
	{ "hdf5", is_hdf5 },	   { "cramped", wants_cache },
};

static bool holds(const char *name, size_t len,
		  const struct weir_runfacts *facts)
{
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		if (!strncmp(conditions[i].name, name, len) &&
		    !conditions[i].name[len])
			return conditions[i].is_true(facts);
	return false;
}

/* The next power of two: caches are asked for in round figures. */
static uint64_t rounded(uint64_t bytes)
{
	uint64_t size = UINT64_C(1) << 20;

	while (size < bytes && size < LARGEST_CACHE)
		size *= 2;
	return size;
}

/* What stands for a figure of the run; false: it makes no sense there. */
static bool fill_in(char to[WEIR_REMEDY_VALUE], const char *name, size_t len,
		    const struct trying *trying)
{
	const struct {
		const char *name;
		uint64_t number;
	} figures[] = {
		{ "ranks", trying->facts->size },
		{ "need", rounded(trying->need) },
		{ "cache", trying->facts->forecast.cache },
	};

	if (trying->need > LARGEST_CACHE)
		return false;
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		if (!strncmp(figures[i].name, name, len)) {
			snprintf(to, WEIR_REMEDY_VALUE, "%" PRIu64,
				 figures[i].number);
			return true;
		}
	return false;
}

/* VALUE, or BEFORE{FIGURE}. */
static bool set_value(struct weir_remedy_part *part, const char *text,
		      size_t len, const struct trying *trying)
{
	const char *open = memchr(text, '{', len);
	size_t plain = open ? (size_t)(open - text) : len;
	char figure[WEIR_REMEDY_VALUE] = "";
	size_t length;

	if (open && !fill_in(figure, open + 1, strcspn(open + 1, "}"),
			     trying))
		return false;
	length = strlen(figure);
	if (plain + length >= sizeof(part->value))
		return false;
	memcpy(part->value, text, plain);
	memcpy(part->value + plain, figure, length + 1);
	return true;
}

/* [@][!]KEY[=VALUE]: of files alone; with a proof. */
static bool read_part(struct weir_remedy_part *part, const char *text,
		      size_t len, const struct trying *trying)
{
	const char *end = text + len, *equals;

	*part = (struct weir_remedy_part){ .by_file = *text == '@' };
	text += part->by_file;
	part->is_proven = *text == '!';
	text += part->is_proven;
	equals = memchr(text, '=', (size_t)(end - text));
	part->key = text;
	part->key_len = (size_t)((equals ? equals : end) - text);
	return !equals || set_value(part, equals + 1,
				    (size_t)(end - equals - 1), trying);
}

static void add_part(struct weir_remedy *remedy,
		     const struct weir_remedy_part *part)
{
	bool is_option = part->key_len > 2 && !strncmp(part->key, "--", 2);
	unsigned *count = is_option ? &remedy->option_count :
				      &remedy->setting_count;

	if (*count == WEIR_REMEDY_MOST)
		return;
	(is_option ? remedy->options : remedy->settings)[(*count)++] = *part;
}

bool weir_remedy_is_for_proof(const struct weir_remedy *remedy)
{
	static const char recording[] = "--backtrace";

	return !remedy->setting_count && remedy->option_count &&
	       !strncmp(remedy->options[0].key, recording,
			sizeof(recording) - 1);
}

void weir_remedy_find(const struct weir_rule *rule, uint64_t need,
		      const struct weir_runfacts *facts,
		      struct weir_remedy *ret_remedy)
{
	const struct trying trying = { facts, need };
	const char *word = rule->settings, *next;

	*ret_remedy = (struct weir_remedy){ 0 };
	for (; *word; word = next + strspn(next, " ")) {
		size_t len = strcspn(word, " ");
		const char *colon = memchr(word, ':', len);
		struct weir_remedy_part part;

		next = word + len;
		if (colon && !holds(word, (size_t)(colon - word), facts))
			continue;
		if (colon)
			word = colon + 1;
		if (read_part(&part, word, (size_t)(next - word), &trying))
			add_part(ret_remedy, &part);
	}
}
