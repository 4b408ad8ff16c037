/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a supervisor, as a client does, that the daemon lets it wait. */
#include "serve/supervisor/ask.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct weir_op_complain_in in = {.waited = 2000000000};
	struct weir_ask ask = {.op = WEIR_OP_COMPLAIN, .fields = &in};
	int err;

	if (argc != 2) {
		fprintf(stderr, "usage: complain PLACE\n");
		return 2;
	}
	ask.place = argv[1];
	err = weir_ask(&ask);
	if (err)
		fprintf(stderr, "complain: %s\n", strerror(-err));
	return err ? 1 : 0;
}
