/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a process is, as it learns it: its rank, its libraries. */
#ifndef WEIR_PROCESS_TRAITS_H
#define WEIR_PROCESS_TRAITS_H

struct weir_live;

/*
 * A property of this process, and of those that it forks. A later value of
 * the same key counts; a key is made of small letters and '_'. What does not
 * fit is left out.
 */
void weir_traits_set(const char *key, const char *value);

/* Into the header of a live file that nobody looks at yet. */
void weir_traits_copy(struct weir_live *live);

#endif
