/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads XML, element by element and with lines, for what is no more than a list
 * of settings: no document types, no entities of its own, nothing deep.
 */
#ifndef WEIR_PLAN_XMLREAD_H
#define WEIR_PLAN_XMLREAD_H

#include "plan/complaint.h"

#include <stdbool.h>
#include <stddef.h>

#define WEIR_XMLREAD_LARGEST (256u << 10) /* bytes */
#define WEIR_XMLREAD_DEEPEST 8
#define WEIR_XMLREAD_ATTRIBUTES 16

struct weir_xmlread_element {
	const char *name;
	unsigned line;
	unsigned count; /* of attributes */
	const char *key[WEIR_XMLREAD_ATTRIBUTES];
	const char *value[WEIR_XMLREAD_ATTRIBUTES];
};

/* Nothing handed over stays when the call returns. */
struct weir_xmlread_taker {
	void (*open)(void *who, const struct weir_xmlread_element *element);
	void (*text)(void *who, const char *text, unsigned line);
	void (*close)(void *who);
	void *who;
};

/*
 * Hands all over, in its order. What is no XML, or more than a plan may have,
 * is complained of, and ends it. 0, -ENOMEM, or -ENOTSUP: this build has no
 * reader.
 */
int weir_xmlread_take(const char *bytes, size_t size,
		      const struct weir_xmlread_taker *taker,
		      struct weir_complaints *complaints);

#endif
