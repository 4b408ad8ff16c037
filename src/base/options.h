/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses command lines by the tables that spec/options describes. */
#ifndef WEIR_BASE_OPTIONS_H
#define WEIR_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A command does:
 *
 *	struct weir_options o;
 *	int status;
 *
 *	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_DUMP], argc, argv,
 *				&status))
 *		return status;
 *	... weir_options_text(&o, WEIR_DUMP_FILE) ... o.operands[0] ...
 *	weir_options_fini(&o);
 *
 * Tables, WEIR_VERB_* and one constant per option come from
 * "spec/options.h". All strings point into argv or the tables.
 */
enum weir_option_type {
	WEIR_OPTION_FLAG,   /* takes no value */
	WEIR_OPTION_TEXT,   /* anything but nothing */
	WEIR_OPTION_LIST,   /* text, may be given several times */
	WEIR_OPTION_MAYBE,  /* text after =, or nothing: "" */
	WEIR_OPTION_NUMBER, /* decimal */
	WEIR_OPTION_SIZE,   /* bytes, with K, M or G */
	WEIR_OPTION_SPAN,   /* two times A-B; either may be missing */
	WEIR_OPTION_CHOICE, /* one of the words in `choices` */
	WEIR_OPTION_SHORT,  /* no value: another option with its fallback */
};

struct weir_option {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	enum weir_option_type type;
	const char *argument; /* what --help calls the value */
	const char *fallback; /* value when not given, or NULL */
	const char *const *choices;
	unsigned stands_for; /* of a short one: which option it is short for */
};

struct weir_verb {
	const char *name;
	const char *summary;
	const char *usage; /* what follows `weir NAME' */
	const char *help;  /* what --help prints, whole */
	const struct weir_option *options;
	unsigned option_count;
	unsigned min_operands;
	unsigned max_operands;
	bool stops;  /* options end at the first operand */
	bool hidden; /* for weir itself, not shown to users */
};

struct weir_options {
	const struct weir_verb *verb;
	struct weir_option_given *given; /* in the order of argv */
	unsigned given_count;
	bool help;       /* --help was given */
	char **operands; /* ends with NULL */
	unsigned operand_count;
	char error[256]; /* why parsing failed */
};

/*
 * Parses argv[1..] (argv[0] is the verb) and keeps quiet: 0; -EINVAL with
 * o->error set; -ENOMEM. The object wants weir_options_fini either way.
 * Operands are gathered in argv, which is overwritten.
 */
int weir_options_parse(struct weir_options *o, const struct weir_verb *verb,
		       int argc, char **argv);
void weir_options_fini(struct weir_options *o);

/*
 * Parses and talks to the user. False: a mistake was told on stderr or help
 * was printed; return *ret_status from main, there is nothing to free.
 */
bool weir_options_start(struct weir_options *o, const struct weir_verb *verb,
			int argc, char **argv, int *ret_status);

/*
 * The value given last, else the default of the table. `option` is a
 * constant of "spec/options.h" and must be of the getter's type.
 */
bool weir_options_flag(const struct weir_options *o, unsigned option);
const char *weir_options_text(const struct weir_options *o, unsigned option);
uint64_t weir_options_number(const struct weir_options *o, unsigned option);
uint64_t weir_options_size(const struct weir_options *o, unsigned option);
/* Index into the choices, in the order of the table. */
unsigned weir_options_choice(const struct weir_options *o, unsigned option);
/* Whether it is this word. */
bool weir_options_chose(const struct weir_options *o, unsigned option,
			const char *word);
/* Nanoseconds; [0, UINT64_MAX] when not given. */
void weir_options_span(const struct weir_options *o, unsigned option,
		       uint64_t *ret_from, uint64_t *ret_to);
/* The n-th value of a list, from 0; NULL after the last. */
const char *weir_options_item(const struct weir_options *o, unsigned option,
			      unsigned n);

#endif
