/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a verb by the name a user gave. */
#ifndef WEIR_CMDS_VERBS_H
#define WEIR_CMDS_VERBS_H

/* An index into weir_verbs; -1 after telling that there is none. */
int weir_verbs_find(const char *name);

/*
 * A verb has no such work; `near` has been offered those it has. Says so, and
 * returns what the tool shall exit with.
 */
struct weir_nearest;
int weir_verbs_refuse_word(const char *verb, const char *word,
			   const struct weir_nearest *near);

#endif
