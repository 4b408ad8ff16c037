/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that processes share without making sure that they see each other. */
#ifndef WEIR_ANALYSE_CONFLICTS_H
#define WEIR_ANALYSE_CONFLICTS_H

#include "analyse/runfacts.h"

/*
 * Reads the trace again for the calls on the facts' suspects, and adds clues
 * for what is found. 0 or -errno.
 */
int weir_conflicts_find(const char *path,
			const struct weir_sights_filter *filter,
			struct weir_runfacts *facts);

#endif
