/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the PROC block: all that is known of one recorded process. */
#include "trace/facts/procinfo.h"

#include "base/grow.h"
#include "trace/facts/props.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void weir_procinfo_fini(struct weir_procinfo *info)
{
	for (size_t i = 0; i < info->arg_count; i++)
		free(info->args[i]);
	free(info->args);
	for (size_t i = 0; i < info->trait_count; i++) {
		free(info->traits[i].key);
		free(info->traits[i].value);
	}
	free(info->traits);
	free(info->exe);
	free(info->cwd);
	free(info->threads);
	*info = (struct weir_procinfo){ 0 };
}

const char *const weir_procinfo_hidden[4] = { "polls", "system",
					      "excluded", "paused" };

static int take_process_text(const struct weir_props_line *line, char **to)
{
	char *text = malloc(line->value_len + 1);

	if (!text)
		return -ENOMEM;
	weir_props_value(line, text, line->value_len + 1);
	free(*to);
	*to = text;
	return 0;
}

static int take_arg(const struct weir_props_line *line,
		    struct weir_procinfo *info)
{
	/* One more than counted, for the NULL at the end. */
	int err = WEIR_GROW(info->args, info->arg_count + 1, info->arg_room);

	if (err)
		return err;
	info->args[info->arg_count] = NULL;
	err = take_process_text(line, &info->args[info->arg_count]);
	if (err)
		return err;
	info->args[++info->arg_count] = NULL;
	return 0;
}

static int take_thread(const struct weir_props_line *line,
		       struct weir_procinfo *info)
{
	struct weir_procinfo_thread *thread;
	uint64_t numbers[4] = { 0 };
	char text[96], *at = text;

	weir_props_value(line, text, sizeof(text));
	for (int i = 0; i < 4; i++) {
		char *end;

		numbers[i] = strtoull(at, &end, 10);
		if (end == at)
			return -EBADMSG;
		at = end;
	}
	if (WEIR_GROW(info->threads, info->thread_count, info->thread_room))
		return -ENOMEM;
	thread = &info->threads[info->thread_count++];
	thread->number = (uint32_t)numbers[0];
	thread->tid = (uint32_t)numbers[1];
	thread->level = (uint32_t)numbers[2];
	thread->drops = numbers[3];
	return 0;
}

static bool is_trait(const struct weir_props_line *line)
{
	return line->key_len > strlen(WEIR_PROCINFO_TRAIT) &&
	       !strncmp(line->key, WEIR_PROCINFO_TRAIT,
			strlen(WEIR_PROCINFO_TRAIT));
}

static int take_trait(const struct weir_props_line *line,
		      struct weir_procinfo *info)
{
	size_t prefix = strlen(WEIR_PROCINFO_TRAIT);
	struct weir_procinfo_trait trait = { 0 };

	if (WEIR_GROW(info->traits, info->trait_count, info->trait_room))
		return -ENOMEM;
	trait.key = strndup(line->key + prefix, line->key_len - prefix);
	if (!trait.key || take_process_text(line, &trait.value)) {
		free(trait.key);
		return -ENOMEM;
	}
	info->traits[info->trait_count++] = trait;
	return 0;
}

const char *weir_procinfo_tells(const struct weir_procinfo *info,
				const char *key)
{
	for (size_t i = info->trait_count; i; i--)
		if (!strcmp(info->traits[i - 1].key, key))
			return info->traits[i - 1].value;
	return NULL;
}

int64_t weir_procinfo_rank(const struct weir_procinfo *info)
{
	const char *text = weir_procinfo_tells(info, "rank");
	char *end = NULL;
	long rank = text ? strtol(text, &end, 10) : -1;

	return text && end != text && !*end && rank >= 0 ? rank : -1;
}

bool weir_procinfo_is_server(const struct weir_procinfo *info)
{
	const char *role = weir_procinfo_tells(info, "role");

	return role && !strcmp(role, "server");
}

const char *weir_procinfo_program(const struct weir_procinfo *info)
{
	const char *slash = info->exe ? strrchr(info->exe, '/') : NULL;

	return slash ? slash + 1 : info->exe ?: "?";
}

bool weir_procinfo_was_killed(const struct weir_procinfo *info)
{
	return weir_procend_is_signal(&info->end) ||
	       info->end.how == WEIR_PROCEND_UNKNOWN;
}

static void take_end(const struct weir_props_line *line,
		     struct weir_procinfo *info)
{
	char text[32];

	weir_props_value(line, text, sizeof(text));
	info->end = weir_procend_parse(text);
}

static int take_process_number(const struct weir_props_line *line,
			       struct weir_procinfo *info)
{
	uint64_t pid = info->pid, ppid = info->ppid, uid = info->uid;
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{ "pid", &pid },
		{ "ppid", &ppid },
		{ "uid", &uid },
		{ "start", &info->start },
		{ "image", &info->image },
		{ "tick0", &info->tick0 },
		{ "dropped", &info->dropped },
		{ "outside", &info->outside },
		{ "lost", &info->lost },
		{ "kept", &info->kept },
		{ "overwritten", &info->overwritten },
		{ weir_procinfo_hidden[0], &info->hidden[0] },
		{ weir_procinfo_hidden[1], &info->hidden[1] },
		{ weir_procinfo_hidden[2], &info->hidden[2] },
		{ weir_procinfo_hidden[3], &info->hidden[3] },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (weir_props_is(line, numbers[i].key))
			err = weir_props_number(line, numbers[i].to);
	info->pid = (uint32_t)pid;
	info->ppid = (uint32_t)ppid;
	info->uid = (uint32_t)uid;
	return err ? -EBADMSG : 0;
}

static int take_process_line(const struct weir_props_line *line,
			     struct weir_procinfo *info)
{
	if (weir_props_is(line, "exe"))
		return take_process_text(line, &info->exe);
	if (weir_props_is(line, "cwd"))
		return take_process_text(line, &info->cwd);
	if (weir_props_is(line, "arg"))
		return take_arg(line, info);
	if (is_trait(line))
		return take_trait(line, info);
	if (weir_props_is(line, "thread"))
		return take_thread(line, info);
	if (weir_props_is(line, "stop"))
		weir_props_value(line, info->stop, sizeof(info->stop));
	if (weir_props_is(line, "state"))
		weir_props_value(line, info->state, sizeof(info->state));
	if (weir_props_is(line, "end"))
		take_end(line, info);
	return take_process_number(line, info);
}

static int by_thread_number(const void *left, const void *right)
{
	const struct weir_procinfo_thread *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

int weir_procinfo_parse(const void *text, size_t size,
			struct weir_procinfo *ret_info)
{
	struct weir_procinfo info = { 0 };
	struct weir_props_walk walk;
	struct weir_props_line line;
	int err = 0;

	weir_props_start(&walk, text, size);
	while (!err && weir_props_next(&walk, &line))
		err = take_process_line(&line, &info);
	if (err) {
		weir_procinfo_fini(&info);
		return err;
	}
	if (info.thread_count)
		qsort(info.threads, info.thread_count, sizeof(*info.threads),
		      by_thread_number);
	*ret_info = info;
	return 0;
}

const struct weir_procinfo_thread *
weir_procinfo_find(const struct weir_procinfo *info, uint32_t thread)
{
	struct weir_procinfo_thread key = { .number = thread };

	if (!info->thread_count)
		return NULL;
	return bsearch(&key, info->threads, info->thread_count, sizeof(key),
		       by_thread_number);
}
