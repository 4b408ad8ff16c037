/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads for which files and datasets a setting is, and on what conditions. */
#ifndef WEIR_PLAN_SCOPE_H
#define WEIR_PLAN_SCOPE_H

#include "plan/xmlread.h"

/* What the attributes of an element say; texts are its own, NULL: nothing. */
struct weir_scope {
	char *file, *dataset; /* patterns */
	char *proof;
	bool force, opt_in;
};

/*
 * Takes an element's attributes, within those of the elements around it
 * (NULL: none). Complains of what cannot be meant. 0 or -ENOMEM.
 */
int weir_scope_take(struct weir_scope *scope, const struct weir_scope *around,
		    const struct weir_xmlread_element *element,
		    struct weir_complaints *complaints);
void weir_scope_fini(struct weir_scope *scope);

#endif
