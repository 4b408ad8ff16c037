/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether output has colours. */
#ifndef WEIR_CMDS_COLOURS_H
#define WEIR_CMDS_COLOURS_H

#include <stdbool.h>

/* `choice` is that of an option --color: auto, always or never. */
bool weir_colours_wanted(unsigned choice);

#endif
