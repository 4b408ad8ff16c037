/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for files that clients have open without having handed them over. */
#ifndef WEIR_FILES_DIRECTLOOK_H
#define WEIR_FILES_DIRECTLOOK_H

#include <stdbool.h>
#include <stdint.h>

/* A daemon begins: may clients read files of its backend themselves? */
void weir_directlook_begin(void);

/* Whether a living process has it open: by the kernel alone, or at all. */
bool weir_directlook_has_kernels(uint64_t dev, uint64_t ino);
bool weir_directlook_has(uint64_t dev, uint64_t ino);

#endif
