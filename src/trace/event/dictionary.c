/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the dictionary of a trace: its calls and their arguments. */
#include "trace/event/dictionary.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/event/meaning.h"
#include "trace/event/oldmeaning.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KINDS     1024
#define MOST_ARGUMENTS 32
#define MOST_TEXT      (4u << 20)
#define SLOTS	       2048 /* by a kind's name; never full */

struct weir_dictionary {
	char *text; /* a copy, cut into words */
	const char *layer; /* of the calls that follow */
	struct weir_kind kinds[MOST_KINDS];
	uint32_t kind_count;
	uint16_t slots[SLOTS]; /* a kind's number from 1 on, or 0 */
	struct weir_call **calls; /* by id; may be NULL */
	uint32_t call_room;
};

static const struct weir_kind unknown_kind = {
	.name = "?", .show = "decimal", .wire = WEIR_WIRE_NONE,
	.place_word = "none",
};

/* Cuts the next word off a line; NULL at its end. */
static char *cut_word(char **line)
{
	char *word = *line + strspn(*line, " \t\r");

	if (!*word)
		return NULL;
	*line = word + strcspn(word, " \t\r");
	if (**line)
		*(*line)++ = 0;
	return word;
}

static enum weir_place place_of_word(const char *word)
{
	static const char *const words[] = {
		[WEIR_PLACE_NONE] = "none",     [WEIR_PLACE_HANDLE] = "handle",
		[WEIR_PLACE_SIZE] = "size",     [WEIR_PLACE_OFF] = "off",
		[WEIR_PLACE_DETAIL] = "detail",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(word, words[i]))
			return (enum weir_place)i;
	return WEIR_PLACE_NONE;
}

/* The slot that has the kind of that name, or could take it. */
static uint16_t *find_slot(struct weir_dictionary *dictionary,
			   const char *name)
{
	uint64_t at = weir_hash_bytes(name, strlen(name));
	uint16_t *slot;

	do
		slot = &dictionary->slots[at++ % SLOTS];
	while (*slot && strcmp(dictionary->kinds[*slot - 1].name, name));
	return slot;
}

static const struct weir_kind *kind_named(struct weir_dictionary *dictionary,
					  const char *name)
{
	uint16_t slot = *find_slot(dictionary, name);

	return slot ? &dictionary->kinds[slot - 1] : NULL;
}

static int add_kind(struct weir_dictionary *dictionary, char *line)
{
	const char *name = cut_word(&line), *wire = cut_word(&line);
	const char *place = cut_word(&line), *show = cut_word(&line);
	uint16_t *slot;

	if (!show || strlen(wire) != 1)
		return -EBADMSG;
	if (dictionary->kind_count == MOST_KINDS)
		return -EBADMSG;
	dictionary->kinds[dictionary->kind_count++] = (struct weir_kind){
		.name = name,
		.show = show,
		.wire = *wire,
		.place = place_of_word(place),
		.place_word = place,
	};
	slot = find_slot(dictionary, name);
	if (!*slot) /* else the first of that name counts */
		*slot = (uint16_t)dictionary->kind_count;
	return 0;
}

static int parse_id(const char *word, uint32_t *ret_id)
{
	char *end;
	unsigned long id = strtoul(word, &end, 10);

	if (*end || id >= WEIR_NOTE_FIRST)
		return -EBADMSG;
	*ret_id = (uint32_t)id;
	return 0;
}

static int add_argument(struct weir_dictionary *dictionary,
			struct weir_call *call, char *word)
{
	struct weir_argument *to;
	char *colon = strchr(word, ':');
	const struct weir_kind *kind = NULL;

	if (colon) {
		*colon = 0;
		kind = kind_named(dictionary, colon + 1);
	}
	if (!kind || call->argument_count == MOST_ARGUMENTS)
		return -EBADMSG;
	to = (struct weir_argument *)(call + 1) + call->argument_count++;
	to->name = word;
	to->kind = kind;
	if (kind->place == WEIR_PLACE_DETAIL && kind->wire == WEIR_WIRE_PATH)
		call->has_path = 1;
	if (kind->wire == WEIR_WIRE_OPTIONAL && !strcmp(word, "id"))
		call->may_hand_over = 1;
	call->hands_down |= !strcmp(word, "cid");
	call->has_cause |= !strcmp(word, "for");
	call->has_batch |= !strcmp(kind->name, "batch");
	return 0;
}

/* The arguments stand right behind the call, in one allocation. */
static struct weir_call *new_call(const char *arguments)
{
	size_t room = 0;

	for (; room < MOST_ARGUMENTS && (arguments = strchr(arguments, ':'));
	     room++)
		arguments++;
	return calloc(1, sizeof(struct weir_call) +
				 room * sizeof(struct weir_argument));
}

static int add_call(struct weir_dictionary *dictionary, char *line)
{
	char *id_word = cut_word(&line), *name = cut_word(&line);
	char *result = cut_word(&line), *role = cut_word(&line), *word;
	struct weir_call *call;
	uint32_t id = 0;

	if (!role || parse_id(id_word, &id))
		return -EBADMSG;
	if (WEIR_GROW_ZEROED(dictionary->calls, (size_t)id + 1,
			     dictionary->call_room))
		return -ENOMEM;
	if (dictionary->calls[id])
		return -EBADMSG;
	call = new_call(line);
	if (!call)
		return -ENOMEM;
	dictionary->calls[id] = call;
	call->name = name;
	call->role = role;
	call->layer = dictionary->layer;
	call->is_served = call->layer && (!strcmp(call->layer, "serve") ||
					  !strcmp(call->layer, "backend"));
	call->result = kind_named(dictionary, result);
	if (!call->result)
		call->result = &unknown_kind;
	call->arguments = (struct weir_argument *)(call + 1);
	while ((word = cut_word(&line))) {
		int err = add_argument(dictionary, call, word);

		if (err)
			return err;
	}
	return 0;
}

static int set_layer(struct weir_dictionary *dictionary, char *line)
{
	const char *layer = cut_word(&line);

	if (!layer)
		return -EBADMSG;
	dictionary->layer = layer;
	return 0;
}

/* CLASS WORD ... ID ...: what these calls mean. */
static int add_class(struct weir_dictionary *dictionary, char *line)
{
	const char *word = cut_word(&line);
	struct weir_meaning_words words;
	uint32_t id = 0;

	if (!word)
		return -EBADMSG;
	weir_meaning_begin(&words, word);
	while ((word = cut_word(&line))) {
		if (*word < '0' || *word > '9') {
			weir_meaning_add(&words, word);
			continue;
		}
		if (parse_id(word, &id))
			return -EBADMSG;
		if (id < dictionary->call_room && dictionary->calls[id])
			weir_meaning_give(dictionary->calls[id], &words);
	}
	return 0;
}

/* Traces of earlier versions tell no classes. */
static void guess_classes(struct weir_dictionary *dictionary)
{
	for (uint32_t i = 0; i < dictionary->call_room; i++)
		if (dictionary->calls[i] &&
		    weir_call_is(dictionary->calls[i], WEIR_MEANS_NOTHING))
			weir_oldmeaning_guess(dictionary->calls[i]);
}

static int add_line(struct weir_dictionary *dictionary, char *line)
{
	const char *word = cut_word(&line);

	if (word && !strcmp(word, "kind"))
		return add_kind(dictionary, line);
	if (word && !strcmp(word, "call"))
		return add_call(dictionary, line);
	if (word && !strcmp(word, "layer"))
		return set_layer(dictionary, line);
	if (word && !strcmp(word, "class"))
		return add_class(dictionary, line);
	return 0;
}

/* Its words are printed as they are: nothing in them may have a meaning. */
static int text_is_plain(const unsigned char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n' || text[i] == '\t')
			continue;
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"' ||
		    text[i] == '\\' || text[i] == ',')
			return 0;
	}
	return 1;
}

int weir_dictionary_parse(const void *text, size_t size,
			  struct weir_dictionary **ret_dictionary)
{
	struct weir_dictionary *dictionary;
	char *line, *rest;
	int err = 0;

	if (size > MOST_TEXT || !text_is_plain(text, size))
		return -EBADMSG;
	dictionary = calloc(1, sizeof(*dictionary));
	if (!dictionary)
		return -ENOMEM;
	dictionary->text = strndup(text, size);
	if (!dictionary->text)
		err = -ENOMEM;
	for (rest = dictionary->text; !err && (line = strsep(&rest, "\n"));)
		err = add_line(dictionary, line);
	if (err) {
		weir_dictionary_free(dictionary);
		return err;
	}
	guess_classes(dictionary);
	*ret_dictionary = dictionary;
	return 0;
}

void weir_dictionary_free(struct weir_dictionary *dictionary)
{
	if (!dictionary)
		return;
	for (uint32_t i = 0; i < dictionary->call_room; i++)
		free(dictionary->calls[i]);
	free(dictionary->calls);
	free(dictionary->text);
	free(dictionary);
}

const struct weir_call *
weir_dictionary_call(const struct weir_dictionary *dictionary, uint16_t id)
{
	if (!dictionary || id >= dictionary->call_room)
		return NULL;
	return dictionary->calls[id];
}

uint64_t weir_dictionary_moved(const struct weir_call *call,
			       const struct weir_event *event)
{
	bool by_size = call->layer && (!strcmp(call->layer, "hdf5") ||
				       !strcmp(call->layer, "pnetcdf")) &&
		       (weir_call_is(call, WEIR_MEANS_READ) ||
			weir_call_is(call, WEIR_MEANS_WRITE));

	return by_size	      ? event->size :
	       event->ret > 0 ? (uint64_t)event->ret :
				0;
}

const struct weir_kind *
weir_dictionary_kind(const struct weir_dictionary *dictionary, uint32_t n)
{
	return n < dictionary->kind_count ? &dictionary->kinds[n] : NULL;
}
