/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs are told of the service that their files are forwarded to. */
#ifndef WEIR_LAUNCH_FORWARDING_H
#define WEIR_LAUNCH_FORWARDING_H

#include <stdbool.h>

/*
 * DIRECTORY|BOOT-ID|PREFIX[:PREFIX]... of a service on this host, as
 * src/forward/link/link.h has it; to be freed. NULL: the host has no id, or
 * there is no memory.
 */
char *weir_forwarding_text(const char *place, const char *prefixes);

/* Whether the service that it names runs on this host, since its last start. */
bool weir_forwarding_is_here(const char *text);

/* The directory of the service; to be freed. */
char *weir_forwarding_place(const char *text);

/* Changes our own environment, which programs inherit. 0 or -errno. */
int weir_forwarding_export(const char *text);

/* What we inherited, if it is of this host; NULL: nothing. */
const char *weir_forwarding_inherited(void);

/* The same before a program of another host, perhaps; says why it cannot be. */
int weir_forwarding_enter(const char *command, const char *text);

#endif
