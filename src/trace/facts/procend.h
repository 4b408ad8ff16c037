/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how a process ended: by itself, by a signal, in another program. */
#ifndef WEIR_FACTS_PROCEND_H
#define WEIR_FACTS_PROCEND_H

#include <stdbool.h>

struct weir_props;

enum weir_procend_how {
	WEIR_PROCEND_UNTOLD,  /* nothing is said of it */
	WEIR_PROCEND_UNKNOWN, /* it was looked for: killed or crashed */
	WEIR_PROCEND_EXIT,    /* number: its status */
	WEIR_PROCEND_SIGNAL,  /* number: of the signal */
	WEIR_PROCEND_CORE,    /* likewise, and it left a core file */
	WEIR_PROCEND_EXEC,    /* another program has taken its place */
};

struct weir_procend {
	enum weir_procend_how how;
	int number;
};

/* What wait() tells. */
struct weir_procend weir_procend_of(int status);

/* A signal ended it. */
bool weir_procend_is_signal(const struct weir_procend *end);

/* The key `end` of the PROC block; what is untold is not added. */
int weir_procend_put(const struct weir_procend *end, struct weir_props *props);

/* A text of that key; words of a later version leave it untold. */
struct weir_procend weir_procend_parse(const char *text);

/* "SIGKILL"; of one without a name "signal 34". In memory of the thread. */
const char *weir_procend_signal_name(int number);

/* No launcher or system that ends others does it by that. */
bool weir_procend_is_crash(const struct weir_procend *end);

#define WEIR_PROCEND_WORDS 64

/* "was killed by SIGSEGV (core dumped)": of one that was. Returns text. */
const char *weir_procend_words(const struct weir_procend *end,
			       char text[WEIR_PROCEND_WORDS]);

#endif
