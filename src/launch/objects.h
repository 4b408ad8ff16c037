/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects that record other libraries' calls, and who gets them. */
#ifndef WEIR_LAUNCH_OBJECTS_H
#define WEIR_LAUNCH_OBJECTS_H

#include <stdbool.h>

struct weir_program;

/* A row of spec/objects; lists of patterns end with NULL. */
struct weir_object {
	const char *name;  /* as in --layers */
	const char *file;  /* beside libweir.so */
	const char *title; /* of what it records */
	const char *const *libraries;
};

extern const struct weir_object weir_objects[]; /* a NULL name ends it */

/* Programs, and libraries of programs, that may start or load anything. */
extern const char *const *const weir_objects_programs;
extern const char *const *const weir_objects_libraries;

/* A set of objects: a bit for each row. */
typedef unsigned weir_objects_set;

struct weir_objects_choice {
	bool by_program;      /* each gets what it can use */
	weir_objects_set set; /* else these */
};

/*
 * auto, all, none or names separated by commas; NULL is auto. -EINVAL, with
 * the word that is none of these.
 */
int weir_objects_read(const char *text, struct weir_objects_choice *ret,
		      const char **ret_word);

/*
 * What a command gets. `program` is what weir_program_inspect() told of it,
 * `err` what it returned: what cannot be looked at is given nothing, but a
 * text without #! is a script.
 */
weir_objects_set weir_objects_wanted(const struct weir_objects_choice *choice,
				     const struct weir_program *program,
				     int err);

/*
 * LIBRARY:OBJECT:... for LD_PRELOAD, to be freed; NULL: no memory. What is
 * wanted but not beside the library is left out and told by the set.
 */
char *weir_objects_list(const char *library, weir_objects_set wanted,
			weir_objects_set *ret_missing);

/* Says on stderr what is not recorded for want of an object. */
void weir_objects_tell_missing(weir_objects_set missing, const char *library);

/* Whether a path of LD_PRELOAD is one of them. */
bool weir_objects_is_one(const char *path);

#endif
