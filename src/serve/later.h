/* SPDX-License-Identifier: BSD-3-Clause */
/* Doors of parts that are not there yet. */
#ifndef WEIR_SERVE_LATER_H
#define WEIR_SERVE_LATER_H

#include <stdbool.h>
#include <stdint.h>

uint64_t weir_stage_discard(const char *path);
int weir_rescue_recover(const char *file, bool force);

#endif
