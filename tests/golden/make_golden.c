/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Made the golden files: make_golden RAW PACKED. They are never made anew;
 * a later format gets files of its own beside them.
 */
#include "rawmaker.h"
#include "sample.h"

#define ROUNDS 40

static void write_sample(struct weir_store *store)
{
	sample_write(store, ROUNDS);
}

int main(int argc, char **argv)
{
	return rawmaker_main(argc, argv, write_sample);
}
