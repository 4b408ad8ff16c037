/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs what a killed recorder left, aside, so that it can be read. */
#ifndef WEIR_READ_PACKASIDE_H
#define WEIR_READ_PACKASIDE_H

#include "trace/pack/pack.h"

/* A nameless file to pack into; the caller's. */
int weir_packaside_open(int *ret_fd);

/*
 * Packs a raw file (fd, borrowed; -1: there is none) and the live files of a
 * directory (NULL: there are none) behind what is in another (borrowed). The
 * trace itself is not touched.
 */
int weir_packaside_fill(int raw_fd, const char *live_dir, int to_fd,
			struct weir_pack_totals *ret_totals);

#endif
