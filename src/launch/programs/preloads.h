/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the objects that record other libraries' calls in a program. */
#ifndef WEIR_PROGRAMS_PRELOADS_H
#define WEIR_PROGRAMS_PRELOADS_H

#include <stdbool.h>

struct weir_program;

/* A row of spec/objects; lists of patterns end with NULL. */
struct weir_object {
	const char *name;  /* as in --layers */
	const char *file;  /* beside libweir.so */
	const char *title; /* of what it records */
	const char *const *libraries;
};

extern const struct weir_object weir_preloads[]; /* a NULL name ends it */

/* The file that has all of them. */
extern const char *const weir_preloads_together;

/* Programs, and libraries of programs, that may start or load anything. */
extern const char *const *const weir_preloads_programs;
extern const char *const *const weir_preloads_libraries;

/* A set of objects: a bit for each row. */
typedef unsigned weir_preloads_set;

struct weir_preloads_choice {
	bool by_program;      /* each gets what it can use */
	weir_preloads_set set; /* else these */
};

/*
 * auto, all, none or names separated by commas; NULL is auto. -EINVAL, with
 * the word that is none of these.
 */
int weir_preloads_read(const char *text, struct weir_preloads_choice *ret,
		      const char **ret_word);

/*
 * What a command gets. `program` is what weir_program_inspect() told of it,
 * `err` what it returned: what cannot be looked at is given nothing, but a
 * text without #! is a script.
 */
weir_preloads_set
weir_preloads_wanted(const struct weir_preloads_choice *choice,
		     const struct weir_program *program, int err);

/*
 * LIBRARY:OBJECT:... for LD_PRELOAD, to be freed; NULL: no memory. What is
 * wanted but not beside the library is left out and told by the set.
 */
char *weir_preloads_list(const char *library, weir_preloads_set wanted,
			weir_preloads_set *ret_missing);

/* Says on stderr what is not recorded for want of an object. */
void weir_preloads_tell_missing(weir_preloads_set missing, const char *library);

/* Whether a path of LD_PRELOAD is one of them. */
bool weir_preloads_is_one(const char *path);

#endif
