/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds names that were looked for in one directory after another.
 *
 * Most names that are not there were asked for on purpose: a journal beside a
 * database, a file of settings that few directories have. A search is told by
 * its end: the process finds the name, whatever its ending, in another
 * directory, and there are not many more where it did not.
 */
#include "analyse/findings/searches.h"

#include "base/grow.h"
#include "base/hash.h"
#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No search path is longer, for each place where the name was found. */
#define LONGEST 32

void weir_searches_fini(struct weir_searches *searches)
{
	free(searches->list);
	*searches = (struct weir_searches){ 0 };
}

/* A name that begins with a dot has that in its stem. */
static size_t length_of_stem(const char *name, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (name[i] == '.')
			return i;
	return len;
}

static void split_name(struct weir_search *search, const char *name, size_t len)
{
	size_t at = len;

	while (at && name[at - 1] != '/')
		at--;
	search->directory = weir_hash_bytes(name, at);
	search->stem = weir_hash_bytes(name + at,
				       length_of_stem(name + at, len - at));
}

int weir_searches_add(struct weir_searches *searches,
		      const struct weir_uses *uses,
		      const struct weir_names *names)
{
	for (size_t i = 0; i < uses->count; i++) {
		const struct weir_use *use = &uses->list[i];
		struct weir_search search = {
			.file = use->file, .proc = use->proc,
			.found = use->opens + (uint64_t)use->looks,
			.missing = use->missing, .time = use->missing_time,
			.slowest = use->slowest_missing,
		};
		size_t len = 0;
		const char *name = weir_names_get(names, use->file, &len);

		if (!name || (!search.found && !search.missing))
			continue;
		split_name(&search, name, len);
		if (WEIR_GROW(searches->list, searches->count, searches->room))
			return -ENOMEM;
		searches->list[searches->count++] = search;
	}
	return 0;
}

static int by_stem(const void *left, const void *right)
{
	const struct weir_search *a = left, *b = right;

	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	if (a->stem != b->stem)
		return a->stem < b->stem ? -1 : 1;
	if (a->directory != b->directory)
		return a->directory < b->directory ? -1 : 1;
	return a->file < b->file ? -1 : a->file > b->file;
}

static int are_alike(const struct weir_search *a, const struct weir_search *b)
{
	return a->proc == b->proc && a->stem == b->stem;
}

/* Where the names of the next directory begin. */
static size_t end_of_directory(const struct weir_search *list, size_t count,
			       size_t from)
{
	size_t next = from + 1;

	while (next < count && list[next].directory == list[from].directory)
		next++;
	return next;
}

static int is_found(const struct weir_search *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].found)
			return 1;
	return 0;
}

/* All of the same stem: it was found, and not in too many places in vain. */
static int is_search(const struct weir_search *list, size_t count)
{
	uint64_t found = 0, missing = 0;

	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_directory(list, count, i);
		if (is_found(list + i, next - i))
			found++;
		else
			missing++;
	}
	return found && missing <= found * LONGEST;
}

/* What is there in the end was waited for, or was to be made. */
static int infer_directory(const struct weir_search *list, size_t count,
			   int is_searched, struct weir_clues *clues)
{
	int is_in_vain = is_searched && !is_found(list, count), err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		struct weir_clue clue = {
			.rule = WEIR_RULE_MISSING_FILES, .file = list[i].file,
			.proc = list[i].proc,
			.of = list[i].found + list[i].missing,
		};

		if (is_in_vain) {
			clue.count = list[i].missing;
			clue.time = clue.saving = list[i].time;
			clue.witness = list[i].slowest;
		}
		err = weir_clues_add(clues, &clue);
	}
	return err;
}

static int infer_stem(const struct weir_search *list, size_t count,
		      struct weir_clues *clues)
{
	int is_searched = is_search(list, count), err = 0;

	for (size_t i = 0, next; !err && i < count; i = next) {
		next = end_of_directory(list, count, i);
		err = infer_directory(list + i, next - i, is_searched, clues);
	}
	return err;
}

int weir_searches_infer(struct weir_searches *searches,
			struct weir_clues *clues)
{
	struct weir_search *list = searches->list;
	size_t next;
	int err = 0;

	if (searches->count)
		qsort(list, searches->count, sizeof(*list), by_stem);
	for (size_t i = 0; !err && i < searches->count; i = next) {
		for (next = i + 1; next < searches->count; next++)
			if (!are_alike(&list[i], &list[next]))
				break;
		err = infer_stem(list + i, next - i, clues);
	}
	return err;
}
