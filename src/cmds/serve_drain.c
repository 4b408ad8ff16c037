/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits until a shared service has stored what was written. */
#include "cmds/serve_drain.h"

#include "cmds/serve_status.h"
#include "serve/supervisor/ask.h"

#include <errno.h>
#include <stdlib.h>

/* What failed may be stored by who tries again, before we ask what it was. */
#define ROUNDS 10

static int list_failures(const char *place, FILE *heading, FILE *list)
{
	struct weir_ask ask = {.place = place, .op = WEIR_OP_ERRORS};
	int err = weir_ask(&ask), count;

	if (err)
		return err;
	count = (int)weir_serve_status_failures(ask.data, NULL);
	if (count) {
		fputs("weir: what was written could not all be stored:\n",
		      heading);
		weir_serve_status_failures(ask.data, list);
	}
	free(ask.data);
	return count;
}

int weir_serve_drain(const char *place, FILE *heading, FILE *list)
{
	struct weir_op_drain_out told;
	struct weir_ask ask = {
		.place = place, .op = WEIR_OP_DRAIN, .results = &told,
	};
	int count = 0;

	for (int round = 0; !count && round < ROUNDS; round++) {
		int err = weir_ask(&ask);

		if (err || !told.left)
			return err;
		count = list_failures(place, heading, list);
	}
	return count ? count : -EBUSY;
}
