/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects hints that an MPI ignored or changed. */
#include "analyse/facts/hints.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/number.h"
#include "spec/findings.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LIST 4096 /* bytes of a list of hints, as any call tells it */

/* KEY=VALUE;... in pieces; a last "...": there were more. */
struct list {
	char text[LIST];
	char *next;
};

struct pair {
	char *name, *value;
};

void weir_hints_fini(struct weir_hints *hints)
{
	for (size_t i = 0; i < hints->count; i++)
		free(hints->list[i].name);
	free(hints->list);
	weir_map_fini(&hints->index);
	weir_map_fini(&hints->pairs);
	*hints = (struct weir_hints){ 0 };
}

/* The same number in decimal, with a unit, or as C writes it. */
static int parse(const char *text, uint64_t *ret_value)
{
	char *end;

	if (!weir_number_parse_size(text, ret_value))
		return 1;
	if (strncasecmp(text, "0x", 2))
		return 0;
	*ret_value = strtoull(text, &end, 16);
	return !*end;
}

/* 1: it is to be done; 0: it is not; -1: it says something else. */
static int switched(const char *text)
{
	static const char *const words[2][6] = {
		{ "disable", "disabled", "false", "no", "off", "0" },
		{ "enable", "enabled", "true", "yes", "on", "1" },
	};

	for (int on = 0; on < 2; on++)
		for (int i = 0; i < 6; i++)
			if (!strcasecmp(text, words[on][i]))
				return on;
	return -1;
}

int weir_hints_agree(const char *asked, const char *got)
{
	uint64_t a, b;

	if (!strcasecmp(asked, got))
		return 1;
	if (parse(asked, &a) && parse(got, &b))
		return a == b;
	return switched(asked) >= 0 && switched(asked) == switched(got);
}

static void start_list(struct list *list, const struct weir_value *value)
{
	size_t len = value->text_len < LIST ? value->text_len : LIST - 1;

	memcpy(list->text, value->text, len);
	list->text[len] = 0;
	list->next = list->text;
}

static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t", text[len - 1]))
		text[--len] = 0;
	return text;
}

/* 0 after the last. What is no pair is part of a value with our signs. */
static int next_pair(struct list *list, struct pair *ret_pair)
{
	char *piece, *equals;

	while ((piece = strsep(&list->next, ";"))) {
		equals = strchr(piece, '=');
		if (!equals || equals == piece)
			continue;
		*equals = 0;
		*ret_pair = (struct pair){ piece, trim(equals + 1) };
		return 1;
	}
	return 0;
}

static int is_cut(const struct weir_value *value)
{
	return value->text_len >= 3 &&
	       !memcmp(value->text + value->text_len - 3, "...", 3);
}

/* What a call asked for, and what the MPI told after it. */
struct asking {
	const struct weir_callview *view;
	struct weir_value asked, made;
	int is_silent; /* of some hints that it takes */
	struct list scratch;
};

/* The value of a hint now; NULL: the MPI does not tell of it. */
static const char *find_asked(struct asking *asking, const char *name)
{
	struct pair pair;

	start_list(&asking->scratch, &asking->made);
	while (next_pair(&asking->scratch, &pair))
		if (!strcmp(pair.name, name))
			return pair.value;
	return NULL;
}

/* PnetCDF takes these itself, and hands all on to the MPI. */
static int is_for_others(const char *name)
{
	return !strncmp(name, "nc_", 3) || !strncmp(name, "pnetcdf_", 8);
}

/* OMPIO takes these with a view as well, but does not tell. */
static int is_taken_silently(const char *name)
{
	return !strcmp(name, "cb_nodes") ||
	       !strcmp(name, "collective_buffering");
}

/* As it was asked for, or nobody can say that it is not. */
static int is_fine(const struct asking *asking, const struct pair *pair,
		   const char *got)
{
	if (!strcasecmp(pair->value, "automatic"))
		return 1;
	if (got)
		return weir_hints_agree(pair->value, got);
	return is_cut(&asking->made) || is_for_others(pair->name) ||
	       (asking->is_silent && is_taken_silently(pair->name));
}

/* The texts of a hint, one after the other. */
static char *join_texts(const char *name, const char *asked, const char *got,
			size_t *ret_len)
{
	size_t sizes[] = { strlen(name) + 1, strlen(asked) + 1,
			   got ? strlen(got) + 1 : 0 };
	char *text = malloc(sizes[0] + sizes[1] + sizes[2]);

	if (!text)
		return NULL;
	memcpy(text, name, sizes[0]);
	memcpy(text + sizes[0], asked, sizes[1]);
	if (got)
		memcpy(text + sizes[0] + sizes[1], got, sizes[2]);
	*ret_len = sizes[0] + sizes[1] + sizes[2];
	return text;
}

/* The one with these texts, made when it is new; NULL: no memory. */
static struct weir_hint *get_hint(struct weir_hints *hints, const char *name,
				  const char *asked, const char *got)
{
	size_t len = 0;
	char *text = join_texts(name, asked, got, &len);
	uint64_t key = text ? weir_hash_bytes(text, len) : 0;
	uint64_t at = text ? weir_map_get(&hints->index, key) : 0;
	struct weir_hint *hint;

	if (at || !text || WEIR_GROW(hints->list, hints->count, hints->room) ||
	    weir_map_put(&hints->index, key, hints->count + 1)) {
		free(text);
		return at ? &hints->list[at - 1] : NULL;
	}
	hint = &hints->list[hints->count++];
	*hint = (struct weir_hint){ .name = text };
	hint->asked = text + strlen(text) + 1;
	if (got)
		hint->got = hint->asked + strlen(hint->asked) + 1;
	return hint;
}

static int count_file(struct weir_hints *hints, struct weir_hint *hint,
		      uint32_t file)
{
	uint64_t key = (uint64_t)(hint - hints->list) << 32 | file;

	if (weir_map_get(&hints->pairs, key))
		return 0;
	if (!hint->file || file < hint->file)
		hint->file = file;
	hint->files++;
	return weir_map_put(&hints->pairs, key, 1);
}

static int note_hint(struct weir_hints *hints, const struct asking *asking,
		     const struct pair *pair, const char *got)
{
	struct weir_hint *hint = get_hint(hints, pair->name, pair->value, got);

	if (!hint)
		return -ENOMEM;
	hint->count++;
	return count_file(hints, hint, asking->view->file);
}

/* Both are told, and whole. */
static int read_lists(struct asking *asking, const struct weir_call *call)
{
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, &asking->view->event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given || value.kind->wire != WEIR_WIRE_STRING)
			continue;
		if (!strcmp(value.kind->name, WEIR_CALLVIEWS_ASKED))
			asking->asked = value;
		else if (!strcmp(value.kind->show, "hints"))
			asking->made = value;
	}
	return asking->asked.given && asking->made.given &&
	       !(asking->view->event.flags & WEIR_EVENT_CUT);
}

int weir_hints_take(struct weir_hints *hints, struct weir_clues *clues,
		    const struct weir_callview *view,
		    const struct weir_call *call, const char *mpi)
{
	struct asking asking = { .view = view };
	struct weir_clue clue = {
		.rule = WEIR_RULE_IGNORED_HINTS, .file = view->file,
		.proc = view->event.proc,
		.witness = weir_witness_of(&view->event),
	};
	struct list list;
	struct pair pair;
	int err = 0;

	if (!call || !read_lists(&asking, call))
		return 0;
	asking.is_silent = mpi && !strncmp(mpi, "Open MPI", 8) &&
			   !strcmp(call->name, "MPI_File_set_view");
	start_list(&list, &asking.asked);
	while (!err && next_pair(&list, &pair)) {
		const char *got = find_asked(&asking, pair.name);

		clue.of++;
		if (is_fine(&asking, &pair, got))
			continue;
		clue.count++;
		err = note_hint(hints, &asking, &pair, got);
	}
	clue.time = clue.count ? view->event.dur : 0;
	return err || !clue.of ? err : weir_clues_add(clues, &clue);
}

int weir_hints_merge(struct weir_hints *to, struct weir_hints *from)
{
	int err = 0;

	for (size_t i = 0; !err && i < from->count; i++) {
		const struct weir_hint *old = &from->list[i];
		struct weir_hint *hint =
			get_hint(to, old->name, old->asked, old->got);

		if (!hint) {
			err = -ENOMEM;
			continue;
		}
		hint->count += old->count;
		hint->files += old->files;
		if (!hint->file || old->file < hint->file)
			hint->file = old->file;
	}
	weir_hints_fini(from);
	return err;
}

static int by_count(const void *left, const void *right)
{
	const struct weir_hint *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	order = order ? order : strcmp(a->asked, b->asked);
	if (order || !a->got || !b->got)
		return order ? order : (a->got != NULL) - (b->got != NULL);
	return strcmp(a->got, b->got);
}

void weir_hints_sort(struct weir_hints *hints)
{
	if (hints->count)
		qsort(hints->list, hints->count, sizeof(*hints->list),
		      by_count);
	weir_map_fini(&hints->index); /* it would lead elsewhere now */
}
