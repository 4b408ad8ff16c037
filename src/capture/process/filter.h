/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which files are recorded, by the rules of the trace. */
#ifndef WEIR_PROCESS_FILTER_H
#define WEIR_PROCESS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Why a call is counted instead of recorded; two bits in descriptor entries.
 * Joined by |, paused wins.
 */
enum weir_filter_why {
	WEIR_FILTER_SHOWN,   /* it is recorded */
	WEIR_FILTER_SYSTEM,  /* a file of the system or of a language */
	WEIR_FILTER_RULE,    /* the user's --exclude, or none of --include */
	WEIR_FILTER_PAUSED,  /* recording is switched off */
	WEIR_FILTER_WHY = 3, /* all of them */
};

#define WEIR_FILTER_LONGEST 4096

/* The rules unless --all is given, ended by NULL; the first match decides. */
extern const char *const weir_filter_defaults[];

/* Read the rules in the control file; `cwd` is the working directory. */
void weir_filter_prepare(const char *cwd);

/* The working directory is another one; NULL: nobody knows which. */
void weir_filter_move(const char *path);

/*
 * Of a name that the program used, from dirfd if it is relative. `room` of
 * WEIR_FILTER_LONGEST bytes is for work.
 */
enum weir_filter_why weir_filter_name(char *room, const char *path, size_t len,
				      int dirfd);

/* The handle is of "/": what is opened below it is known by its whole name. */
void weir_filter_root(uint32_t handle);

/* Of what the kernel says a descriptor is. */
enum weir_filter_why weir_filter_target(const char *target);

#endif
