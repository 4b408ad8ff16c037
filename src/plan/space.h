/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a space: which values parameters may have, for one or more platforms. A
 * point of it, one value for each parameter, is a plan.
 */
#ifndef WEIR_PLAN_SPACE_H
#define WEIR_PLAN_SPACE_H

#include "plan/plan.h"

#include <stdbool.h>

#define WEIR_SPACE_VALUES     4096 /* of one parameter */
#define WEIR_SPACE_PARAMETERS 64   /* of one platform */
#define WEIR_SPACE_PLATFORMS  64

/* What one parameter may be. */
struct weir_space_axis {
	const struct weir_param_row *param;
	/* All have the scope and flags of the axis; those of a tied one are
	 * as many as those of the other, and belong to them. */
	struct weir_plan_item *values;
	size_t count, room;
	char *tied_to; /* the name of the other; NULL: it stands for itself */
	size_t other;  /* its number */
	unsigned line;
};

struct weir_space_platform {
	char *name, *about; /* about may be "" */
	struct weir_space_axis *axes;
	size_t count, room;
	uint64_t points;
	unsigned line;
};

struct weir_space {
	char *path;
	struct weir_space_platform *platforms;
	size_t count, room;
};

/* Whether the bytes look like one, by the name of their first element. */
bool weir_space_is(const char *bytes, size_t size);

/*
 * Reads and checks one. 0, -ENOMEM, -ENOTSUP, or -EINVAL: it cannot be meant,
 * and `complaints` has all that is wrong, as weir_plan_read_bytes() tells it.
 */
int weir_space_read_bytes(const char *path, const char *bytes, size_t size,
			  struct weir_space **ret_space, FILE *complaints);
void weir_space_free(struct weir_space *space);

/* Tells a person what is in it, and how many points there are. */
void weir_space_explain(const struct weir_space *space, FILE *to);

#endif
