/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits until a shared service has stored what was written. */
#ifndef WEIR_CMDS_SERVE_DRAIN_H
#define WEIR_CMDS_SERVE_DRAIN_H

#include <stdio.h>

/*
 * The ranges that could not be stored: they are listed, one line each, under a
 * line that says so. 0: all that was written before is stored. -errno: nobody
 * can tell.
 */
int weir_serve_drain(const char *place, FILE *heading, FILE *list);

#endif
