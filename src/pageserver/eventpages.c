/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the events that a browser asks for, a page at a time. */
#include "pageserver/eventpages.h"

#include "base/number.h"
#include "export/dump/dump.h"
#include "trace/read/select.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FROM, TO, WHO, FILES, PATH, CALL, LAYER, LIMIT, AFTER };

const char *const weir_eventpages_keys[] = {
	[FROM] = "from",    [TO] = "to",       [WHO] = "who",
	[FILES] = "file",   [PATH] = "path",   [CALL] = "call",
	[LAYER] = "layer",  [LIMIT] = "limit", [AFTER] = "after",
	[AFTER + 1] = NULL,
};

#define USUAL_LIMIT 200
#define MOST_LIMIT  1000

/* Nobody waits longer for an answer, however few events are found. */
#define PATIENCE_NS UINT64_C(1000000000)
#define LOOK_AT     1024 /* events between two looks at the clock */

/* A query, understood. */
struct wish {
	uint64_t from, to, limit;
	struct weir_urlquery_numbers who, files;
	bool all_but; /* these files */
	bool goes_on;
	struct weir_eventpages_place after;
};

void weir_eventpages_forget(struct weir_eventpages *pages)
{
	free(pages->wish);
	free(pages->files);
	weir_map_fini(&pages->calls);
	*pages = (struct weir_eventpages){ .reader = pages->reader };
}

void weir_eventpages_fini(struct weir_eventpages *pages)
{
	weir_eventpages_forget(pages);
}

/* START.PROC.THREAD.DEPTH.INDEX */
static int read_place(const char *text, struct weir_eventpages_place *ret_place)
{
	uint64_t parts[5];
	char number[24];

	for (int i = 0; i < 5; i++) {
		size_t len = strcspn(text, ".");

		if (len >= sizeof(number) || !text[len] != (i == 4))
			return -EINVAL;
		memcpy(number, text, len);
		number[len] = '\0';
		if (weir_number_parse(number, &parts[i]))
			return -EINVAL;
		text += len + 1;
	}
	*ret_place =
		(struct weir_eventpages_place){ parts[0], parts[1], parts[2],
						parts[3], parts[4] };
	return 0;
}

/* Keeps what is there when nothing is given. */
static int read_number(const char *text, uint64_t *number)
{
	return text ? weir_number_parse(text, number) : 0;
}

static const char *understand(const struct weir_urlquery *query,
			      struct wish *wish)
{
	const char *const *given = query->values;
	const char *files = given[FILES];

	if (read_number(given[FROM], &wish->from) ||
	    read_number(given[TO], &wish->to) || wish->from > wish->to)
		return "from and to are nanoseconds since the first event, and "
		       "from is not after to";
	if (read_number(given[LIMIT], &wish->limit) || !wish->limit ||
	    wish->limit > MOST_LIMIT)
		return "limit is a number from 1 to 1000";
	if (given[WHO] && weir_urlquery_numbers(given[WHO], &wish->who))
		return "who is a list of processes like 1-4,9";
	wish->all_but = files && *files == '!';
	if (files && weir_urlquery_numbers(files + wish->all_but, &wish->files))
		return "file is a list of numbers like 1-4,9, or !1-4,9 for "
		       "all others";
	wish->goes_on = given[AFTER];
	if (given[AFTER] && read_place(given[AFTER], &wish->after))
		return "after must be the next of an earlier answer";
	return NULL;
}

static int is_wanted_process(const struct weir_procinfo *process,
			     void *context)
{
	return weir_urlquery_has(context, process->number);
}

/* By number (0: no file), or by name; both when both are given. */
static int select_files(struct weir_eventpages *pages, const struct wish *wish,
			const char *glob)
{
	uint32_t count = weir_reader_names(pages->reader);
	int err = 0;

	if (glob)
		err = weir_select_files(pages->reader, glob, &pages->files);
	if (err || !wish->files.count)
		return err;
	if (!pages->files) {
		pages->files = malloc((size_t)count + 1);
		if (!pages->files)
			return -ENOMEM;
		memset(pages->files, 1, (size_t)count + 1);
	}
	for (uint32_t i = 0; i <= count; i++)
		if (!weir_urlquery_has(&wish->files, i) != wish->all_but)
			pages->files[i] = 0;
	if (wish->all_but)
		pages->files[0] = 0; /* that is no file */
	return 0;
}

/* Of files that are none nothing needs to be read. */
static void skip_all(struct weir_eventpages *pages)
{
	uint32_t count = weir_reader_names(pages->reader);

	if (pages->files && !memchr(pages->files, 1, (size_t)count + 1))
		weir_reader_between(pages->reader, UINT64_MAX, UINT64_MAX);
}

/* All that selects, in one text: from one answer to the next it is the same. */
static char *spell_selection(const struct weir_urlquery *query)
{
	char *text = NULL;
	size_t len;
	FILE *stream = open_memstream(&text, &len);

	if (!stream)
		return NULL;
	for (int i = FROM; i <= LAYER; i++)
		fprintf(stream, "%s&",
			query->values[i] ? query->values[i] : "");
	return fclose(stream) ? NULL : text;
}

static bool is_same_place(const struct weir_eventpages_place *a,
			  const struct weir_eventpages_place *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Makes the reader ready, unless it stands where the query goes on. */
static int begin_page(struct weir_eventpages *pages,
		      const struct weir_urlquery *query, struct wish *wish)
{
	char *spelled = spell_selection(query);
	uint64_t from = wish->from;
	bool stays;
	int err;

	if (!spelled)
		return -ENOMEM;
	stays = pages->wish && !strcmp(pages->wish, spelled) && wish->goes_on &&
		is_same_place(&pages->at, &wish->after);
	if (stays) {
		free(spelled);
		return 0;
	}
	weir_eventpages_forget(pages);
	pages->wish = spelled;
	weir_reader_rewind(pages->reader);
	if (wish->who.count)
		weir_reader_only(pages->reader, is_wanted_process, &wish->who);
	/* what follows a place does not end before it */
	if (wish->goes_on && from < wish->after.start)
		from = wish->after.start;
	weir_reader_between(pages->reader, from, wish->to);
	err = select_files(pages, wish, query->values[PATH]);
	skip_all(pages);
	if (wish->goes_on)
		pages->at = wish->after;
	return err;
}

static bool is_wanted_call(const struct weir_urlquery *query,
			   const struct weir_dump_event *described)
{
	const struct weir_call *call = described->call;
	const char *calls = query->values[CALL];
	const char *layers = query->values[LAYER];
	char name[WEIR_DUMP_NAME];

	if (calls &&
	    !weir_urlquery_names(calls, weir_dump_name(described, name)))
		return false;
	return !layers || (call && call->layer &&
			   weir_urlquery_names(layers, call->layer));
}

/* Names are compared once for each call of a dictionary. */
static bool wants_call(struct weir_eventpages *pages,
		       const struct weir_urlquery *query,
		       const struct weir_dump_event *described)
{
	const struct weir_call *call = described->call;
	uint64_t known =
		call ? weir_map_get(&pages->calls, (uintptr_t)call) : 0;

	if (!known) {
		known = is_wanted_call(query, described) ? 1 : 2;
		/* when it is not remembered, it is found out again */
		if (call)
			weir_map_put(&pages->calls, (uintptr_t)call, known);
	}
	return known == 1;
}

static struct weir_eventpages_place
page_place(const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	return (struct weir_eventpages_place){
		described->start, event->proc,	event->thread,
		event->depth,	  event->index,
	};
}

static bool comes_after(const struct weir_eventpages_place *a,
			const struct weir_eventpages_place *b)
{
	if (a->start != b->start)
		return a->start > b->start;
	if (a->proc != b->proc)
		return a->proc > b->proc;
	if (a->thread != b->thread)
		return a->thread > b->thread;
	if (a->depth != b->depth)
		return a->depth > b->depth;
	return a->index > b->index;
}

static bool is_asked_for(struct weir_eventpages *pages,
			 const struct weir_urlquery *query,
			 const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	return event->call != WEIR_NOTE_SUM &&
	       (!pages->files || pages->files[event->file]) &&
	       wants_call(pages, query, described);
}

static uint64_t monotonic_now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}

struct count {
	uint64_t found, looked_at, until;
};

static bool is_enough(const struct count *count, const struct wish *wish)
{
	if (count->found == wish->limit)
		return true;
	return count->looked_at && !(count->looked_at % LOOK_AT) &&
	       monotonic_now() > count->until;
}

/* 1: there may be more; 0: that was all; or -errno. */
static int put_events(struct weir_eventpages *pages,
		      const struct weir_urlquery *query,
		      const struct wish *wish, struct weir_dump *dump,
		      struct count *count)
{
	struct weir_dump_event described = { .event = NULL };
	struct weir_event event;
	int more = 1;

	while (!is_enough(count, wish) &&
	       (more = weir_reader_next(pages->reader, &event)) > 0) {
		struct weir_eventpages_place place;

		weir_dump_describe(pages->reader, &event, &described);
		place = page_place(&described);
		if (wish->goes_on && !comes_after(&place, &wish->after))
			continue;
		pages->at = place;
		count->looked_at++;
		if (!is_asked_for(pages, query, &described))
			continue;
		if (count->found++)
			weir_text_char(&dump->out, ',');
		weir_as_jsonl.event(dump, &described);
	}
	return more;
}

static void put_end(struct weir_eventpages *pages, struct weir_text *out,
		    int more, const struct count *count)
{
	const struct weir_eventpages_place *at = &pages->at;
	struct weir_reader_losses losses;

	weir_text_string(out, "],\"next\":");
	if (more)
		weir_text_format(out,
				 "\"%" PRIu64 ".%" PRIu64 ".%" PRIu64
				 ".%" PRIu64 ".%" PRIu64 "\"", at->start,
				 at->proc, at->thread, at->depth, at->index);
	else
		weir_text_string(out, "null");
	weir_text_string(out, ",\"looked_at\":");
	weir_text_unsigned(out, count->looked_at);
	weir_reader_losses(pages->reader, &losses);
	weir_text_string(out, ",\"damaged_blocks\":");
	weir_text_unsigned(out, losses.damaged_blocks);
	weir_text_string(out, "}\n");
}

static int answer_events(struct weir_eventpages *pages,
			 const struct weir_urlquery *query,
			 const struct wish *wish, int fd)
{
	struct weir_dump dump = { .reader = pages->reader };
	struct count count = { .until = monotonic_now() + PATIENCE_NS };
	int more, flushed, err = weir_text_init(&dump.out, fd);

	if (err)
		return err;
	weir_text_string(&dump.out, "{\"events\":[");
	more = put_events(pages, query, wish, &dump, &count);
	if (more >= 0)
		put_end(pages, &dump.out, more, &count);
	flushed = weir_text_flush(&dump.out);
	weir_text_fini(&dump.out);
	return more < 0 ? more : flushed;
}

int weir_eventpages_answer(struct weir_eventpages *pages,
			   const struct weir_urlquery *query, int fd,
			   const char **ret_wrong)
{
	struct wish wish = { .to = UINT64_MAX, .limit = USUAL_LIMIT };
	int err;

	*ret_wrong = understand(query, &wish);
	if (*ret_wrong)
		return -EINVAL;
	err = begin_page(pages, query, &wish);
	if (!err)
		err = answer_events(pages, query, &wish, fd);
	if (err)
		weir_eventpages_forget(pages);
	return err;
}
