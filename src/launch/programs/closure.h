/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the libraries that the loader would load for a program. */
#ifndef WEIR_PROGRAMS_CLOSURE_H
#define WEIR_PROGRAMS_CLOSURE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define WEIR_CLOSURE_MOST 512

struct weir_closure_item {
	char *name; /* as it is needed; the first is the program itself */
	char *path; /* NULL: it is not found */
	char *rpath; /* DT_RPATH, which counts for what it needs in turn */
	size_t needed_by; /* which item */
};

struct weir_closure {
	struct weir_closure_item items[WEIR_CLOSURE_MOST];
	size_t count;
	bool is_sure; /* nothing was met that only the loader understands */
};

/*
 * Follows DT_NEEDED from a file on, without running anything: run paths,
 * LD_LIBRARY_PATH, the loader's cache and its usual directories.
 */
int weir_closure_make(const char *path, struct weir_closure *ret_closure);
void weir_closure_fini(struct weir_closure *closure);

/* The first library whose name begins so, or NULL. */
const struct weir_closure_item *
weir_closure_find(const struct weir_closure *closure, const char *beginning);

/* A library by its name alone, as for LD_PRELOAD. */
bool weir_closure_locate(const char *name, char ret_path[PATH_MAX]);

#endif
