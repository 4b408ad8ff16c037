/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the status of a service, which is JSON, for people. */
#ifndef WEIR_CMDS_SERVE_STATUS_H
#define WEIR_CMDS_SERVE_STATUS_H

#include <stdint.h>
#include <stdio.h>

/* In a unit that people read; the room. */
const char *weir_serve_status_size(uint64_t bytes, char room[32]);

void weir_serve_status_print(const char *json, FILE *out);

/* How many programs use it; `out` (NULL: nowhere) gets their numbers. */
unsigned weir_serve_status_users(const char *json, FILE *out);

/* How many ranges are not stored; `out` (NULL: nowhere) gets a line each. */
unsigned weir_serve_status_failures(const char *json, FILE *out);

#endif
