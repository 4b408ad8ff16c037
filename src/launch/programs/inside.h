/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds libraries linked into a program's own file, as h5cc of Debian links
 * HDF5: nothing can come between the program and them, so that their calls are
 * not recorded, and no setting of a plan reaches them.
 */
#ifndef WEIR_PROGRAMS_INSIDE_H
#define WEIR_PROGRAMS_INSIDE_H

#include "launch/programs/preloads.h"

/* Which of them a file has; nothing is known of one without symbols. */
weir_preloads_set weir_inside_find(const char *path);

#endif
