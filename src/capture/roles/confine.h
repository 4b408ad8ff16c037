/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares for a program that is about to forbid system calls. */
#ifndef WEIR_ROLES_CONFINE_H
#define WEIR_ROLES_CONFINE_H

/* The last moment to ask the kernel anything; see gate/confined.h. */
void weir_confine_prepare(void);

/*
 * The kernel's strict filter also takes the processor's counter away: nothing
 * more can be recorded in this thread, only counted.
 */
void weir_confine_mute(void);

#endif
