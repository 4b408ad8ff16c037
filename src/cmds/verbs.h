/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a verb by the name a user gave. */
#ifndef WEIR_CMDS_VERBS_H
#define WEIR_CMDS_VERBS_H

/* An index into weir_verbs; -1 after telling that there is none. */
int weir_verbs_find(const char *name);

#endif
