/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options of a service, and finds the one that is meant. */
#ifndef WEIR_CMDS_SERVE_OPTIONS_H
#define WEIR_CMDS_SERVE_OPTIONS_H

#include "base/options.h"
#include "serve/state/setup.h"

/* The options of a verb that say so, by its constants of spec/options.h. */
struct weir_serve_options {
	unsigned cache, prefetch, backend, policy, on_close, rescue;
};

/* 0, or what the tool shall exit with after it has said why. */
int weir_serve_options_read(const struct weir_options *o,
			    const struct weir_serve_options *which,
			    struct weir_setup *ret_setup);

/* The absolute name of a directory that is not there yet; the same. */
int weir_serve_options_place(const char *given, char *ret_place, size_t room);

/*
 * The directory of the service that is meant: what was given, else
 * $WEIR_SERVER, else the only one of this user. 0, or what the tool shall exit
 * with after it has said why.
 */
int weir_serve_options_find(const char *given, char ret_place[PATH_MAX]);

#endif
