/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from a dictionary what its calls mean. */
#include "trace/event/meaning.h"

#include <stddef.h>
#include <string.h>

void weir_meaning_begin(struct weir_meaning_words *words, const char *class)
{
	*words = (struct weir_meaning_words){
		.means.class = WEIR_MEANS_OTHER,
	};
	for (int i = 1; i < WEIR_MEANS_COUNT; i++)
		if (!strcmp(weir_means_words[i], class))
			words->means.class = (enum weir_means)i;
}

static uint32_t trait_of(const char *word)
{
	for (int i = 0; i < WEIR_TRAIT_COUNT; i++)
		if (!strcmp(weir_trait_words[i], word))
			return UINT32_C(1) << i;
	return 0;
}

void weir_meaning_add(struct weir_meaning_words *words, const char *word)
{
	const struct {
		const char *what;
		const char **argument;
	} told[] = {
		{ "name=", &words->name }, { "to=", &words->to },
		{ "off=", &words->off },   { "len=", &words->len },
	};

	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		if (!strncmp(word, told[i].what, strlen(told[i].what)))
			*told[i].argument = word + strlen(told[i].what);
	words->means.traits |= trait_of(word);
}

static uint8_t argument_named(const struct weir_call *call, const char *name)
{
	for (uint32_t i = 0; name && i < call->argument_count; i++)
		if (!strcmp(call->arguments[i].name, name))
			return (uint8_t)(i + 1);
	return 0;
}

void weir_meaning_give(struct weir_call *call,
		       const struct weir_meaning_words *words)
{
	if (call->means.class != WEIR_MEANS_NOTHING)
		return;
	call->means = words->means;
	call->means.name = argument_named(call, words->name);
	call->means.to = argument_named(call, words->to);
	call->means.off = argument_named(call, words->off);
	call->means.len = argument_named(call, words->len);
}
