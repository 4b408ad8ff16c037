/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a plan outside of programs: its settings in the order of the file. */
#ifndef WEIR_PLAN_PLAN_ITEM_H
#define WEIR_PLAN_PLAN_ITEM_H

#include "plan/plan_layout.h"
#include "spec/params.h"

#include <stddef.h>
#include <stdint.h>

struct weir_plan_item {
	const struct weir_param_row *param;
	char *value;	/* as hints and variables have it */
	char *file;	/* pattern; "": every file */
	char *dataset;	/* pattern of its path; "": every one */
	unsigned flags; /* WEIR_PLAN_FORCE, WEIR_PLAN_PROVEN */
	unsigned line;
	unsigned count; /* of numbers */
	int64_t number[WEIR_PLAN_NUMBERS];
	double real;
	char *proof; /* the trace that shows it to be safe; NULL: none */
	/* What it shows, if anybody has looked; the list is the item's. */
	struct weir_plan_site *sites;
	uint32_t site_count, ranks;
};

struct weir_plan {
	char *path;
	struct weir_plan_item *items;
	size_t count, room;
};

#endif
