/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a service that is running, from outside of any program. */
#ifndef WEIR_SUPERVISOR_ASK_H
#define WEIR_SUPERVISOR_ASK_H

#include "spec/forward.h"

#include <stdbool.h>

struct weir_ask {
	const char *place;
	uint32_t op;
	const void *fields; /* struct weir_op_NAME_in; NULL: it has none */
	const char *text;   /* NULL: none */
	void *results;	    /* struct weir_op_NAME_out; NULL: it has none */
	char *data;	    /* of the answer, to be freed; NULL: none */
};

/*
 * Status of the op; -ECONNREFUSED or -ENOENT: there is no service. Daemons that
 * die or hang meanwhile are not noticed: all that is asked may be asked twice.
 */
int weir_ask(struct weir_ask *ask);

#endif
