/* SPDX-License-Identifier: BSD-3-Clause */
/* The plug-in that stores what is forwarded. */
#ifndef WEIR_FILES_BACKENDS_H
#define WEIR_FILES_BACKENDS_H

#include <limits.h>

#include <weir/backend.h>

/*
 * NAME or FILE.so, with options behind a colon or apart ("", NULL: none); 0, or
 * -errno after saying what is wrong. Names are looked for beside the tool, then
 * where it was installed. A plug-in may start threads: each daemon loads it
 * anew; who starts the service loads and ends it once, to hear what is wrong.
 */
int weir_backends_load(const char *name, const char *options);
void weir_backends_end(void);

/*
 * The same name for a daemon, whose working directory is another: a file by its
 * whole path, options as they are. 0 or -ENAMETOOLONG.
 */
int weir_backends_place(const char *given, char ret_name[PATH_MAX]);

extern const struct weir_backend *weir_backends_used;
extern void *weir_backends_self;

#endif
