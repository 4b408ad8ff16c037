/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the objects that record other libraries' calls in a program. */
#include "launch/programs/preloads.h"

#include "launch/programs/closure.h"
#include "launch/programs/launcher.h"
#include "launch/programs/program.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static weir_preloads_set all_of_them(void)
{
	weir_preloads_set set = 0;

	for (unsigned i = 0; weir_preloads[i].name; i++)
		set |= 1u << i;
	return set;
}

/* The bit of a name; 0: there is no such. */
static weir_preloads_set find_name(const char *name, size_t length)
{
	for (unsigned i = 0; weir_preloads[i].name; i++) {
		if (strlen(weir_preloads[i].name) == length &&
		    !memcmp(weir_preloads[i].name, name, length))
			return 1u << i;
	}
	return 0;
}

static int read_names(const char *text, weir_preloads_set *ret_set,
		      const char **ret_word)
{
	weir_preloads_set set = 0;

	for (const char *at = text;; at++) {
		size_t length = strcspn(at, ",");
		weir_preloads_set one = find_name(at, length);

		if (!one) {
			*ret_word = at;
			return -EINVAL;
		}
		set |= one;
		at += length;
		if (!*at)
			break;
	}
	*ret_set = set;
	return 0;
}

int weir_preloads_read(const char *text, struct weir_preloads_choice *ret,
		      const char **ret_word)
{
	*ret = (struct weir_preloads_choice){0};
	if (!text || !strcmp(text, "auto"))
		ret->by_program = true;
	else if (!strcmp(text, "all"))
		ret->set = all_of_them();
	else if (strcmp(text, "none"))
		return read_names(text, &ret->set, ret_word);
	return 0;
}

static bool matches(const char *const *patterns, const char *name)
{
	for (; *patterns; patterns++) {
		if (!fnmatch(*patterns, name, 0))
			return true;
	}
	return false;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What it is called by may be a link: python, awk, sh. */
static bool may_start_anything(const struct weir_program *program)
{
	char real[PATH_MAX];

	return program->is_for_script ||
	       matches(weir_preloads_programs, last_component(program->path)) ||
	       (realpath(program->path, real) &&
		matches(weir_preloads_programs, last_component(real))) ||
	       weir_launcher_find(program->path);
}

static weir_preloads_set wanted_for(const struct weir_closure *closure)
{
	weir_preloads_set set = 0;

	for (size_t n = 1; n < closure->count; n++) {
		const char *name = last_component(closure->items[n].name);

		if (matches(weir_preloads_libraries, name))
			return all_of_them();
		for (unsigned i = 0; weir_preloads[i].name; i++) {
			if (matches(weir_preloads[i].libraries, name))
				set |= 1u << i;
		}
	}
	return set;
}

/* A closure is large: not for the stack. */
static weir_preloads_set wanted_by_libraries(const char *path)
{
	struct weir_closure *closure = malloc(sizeof(*closure));
	weir_preloads_set set = 0;

	if (closure && !weir_closure_make(path, closure)) {
		set = wanted_for(closure);
		weir_closure_fini(closure);
	}
	free(closure);
	return set;
}

weir_preloads_set
weir_preloads_wanted(const struct weir_preloads_choice *choice,
		     const struct weir_program *program, int err)
{
	if (!choice->by_program)
		return choice->set;
	if (err)
		return err == -ENOEXEC ? all_of_them() : 0;
	if (may_start_anything(program))
		return all_of_them();
	return wanted_by_libraries(program->path);
}

/* Puts what lies beside the library behind it; false: it is not there. */
static bool append_object(char **list, const char *library, const char *file)
{
	int length = (int)(last_component(library) - library);
	char path[PATH_MAX], *longer;

	snprintf(path, sizeof(path), "%.*s%s", length, library, file);
	if (access(path, R_OK))
		return false;
	if (asprintf(&longer, "%s:%s", *list, path) < 0)
		longer = NULL;
	free(*list);
	*list = longer;
	return true;
}

char *weir_preloads_list(const char *library, weir_preloads_set wanted,
			weir_preloads_set *ret_missing)
{
	char *list = strdup(library);

	*ret_missing = 0;
	if (list && wanted == all_of_them() &&
	    append_object(&list, library, weir_preloads_together))
		return list;
	for (unsigned i = 0; list && weir_preloads[i].name; i++) {
		if (wanted & 1u << i &&
		    !append_object(&list, library, weir_preloads[i].file))
			*ret_missing |= 1u << i;
	}
	return list;
}

void weir_preloads_tell_missing(weir_preloads_set missing, const char *library)
{
	for (unsigned i = 0; weir_preloads[i].name; i++) {
		if (missing & 1u << i)
			fprintf(stderr,
				"weir: warning: %s calls are not recorded: %s "
				"is not beside %s; install weir whole\n",
				weir_preloads[i].title, weir_preloads[i].file,
				library);
	}
}

bool weir_preloads_is_one(const char *path)
{
	const char *name = last_component(path);

	for (unsigned i = 0; weir_preloads[i].name; i++) {
		if (!strcmp(name, weir_preloads[i].file))
			return true;
	}
	return !strcmp(name, weir_preloads_together);
}
