/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what became of the settings of a plan. */
#include "analyse/facts/effects.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/event/detail.h"
#include "trace/control/outcome.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX /* told of a file */

/* What one event tells: texts in the order of the table, and the verdict. */
struct telling {
	struct weir_value texts[3]; /* setting, asked, effective */
	uint64_t verdict;
};

void weir_effects_fini(struct weir_effects *effects)
{
	for (size_t i = 0; i < effects->count; i++)
		free(effects->list[i].setting);
	free(effects->list);
	weir_map_fini(&effects->index);
	weir_map_fini(&effects->pairs);
	*effects = (struct weir_effects){ 0 };
}

const char *weir_effects_verdict(uint64_t verdict)
{
	return verdict == WEIR_EFFECT_UNTRIED ? "untried" :
						weir_outcome_word(verdict);
}

/* 0: it is cut, and nobody knows of which setting it tells. */
static int read_telling(struct telling *telling,
			const struct weir_callview *view,
			const struct weir_call *call)
{
	struct weir_detail detail;
	struct weir_value value;
	int texts = 0, numbers = 0;

	weir_detail_start(&detail, &view->event, call);
	while (weir_detail_next(&detail, &value)) {
		if (value.kind->wire == WEIR_WIRE_STRING && texts < 3)
			telling->texts[texts++] = value;
		else if (value.given && !numbers++)
			telling->verdict = value.number;
	}
	return telling->texts[0].given && telling->texts[1].given && numbers;
}

/* The texts one after the other, each with its end. */
static char *join_words(const struct telling *telling)
{
	size_t bytes = 3, at = 0;
	char *text;

	for (int i = 0; i < 3; i++)
		bytes += telling->texts[i].given ? telling->texts[i].text_len :
						   0;
	text = malloc(bytes);
	for (int i = 0; text && i < 3; i++) {
		const struct weir_value *value = &telling->texts[i];

		if (value->given && value->text_len)
			memcpy(text + at, value->text, value->text_len);
		at += value->given ? value->text_len : 0;
		text[at++] = 0;
	}
	return text;
}

/* Where the texts of an effect lie in its memory. */
static void point(struct weir_effect *effect, char *text)
{
	effect->setting = text;
	effect->asked = text + strlen(text) + 1;
	effect->effective = effect->asked + strlen(effect->asked) + 1;
}

static uint64_t effect_key(const struct weir_effect *effect)
{
	size_t bytes = (size_t)(effect->effective - effect->setting);
	uint64_t parts[] = { weir_hash_bytes(effect->setting, bytes),
			     effect->verdict };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* What is known of one from another place; takes its memory over. */
static void join_in(struct weir_effect *to, const struct weir_effect *from)
{
	to->count += from->count;
	to->counted += from->counted;
	to->files += from->files;
	if (!from->file || from->file >= (to->file ? to->file : NOBODY)) {
		free(from->setting);
		return;
	}
	free(to->setting);
	to->file = from->file;
	point(to, from->setting);
}

/* Takes its memory over, whatever happens; NULL: no memory for more. */
static struct weir_effect *add_effect(struct weir_effects *effects,
				      const struct weir_effect *effect)
{
	uint64_t key = effect_key(effect);
	uint64_t at = weir_map_get(&effects->index, key);

	if (at) {
		join_in(&effects->list[at - 1], effect);
		return &effects->list[at - 1];
	}
	if (WEIR_GROW(effects->list, effects->count, effects->room) ||
	    weir_map_put(&effects->index, key, effects->count + 1)) {
		free(effect->setting);
		return NULL;
	}
	effects->list[effects->count] = *effect;
	return &effects->list[effects->count++];
}

static int count_file(struct weir_effects *effects,
		      struct weir_effect *effect, uint32_t file)
{
	uint64_t key = (uint64_t)(effect - effects->list) << 32 | file;

	if (!file || weir_map_get(&effects->pairs, key))
		return 0;
	effect->files++;
	return weir_map_put(&effects->pairs, key, 1);
}

int weir_effects_take(struct weir_effects *effects,
		      const struct weir_callview *view,
		      const struct weir_call *call)
{
	struct weir_effect effect = { .count = 1, .file = view->file };
	struct weir_effect *known;
	struct telling telling = { 0 };
	char *text;

	if (!call || !read_telling(&telling, view, call))
		return 0;
	text = join_words(&telling);
	if (!text)
		return -ENOMEM;
	point(&effect, text);
	effect.verdict = telling.verdict;
	known = add_effect(effects, &effect);
	return known ? count_file(effects, known, view->file) : -ENOMEM;
}

int weir_effects_merge(struct weir_effects *to, struct weir_effects *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count; i++) {
		if (!err && !add_effect(to, &from->list[i]))
			err = -ENOMEM;
		else if (err)
			free(from->list[i].setting);
		from->list[i].setting = NULL; /* it has another owner now */
	}
	weir_effects_fini(from);
	return err;
}

/* VARIABLE=VALUE of a variable; others have nothing before their value. */
static const char *asked_of(const struct weir_outcome_setting *setting)
{
	size_t length = strlen(setting->name);
	const char *value = setting->value ? setting->value : "";
	const char *equals = strchr(value, '=');

	if (!equals || (size_t)(equals - value) < length ||
	    strncmp(equals - length, setting->name, length))
		return value;
	return equals + 1;
}

static int add_counted(struct weir_effects *effects,
		       const struct weir_outcome_setting *setting,
		       uint64_t verdict, uint64_t counted)
{
	const char *asked = asked_of(setting);
	const char *why = verdict == WEIR_EFFECT_UNTRIED ?
				  "no call that it is for was made" :
				  verdict == setting->verdict ? setting->why :
								"";
	struct weir_effect effect = { .verdict = verdict, .counted = counted,
				      .file = NOBODY };
	size_t name = strlen(setting->name) + 1, value = strlen(asked) + 1;
	char *text = malloc(name + value + strlen(why) + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, setting->name, name);
	memcpy(text + name, asked, value);
	strcpy(text + name + value, why);
	point(&effect, text);
	return add_effect(effects, &effect) ? 0 : -ENOMEM;
}

static int add_setting(struct weir_effects *effects,
		       const struct weir_outcome_setting *setting)
{
	int err = 0;

	if (!setting->name)
		return 0;
	if (!weir_outcome_tries(setting))
		return add_counted(effects, setting, WEIR_EFFECT_UNTRIED, 0);
	for (uint64_t i = 0; !err && i < WEIR_CONTROL_VERDICTS; i++)
		if (setting->counts[i])
			err = add_counted(effects, setting, i,
					  setting->counts[i]);
	return err;
}

int weir_effects_complete(struct weir_effects *effects,
			  const struct weir_outcome *outcome)
{
	int err = 0;

	for (uint32_t i = 0; outcome && !err && i < outcome->count; i++)
		err = add_setting(effects, &outcome->settings[i]);
	for (size_t i = 0; i < effects->count; i++) {
		struct weir_effect *effect = &effects->list[i];

		if (effect->counted > effect->count)
			effect->count = effect->counted;
		if (effect->file == NOBODY)
			effect->file = 0;
	}
	return err;
}

static int by_texts(const void *left, const void *right)
{
	const struct weir_effect *a = left, *b = right;
	int order = strcmp(a->setting, b->setting);

	order = order ? order : strcmp(a->asked, b->asked);
	return order ? order : (a->verdict > b->verdict) -
			       (a->verdict < b->verdict);
}

void weir_effects_sort(struct weir_effects *effects)
{
	if (effects->count)
		qsort(effects->list, effects->count, sizeof(*effects->list),
		      by_texts);
	weir_map_fini(&effects->index); /* it would lead elsewhere now */
}

/* Settings in the order of their texts, each once. */
uint64_t weir_effects_hash(const struct weir_effects *effects)
{
	uint64_t parts[2] = { 0, 0 }, last = 0;

	for (size_t i = 0; i < effects->count; i++) {
		const struct weir_effect *effect = &effects->list[i];
		size_t bytes = (size_t)(effect->effective - effect->setting);

		parts[1] = weir_hash_bytes(effect->setting, bytes);
		if (i && parts[1] == last)
			continue; /* the same with another verdict */
		last = parts[1];
		parts[0] = weir_hash_numbers(parts, sizeof(parts));
	}
	return parts[0];
}

static uint64_t hash_text(const char *text)
{
	return text ? weir_hash_bytes(text, strlen(text)) : 0;
}

uint64_t weir_effects_hash_plan(const struct weir_outcome *outcome)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; outcome && i < outcome->count; i++) {
		const struct weir_outcome_setting *setting =
			&outcome->settings[i];
		uint64_t parts[] = { hash, hash_text(setting->name),
				     hash_text(setting->value),
				     hash_text(setting->file),
				     hash_text(setting->dataset) };

		hash = weir_hash_numbers(parts, sizeof(parts));
	}
	return hash;
}
