/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows commands that start another command: env, sudo, mpirun. */
#ifndef WEIR_DOCTOR_WRAPPER_H
#define WEIR_DOCTOR_WRAPPER_H

#include <stdbool.h>

/* What a wrapper does to the recording of what it starts. */
enum weir_wrapper_effect {
	WEIR_WRAPPER_PASSES,
	WEIR_WRAPPER_CLEARS,	/* takes the environment away */
	WEIR_WRAPPER_USER,	/* changes the user: the trace is not his */
	WEIR_WRAPPER_ROOT,	/* changes the root to its first operand */
	WEIR_WRAPPER_CONTAINS,	/* gives it other file systems */
	WEIR_WRAPPER_ELSEWHERE, /* has another process or machine start it */
	WEIR_WRAPPER_MPI,	/* starts the ranks of a parallel program */
};

struct weir_wrapper {
	const char *name;
	enum weir_wrapper_effect effect;
	const char *when;   /* only with one of these options; NULL: always */
	const char *valued; /* options with a value; x:2 has two of them */
	int operands;	    /* of its own, before the command */
};

/* What the words after a wrapper mean. */
struct weir_wrapper_use {
	const struct weir_wrapper *wrapper;
	char **words; /* words[0] is the wrapper */
	char **next;  /* the command that it starts; NULL: it is not known */
	const char *option;  /* that brings the effect about, or NULL */
	const char *root;    /* its value, or the first operand; or NULL */
	const char *preload; /* what it does to LD_PRELOAD, or NULL */
	bool acts;	     /* it has its effect here */
};

/* False: words[0] is no wrapper. Words end with NULL. */
bool weir_wrapper_read(char **words, struct weir_wrapper_use *ret_use);

#endif
