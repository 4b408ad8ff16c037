/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaches a process to its service, and hands over files that it opened. */
#ifndef WEIR_LINK_ATTACH_H
#define WEIR_LINK_ATTACH_H

#include <stdint.h>

/*
 * Attach, if not done yet. Never twice in a family of forked processes at once.
 * 0 or -errno: then files are opened as if there were no service, and it is
 * counted.
 */
int weir_attach(void);

/* Hand over a file that was opened: `fd` stays the program's. */
int weir_attach_file(int fd, int flags, const char *path, uint32_t *ret_open);

#endif
