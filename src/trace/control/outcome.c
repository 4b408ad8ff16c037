/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the plan of a trace, and what became of its settings. */
#include "trace/control/outcome.h"

#include "trace/control/controlfile.h"
#include "trace/facts/props.h"
#include "trace/file/blocks.h"
#include "trace/file/store.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 2048 /* bytes of a text */

const char *weir_outcome_word(uint64_t verdict)
{
	/* In the order of enum weir_plan_verdict. */
	static const char *const words[WEIR_CONTROL_VERDICTS] = {
		"took",	 "changed", "ignored", "kept",
		"inert", "refused", "given",   "unsafe",
	};

	return verdict < WEIR_CONTROL_VERDICTS ? words[verdict] : "?";
}

struct weir_outcome *weir_outcome_new(void)
{
	return calloc(1, sizeof(struct weir_outcome));
}

void weir_outcome_free(struct weir_outcome *outcome)
{
	for (uint32_t i = 0; outcome && i < WEIR_CONTROL_SETTINGS; i++) {
		struct weir_outcome_setting *setting = &outcome->settings[i];

		free(setting->name);
		free(setting->value);
		free(setting->file);
		free(setting->dataset);
	}
	free(outcome);
}

uint64_t weir_outcome_tries(const struct weir_outcome_setting *setting)
{
	uint64_t sum = 0;

	for (int i = 0; i < WEIR_CONTROL_VERDICTS; i++)
		sum += setting->counts[i];
	return sum;
}

/* What is known already stays. */
static int keep_text(char **to, const char *text)
{
	if (*to || !text || !*text)
		return 0;
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int keep_words(struct weir_outcome_setting *to,
		      const struct weir_outcome_words *words)
{
	int err = keep_text(&to->name, words->name);

	to->target = to->target ? to->target : words->target;
	err = err ?: keep_text(&to->value, words->value);
	err = err ?: keep_text(&to->file, words->file);
	return err ?: keep_text(&to->dataset, words->dataset);
}

int weir_outcome_name(struct weir_outcome *outcome,
		      const struct weir_outcome_words *words)
{
	if (outcome->count == WEIR_CONTROL_SETTINGS)
		return -E2BIG;
	return keep_words(&outcome->settings[outcome->count++], words);
}

static void raise_to(uint64_t *number, uint64_t other)
{
	if (*number < other)
		*number = other;
}

static void keep_why(struct weir_outcome_setting *to, uint32_t verdict,
		     const char *why)
{
	if (*to->why || verdict >= WEIR_CONTROL_VERDICTS)
		return;
	to->verdict = verdict;
	snprintf(to->why, sizeof(to->why), "%.*s", (int)sizeof(to->why) - 1,
		 why);
}

static bool is_read(int fd, void *to, size_t size, size_t at)
{
	return fd >= 0 && pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

void weir_outcome_count(struct weir_outcome *outcome, int control_fd)
{
	uint32_t counts[WEIR_CONTROL_SETTINGS][WEIR_CONTROL_VERDICTS];
	struct weir_control_why whys[WEIR_CONTROL_SETTINGS];
	uint64_t unplanned;

	if (is_read(control_fd, &unplanned, sizeof(unplanned),
		    offsetof(struct weir_control, unplanned)))
		raise_to(&outcome->unplanned, unplanned);
	if (!is_read(control_fd, counts, sizeof(counts),
		     offsetof(struct weir_control, verdicts)) ||
	    !is_read(control_fd, whys, sizeof(whys),
		     offsetof(struct weir_control, whys)))
		return;
	for (int i = 0; i < WEIR_CONTROL_SETTINGS; i++) {
		struct weir_outcome_setting *to = &outcome->settings[i];

		for (int k = 0; k < WEIR_CONTROL_VERDICTS; k++)
			raise_to(&to->counts[k], counts[i][k]);
		if (whys[i].state == WEIR_CONTROL_SAID)
			keep_why(to, whys[i].verdict, whys[i].text);
	}
}

static int put_setting(struct weir_props *props,
		       const struct weir_outcome_setting *setting)
{
	int err = weir_props_add_text(props, "setting",
				      setting->name ? setting->name : "");

	if (!err && setting->target)
		err = weir_props_add_number(props, "layer", setting->target);
	if (!err && setting->value)
		err = weir_props_add_text(props, "value", setting->value);
	if (!err && setting->file)
		err = weir_props_add_text(props, "file", setting->file);
	if (!err && setting->dataset)
		err = weir_props_add_text(props, "dataset", setting->dataset);
	return err;
}

static int put_counts(struct weir_props *props, uint32_t number,
		      const struct weir_outcome_setting *setting)
{
	char text[32 * WEIR_CONTROL_VERDICTS];
	int used = snprintf(text, sizeof(text), "%u", number), err;

	if (!weir_outcome_tries(setting))
		return 0;
	for (int i = 0; i < WEIR_CONTROL_VERDICTS; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 " %" PRIu64, setting->counts[i]);
	err = weir_props_add_text(props, "outcome", text);
	if (err || !*setting->why)
		return err;
	err = weir_props_add_number(props, "of", setting->verdict);
	return err ?: weir_props_add_text(props, "why", setting->why);
}

static int put_outcome(struct weir_store *store, const struct weir_props *props)
{
	struct weir_block block = {
		.type = WEIR_BLOCK_PLAN,
		.stored = (uint32_t)props->used,
	};

	return weir_store_append(store, &block, props->text);
}

int weir_outcome_put(const struct weir_outcome *outcome,
		     struct weir_store *store)
{
	struct weir_props props;
	char hash[24];
	int err = 0;

	weir_props_init(&props);
	snprintf(hash, sizeof(hash), "%016" PRIx64, outcome->check);
	if (outcome->check)
		err = weir_props_add_text(&props, "plan", hash);
	if (!err && outcome->unplanned)
		err = weir_props_add_number(&props, "unplanned",
					    outcome->unplanned);
	for (uint32_t i = 0; !err && i < outcome->count; i++)
		err = put_setting(&props, &outcome->settings[i]);
	for (uint32_t i = 0; !err && i < WEIR_CONTROL_SETTINGS; i++)
		err = put_counts(&props, i, &outcome->settings[i]);
	if (!err && props.used)
		err = put_outcome(store, &props);
	weir_props_fini(&props);
	return err;
}

int weir_outcome_salvage(int dir_fd, struct weir_store *store)
{
	struct weir_outcome *outcome = weir_outcome_new();
	int fd, err = outcome ? 0 : -ENOMEM;

	if (!err && !weir_controlfile_open(dir_fd, false, &fd)) {
		weir_outcome_count(outcome, fd);
		close(fd);
		err = weir_outcome_put(outcome, store);
	}
	weir_outcome_free(outcome);
	return err;
}

/* A block as it is read: lines belong to the setting above them. */
struct lines {
	struct weir_outcome *outcome;
	uint32_t named;	  /* settings so far */
	uint32_t verdict; /* of the example that follows */
	struct weir_outcome_setting *told; /* whose counts came last */
	char text[LONGEST];
};

static int take_setting(struct lines *lines)
{
	struct weir_outcome *outcome = lines->outcome;

	if (lines->named == WEIR_CONTROL_SETTINGS)
		return -EBADMSG;
	if (++lines->named > outcome->count)
		outcome->count = lines->named;
	return keep_text(&outcome->settings[lines->named - 1].name,
			 lines->text);
}

static int take_word(struct lines *lines, const struct weir_props_line *line)
{
	struct weir_outcome_setting *setting;

	if (!lines->named)
		return -EBADMSG;
	setting = &lines->outcome->settings[lines->named - 1];
	if (weir_props_is(line, "layer")) {
		setting->target = (uint32_t)strtoul(lines->text, NULL, 10);
		return 0;
	}
	return keep_text(weir_props_is(line, "value")  ? &setting->value
			 : weir_props_is(line, "file") ? &setting->file
						       : &setting->dataset,
			 lines->text);
}

static int take_counts(struct lines *lines)
{
	char *at = lines->text, *end;
	unsigned long number = strtoul(at, &end, 10);

	if (end == at || number >= WEIR_CONTROL_SETTINGS)
		return -EBADMSG;
	lines->told = &lines->outcome->settings[number];
	for (int i = 0; i < WEIR_CONTROL_VERDICTS; i++) {
		at = end;
		raise_to(&lines->told->counts[i], strtoull(at, &end, 10));
		if (end == at)
			return -EBADMSG;
	}
	return 0;
}

static int take_outcome_line(struct lines *lines,
			     const struct weir_props_line *line)
{
	weir_props_value(line, lines->text, sizeof(lines->text));
	if (weir_props_is(line, "plan"))
		lines->outcome->check = strtoull(lines->text, NULL, 16);
	else if (weir_props_is(line, "unplanned"))
		raise_to(&lines->outcome->unplanned,
			 strtoull(lines->text, NULL, 10));
	else if (weir_props_is(line, "setting"))
		return take_setting(lines);
	else if (weir_props_is(line, "value") || weir_props_is(line, "file") ||
		 weir_props_is(line, "dataset") ||
		 weir_props_is(line, "layer"))
		return take_word(lines, line);
	else if (weir_props_is(line, "outcome"))
		return take_counts(lines);
	else if (weir_props_is(line, "of"))
		lines->verdict = (uint32_t)strtoul(lines->text, NULL, 10);
	else if (weir_props_is(line, "why") && lines->told)
		keep_why(lines->told, lines->verdict, lines->text);
	return 0;
}

int weir_outcome_parse(struct weir_outcome *outcome, const void *text,
		       size_t size)
{
	struct lines lines = { .outcome = outcome };
	struct weir_props_walk walk;
	struct weir_props_line line;
	int err = 0;

	weir_props_start(&walk, text, size);
	while (!err && weir_props_next(&walk, &line))
		err = take_outcome_line(&lines, &line);
	return err;
}

int weir_outcome_take(struct weir_outcome **outcome, const void *text,
		      size_t size)
{
	if (!*outcome)
		*outcome = weir_outcome_new();
	return *outcome ? weir_outcome_parse(*outcome, text, size) : -ENOMEM;
}

static int add_settings(struct weir_outcome *to,
			const struct weir_outcome *from)
{
	int err = 0;

	if (to->count < from->count)
		to->count = from->count;
	for (uint32_t i = 0; !err && i < WEIR_CONTROL_SETTINGS; i++) {
		const struct weir_outcome_setting *more = &from->settings[i];
		struct weir_outcome_words words = {
			more->name,    more->value,  more->file,
			more->dataset, more->target,
		};

		err = keep_words(&to->settings[i], &words);
		for (int k = 0; k < WEIR_CONTROL_VERDICTS; k++)
			to->settings[i].counts[k] += more->counts[k];
		keep_why(&to->settings[i], more->verdict, more->why);
	}
	return err;
}

int weir_outcome_add(struct weir_outcome **to, const struct weir_outcome *from)
{
	if (!from)
		return 0;
	if (!*to)
		*to = weir_outcome_new();
	if (!*to)
		return -ENOMEM;
	if (!(*to)->check)
		(*to)->check = from->check;
	(*to)->mixed |= from->mixed;
	(*to)->unplanned += from->unplanned;
	if (from->check && from->check != (*to)->check) {
		(*to)->mixed = true;
		return 0;
	}
	return add_settings(*to, from);
}

/* A HEAD that begins a part: what follows is of another node. */
static int take_block(const struct weir_blocks_found *found, int fd,
		      struct weir_outcome **part, struct weir_outcome **to)
{
	struct weir_bytes text = {0};
	struct weir_zip zip = {0};
	int err = 0;

	if (found->head.type == WEIR_BLOCK_HEAD &&
	    found->head.flags & WEIR_HEAD_PART) {
		err = weir_outcome_add(to, *part);
		weir_outcome_free(*part);
		*part = NULL;
	}
	if (err || found->head.type != WEIR_BLOCK_PLAN)
		return err;
	err = weir_blocks_load(fd, found, &zip, &text);
	err = err ?: weir_outcome_take(part, text.data, text.used);
	weir_bytes_fini(&text);
	weir_zip_fini(&zip);
	return err == -EBADMSG ? 0 : err; /* who reads the trace is told */
}

int weir_outcome_read(int fd, struct weir_outcome **to)
{
	struct weir_outcome *part = NULL;
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	int more = 0, err = 0;

	weir_blocks_init(&blocks, fd);
	while (!err &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0)
		err = take_block(&found, fd, &part, to);
	weir_blocks_fini(&blocks);
	err = err ?: weir_outcome_add(to, part);
	weir_outcome_free(part);
	return err ?: more;
}
