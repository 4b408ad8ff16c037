/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in and a file for it, in a directory of their own. */
#ifndef WEIR_TEST_BACKENDS_KIT_H
#define WEIR_TEST_BACKENDS_KIT_H

#include "serve/files/backends.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

extern char weir_kit_place[64]; /* the directory */

int weir_kit_begin(void **state);
int weir_kit_end(void **state);

/* PLACE/NAME; good until the next but three. */
const char *weir_kit_path(const char *name);

/* Loads the plug-in of weir with these options. */
int weir_kit_load(const char *name, const char *options);
/* The same of a file beside the test. */
int weir_kit_load_broken(const char *file, const char *options);

/* Opens PLACE/NAME, which is made, by the plug-in that is loaded. */
void *weir_kit_open(const char *name);
void weir_kit_close(void *file);

int64_t weir_kit_write(void *file, const char *text, int64_t offset);

/* What was said on standard error while `load` ran, and its result. */
int weir_kit_hear(int (*load)(const char *, const char *), const char *name,
		  const char *options, char said[512]);

#endif
