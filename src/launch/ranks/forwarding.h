/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells programs of the service that their files are forwarded to. */
#ifndef WEIR_RANKS_FORWARDING_H
#define WEIR_RANKS_FORWARDING_H

/*
 * DIRECTORY|BOOT-ID|PREFIX[:PREFIX]... of a service on this host, as
 * src/forward/link/link.h has it; to be freed. NULL: the host has no id, or
 * there is no memory.
 */
char *weir_forwarding_text(const char *place, const char *prefixes);

/* Changes our own environment, which programs inherit. 0 or -errno. */
int weir_forwarding_export(const char *text);

/* What we inherited, if it is of this host; NULL: nothing. */
const char *weir_forwarding_inherited(void);

/* The same before a program of another host, perhaps; says why it cannot be. */
int weir_forwarding_enter(const char *command, const char *text);

#endif
