/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what could not be stored of all files in rescue files. */
#ifndef WEIR_RESCUE_RESCUEALL_H
#define WEIR_RESCUE_RESCUEALL_H

#include <stdint.h>

/*
 * What is left at the end goes into files in a directory, one for each file
 * that it is of; see rescuefile.h. "": it is not kept. Returns the entries that
 * are open after it.
 */
uint32_t weir_rescueall(const char *directory);

#endif
