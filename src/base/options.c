/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses command lines by the tables that spec/options describes. */
#include "base/options.h"

#include "base/nearest.h"
#include "base/number.h"
#include "spec/exits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weir_option_given {
	const struct weir_option *option;
	const char *value; /* NULL for flags */
};

/* The words not looked at yet. */
struct words {
	char **next;
	char **end;
};

static int refuse_words(struct weir_options *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse_words(struct weir_options *o, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(o->error, sizeof(o->error), format, args);
	va_end(args);
	return -EINVAL;
}

static int refuse_unknown(struct weir_options *o, const char *name,
			  size_t length)
{
	struct weir_nearest near;

	weir_nearest_init(&near, name, length);
	for (unsigned i = 0; i < o->verb->option_count; i++)
		weir_nearest_offer(&near, o->verb->options[i].name);
	weir_nearest_offer(&near, "help");
	if (near.best)
		return refuse_words(o,
				    "unknown option --%.*s; did you mean --%s?",
				    (int)length, name, near.best);
	return refuse_words(o, "unknown option --%.*s", (int)length, name);
}

static int find_choice(const struct weir_option *option, const char *value)
{
	for (int i = 0; option->choices[i]; i++) {
		if (!strcmp(option->choices[i], value))
			return i;
	}
	return -EINVAL;
}

static int refuse_choice(struct weir_options *o,
			 const struct weir_option *option, const char *value)
{
	char known[128] = "";
	size_t used = 0;

	for (int i = 0; option->choices[i] && used < sizeof(known); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used,
					 "%s%s", i ? ", " : "",
					 option->choices[i]);
	return refuse_words(o, "--%s does not take %.40s, only %s",
			    option->name, value, known);
}

static int refuse_number(struct weir_options *o,
			 const struct weir_option *option, const char *value,
			 int why)
{
	static const char *const wanted[] = {
		[WEIR_OPTION_NUMBER] = "a whole number such as 4",
		[WEIR_OPTION_SIZE] = "a size such as 512K, 8M or 1G",
		[WEIR_OPTION_SPAN] = "two times in order, such as 0.5-2 or "
				     "10ms-20ms",
	};

	if (why == -ERANGE)
		return refuse_words(o, "--%s %.40s is too large", option->name,
				    value);
	return refuse_words(o, "--%s %.40s: not %s", option->name, value,
			    wanted[option->type]);
}

/* The getters parse again and rely on what is checked here. */
static int check_value(struct weir_options *o,
		       const struct weir_option *option, const char *value)
{
	uint64_t a, b;
	int err = 0;

	switch (option->type) {
	case WEIR_OPTION_FLAG:
	case WEIR_OPTION_MAYBE:
	case WEIR_OPTION_SHORT:
		return 0;
	case WEIR_OPTION_TEXT:
	case WEIR_OPTION_LIST:
		if (!*value)
			return refuse_words(o,
					    "--%s needs %s, not an empty word",
					    option->name, option->argument);
		return 0;
	case WEIR_OPTION_CHOICE:
		if (find_choice(option, value) < 0)
			return refuse_choice(o, option, value);
		return 0;
	case WEIR_OPTION_NUMBER:
		err = weir_number_parse(value, &a);
		break;
	case WEIR_OPTION_SIZE:
		err = weir_number_parse_size(value, &a);
		break;
	case WEIR_OPTION_SPAN:
		err = weir_number_parse_span(value, &a, &b);
		break;
	}
	return err ? refuse_number(o, option, value, err) : 0;
}

static bool takes_value(const struct weir_option *option)
{
	return option->type != WEIR_OPTION_FLAG &&
	       option->type != WEIR_OPTION_SHORT;
}

/* `attached` is the value in the same word; else the next word is taken. */
static int take_option(struct weir_options *o,
		       const struct weir_option *option, const char *attached,
		       struct words *words)
{
	const char *value = attached;
	int err;

	if (!takes_value(option)) {
		if (attached)
			return refuse_words(o, "--%s takes no value",
					    option->name);
	} else if (option->type == WEIR_OPTION_MAYBE) {
		value = attached ? attached : "";
	} else if (!value) {
		if (words->next == words->end)
			return refuse_words(o, "--%s needs %s after it",
					    option->name, option->argument);
		value = *words->next++;
	}
	err = check_value(o, option, value);
	if (err)
		return err;
	if (option->type == WEIR_OPTION_SHORT) {
		value = option->fallback;
		option = &o->verb->options[option->stands_for];
	}
	o->given[o->given_count++] = (struct weir_option_given){
		.option = option,
		.value = value,
	};
	return 0;
}

/* --name, --name VALUE or --name=VALUE; `word` is after the dashes. */
static int take_long(struct weir_options *o, const char *word,
		     struct words *words)
{
	size_t length = strcspn(word, "=");
	const char *attached = word[length] ? word + length + 1 : NULL;

	for (unsigned i = 0; i < o->verb->option_count; i++) {
		const struct weir_option *option = &o->verb->options[i];

		if (strlen(option->name) == length &&
		    !memcmp(option->name, word, length))
			return take_option(o, option, attached, words);
	}
	if (strcmp(word, "help"))
		return refuse_unknown(o, word, length);
	o->help = true;
	return 0;
}

static const struct weir_option *find_letter(const struct weir_verb *verb,
					     char letter)
{
	for (unsigned i = 0; i < verb->option_count; i++) {
		if (verb->options[i].letter == letter)
			return &verb->options[i];
	}
	return NULL;
}

/* -o VALUE, -oVALUE or several flags, -qv; `word` is after the dash. */
static int take_letters(struct weir_options *o, const char *word,
			struct words *words)
{
	for (; *word; word++) {
		const struct weir_option *option;
		bool takes_rest;
		int err;

		if (*word == 'h') {
			o->help = true;
			continue;
		}
		option = find_letter(o->verb, *word);
		if (!option)
			return refuse_words(o, "unknown option -%c", *word);
		takes_rest = takes_value(option);
		err = take_option(o, option,
				  takes_rest && word[1] ? word + 1 : NULL,
				  words);
		if (err || takes_rest)
			return err;
	}
	return 0;
}

static int check_operands(struct weir_options *o)
{
	const struct weir_verb *verb = o->verb;

	if (o->operand_count < verb->min_operands)
		return refuse_words(o, "too few arguments; usage: weir %s %s",
				    verb->name, verb->usage);
	if (o->operand_count > verb->max_operands)
		return refuse_words(o, "do not know what to do with `%.100s'",
				    o->operands[verb->max_operands]);
	return 0;
}

/*
 * Operands are gathered at the front of argv, over words that have been
 * taken already.
 */
static int take_words(struct weir_options *o, struct words *words)
{
	int err = 0;

	while (!err && words->next < words->end) {
		char *word = *words->next++;

		if (!strcmp(word, "--"))
			break;
		if (word[0] == '-' && word[1] == '-') {
			err = take_long(o, word + 2, words);
		} else if (word[0] == '-' && word[1]) {
			err = take_letters(o, word + 1, words);
		} else {
			o->operands[o->operand_count++] = word;
			if (o->verb->stops)
				break;
		}
	}
	while (!err && words->next < words->end)
		o->operands[o->operand_count++] = *words->next++;
	return err;
}

int weir_options_parse(struct weir_options *o, const struct weir_verb *verb,
		       int argc, char **argv)
{
	struct words words = { .next = argv + 1, .end = argv + argc };
	size_t letters = 1;
	int err;

	*o = (struct weir_options){ .verb = verb, .operands = argv + 1 };
	/* a word of n letters can hold n flags, but not more */
	for (char **word = words.next; word < words.end; word++)
		letters += strlen(*word);
	o->given = calloc(letters, sizeof(*o->given));
	if (!o->given)
		return -ENOMEM;
	err = take_words(o, &words);
	if (err)
		return err;
	o->operands[o->operand_count] = NULL;
	return o->help ? 0 : check_operands(o);
}

void weir_options_fini(struct weir_options *o)
{
	free(o->given);
	o->given = NULL;
}

bool weir_options_start(struct weir_options *o, const struct weir_verb *verb,
			int argc, char **argv, int *ret_status)
{
	int err = weir_options_parse(o, verb, argc, argv);

	if (!err && !o->help)
		return true;
	if (err == -ENOMEM)
		fprintf(stderr, "weir %s: out of memory\n", verb->name);
	else if (err)
		fprintf(stderr, "weir %s: %s\nTry: weir %s --help\n",
			verb->name, o->error, verb->name);
	else
		fputs(verb->help, stdout);
	weir_options_fini(o);
	*ret_status = !err ? WEIR_EXIT_OK :
		      err == -ENOMEM ? WEIR_EXIT_INTERNAL : WEIR_EXIT_USAGE;
	return false;
}

static const struct weir_option_given *
last_given(const struct weir_options *o, unsigned option)
{
	for (unsigned i = o->given_count; i-- > 0;) {
		if (o->given[i].option == &o->verb->options[option])
			return &o->given[i];
	}
	return NULL;
}

bool weir_options_flag(const struct weir_options *o, unsigned option)
{
	return last_given(o, option);
}

const char *weir_options_text(const struct weir_options *o, unsigned option)
{
	const struct weir_option_given *given = last_given(o, option);

	return given ? given->value : o->verb->options[option].fallback;
}

uint64_t weir_options_number(const struct weir_options *o, unsigned option)
{
	uint64_t value = 0;

	weir_number_parse(weir_options_text(o, option), &value);
	return value;
}

uint64_t weir_options_size(const struct weir_options *o, unsigned option)
{
	uint64_t value = 0;

	weir_number_parse_size(weir_options_text(o, option), &value);
	return value;
}

unsigned weir_options_choice(const struct weir_options *o, unsigned option)
{
	return (unsigned)find_choice(&o->verb->options[option],
				     weir_options_text(o, option));
}

bool weir_options_chose(const struct weir_options *o, unsigned option,
			const char *word)
{
	return !strcmp(weir_options_text(o, option), word);
}

void weir_options_span(const struct weir_options *o, unsigned option,
		       uint64_t *ret_from, uint64_t *ret_to)
{
	const char *text = weir_options_text(o, option);

	*ret_from = 0;
	*ret_to = UINT64_MAX;
	if (text)
		weir_number_parse_span(text, ret_from, ret_to);
}

const char *weir_options_item(const struct weir_options *o, unsigned option,
			      unsigned n)
{
	for (unsigned i = 0; i < o->given_count; i++) {
		if (o->given[i].option == &o->verb->options[option] && !n--)
			return o->given[i].value;
	}
	return NULL;
}
