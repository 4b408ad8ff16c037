/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's table of what is mounted here. */
#ifndef WEIR_COLLECT_MOUNTINFO_H
#define WEIR_COLLECT_MOUNTINFO_H

struct weir_mounts;

/*
 * Adds what is mounted now, as this process sees it: to be called again when
 * that may have changed. A file system of the kernel's own is left out where
 * it lies below another of them, as many do below /sys. -errno: nothing could
 * be read.
 */
int weir_mountinfo_look(struct weir_mounts *mounts);

/* Adds a line of that table, which is changed; what is none is passed over. */
int weir_mountinfo_take(struct weir_mounts *mounts, char *line);

#endif
