/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads --layers LIST: the libraries whose calls are recorded. */
#ifndef WEIR_CMDS_LAYER_OPTIONS_H
#define WEIR_CMDS_LAYER_OPTIONS_H

#include "launch/programs/preloads.h"

/* 0, or what the tool shall exit with, after it has said why. */
int weir_layer_options_read(const char *text,
			    struct weir_preloads_choice *ret_choice);

#endif
