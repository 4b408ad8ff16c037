/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the programs in the command lines of parallel launchers. */
#include "launch/programs/launcher.h"

#include "launch/programs/program.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool has(const char *const *list, const char *word, size_t length)
{
	for (; *list; list++)
		if (strlen(*list) == length && !memcmp(*list, word, length))
			return true;
	return false;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct weir_launcher *by_name(const char *path)
{
	const char *name = name_of(path);
	const struct weir_launcher *launcher = weir_launchers;

	for (; launcher->name; launcher++)
		if (has(launcher->programs, name, strlen(name)))
			return launcher;
	return NULL;
}

const struct weir_launcher *weir_launcher_find(const char *command)
{
	char path[PATH_MAX], real[PATH_MAX];
	const struct weir_launcher *launcher = by_name(command);

	if (launcher || weir_program_find(command, path) ||
	    !realpath(path, real))
		return launcher;
	return by_name(real);
}

/* How many words after this option are its; -1: it is not known. */
static int values_of(const struct weir_launcher *launcher, const char *option,
		     size_t length)
{
	if (has(launcher->flags, option, length))
		return 0;
	if (has(launcher->one, option, length))
		return 1;
	return has(launcher->two, option, length) ? 2 : -1;
}

/* -n4, -vn 4: letters up to the first that takes a value. */
static int values_of_letters(const struct weir_launcher *launcher,
			     const char *letters)
{
	for (; *letters; letters++) {
		int values = values_of(launcher, letters, 1);

		if (values)
			return values < 0 || !letters[1] ? values : 0;
	}
	return 0;
}

/* `word` begins with a dash; the words that follow as its values, or -1. */
static int values_after(const struct weir_launcher *launcher, const char *word)
{
	bool two_dashes = word[1] == '-';
	const char *option = word + 1 + two_dashes;
	size_t length = strcspn(option, "=");

	if (launcher->dashes != WEIR_DASHES_GNU)
		return values_of(launcher, option, strlen(option));
	if (!two_dashes)
		return values_of_letters(launcher, option);
	if (option[length] && values_of(launcher, option, length) >= 0)
		return 0; /* flags may have one in this form */
	return values_of(launcher, option, length);
}

/*
 * The place of the program at or after `at`: -ENOEXEC: there is none; -ENOTSUP:
 * it cannot be told because of the word at *ret_word.
 */
static int find_program(const struct weir_launcher *launcher,
			char *const *line, int at, const char **ret_word)
{
	while (line[at]) {
		const char *word = line[at];
		int values;

		if (word[0] != '-' || !word[1])
			return at;
		if (!strcmp(word, "--"))
			return line[at + 1] ? at + 1 : -ENOEXEC;
		values = values_after(launcher, word);
		if (values < 0) {
			*ret_word = word;
			return -ENOTSUP;
		}
		for (at++; values && line[at]; values--)
			at++;
	}
	return -ENOEXEC;
}

/* The word after the one between two programs; 0: this was the last. */
static int next_part(const struct weir_launcher *launcher, char *const *line,
		     int at)
{
	if (!launcher->next)
		return 0;
	for (; line[at]; at++)
		if (!strcmp(line[at], launcher->next))
			return at + 1;
	return 0;
}

int weir_launcher_program(const struct weir_launcher *launcher,
			  char *const *command, int after,
			  const char **ret_word)
{
	int at = after ? next_part(launcher, command, after) : 1;

	return at ? find_program(launcher, command, at, ret_word) : 0;
}

const struct weir_launcher *weir_launcher_guess(char *const *command)
{
	const struct weir_launcher *launcher = weir_launchers;
	const char *name = name_of(command[0]), *word;

	for (; launcher->name; launcher++)
		if (has(launcher->also, name, strlen(name)) &&
		    weir_launcher_program(launcher, command, 0, &word) > 0)
			return launcher;
	return NULL;
}

static int count_words(char *const *words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

int weir_launcher_prefix(const struct weir_launcher *launcher,
			 char *const *command, char *const *prefix,
			 char ***ret_line, const char **ret_word)
{
	int words = count_words(prefix), length = count_words(command),
	    from = 0, to = 0;
	/* at most every second word is a program */
	char **line = calloc((size_t)length * (size_t)(words + 1) + 1,
			     sizeof(*line));
	int at = 0;

	if (!line)
		return -ENOMEM;
	while ((at = weir_launcher_program(launcher, command, at, ret_word))) {
		if (at < 0) {
			free(line);
			return at;
		}
		memcpy(line + to, command + from,
		       (size_t)(at - from) * sizeof(*line));
		to += at - from;
		memcpy(line + to, prefix, (size_t)words * sizeof(*line));
		to += words;
		from = at;
	}
	memcpy(line + to, command + from,
	       (size_t)(length - from) * sizeof(*line));
	*ret_line = line;
	return 0;
}
