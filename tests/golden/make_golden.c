/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Made the golden files: make_golden RAW PACKED. They are never made anew;
 * a later format gets files of its own beside them.
 */
#include "sample.h"
#include "trace/pack.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 40

static int fail(const char *path, int err)
{
	fprintf(stderr, "make_golden: %s: %s\n", path, strerror(-err));
	return 1;
}

int main(int argc, char **argv)
{
	struct weir_pack_totals totals;
	struct weir_store *store;
	struct weir_pack *pack;
	int err;

	if (argc != 3)
		return 2;
	err = weir_store_create(argv[1], &store);
	if (err)
		return fail(argv[1], err);
	sample_write(store, ROUNDS);
	weir_store_close(store);
	err = weir_pack_open(argv[1], argv[2], &pack);
	if (!err)
		err = weir_pack_finish(pack, &totals);
	if (err)
		return fail(argv[2], err);
	weir_pack_close(pack);
	return 0;
}
