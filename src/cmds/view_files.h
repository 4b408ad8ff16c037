/* SPDX-License-Identifier: BSD-3-Clause */
/* weir view files: how large files are, who uses them, what is used again. */
#ifndef WEIR_CMDS_VIEW_FILES_H
#define WEIR_CMDS_VIEW_FILES_H

#include "base/options.h"

#include <stdbool.h>

/* Nothing that chooses or draws requests. */
bool weir_view_files_takes(const struct weir_options *o);

/* What to exit with. */
int weir_view_files_show(const char *trace, const struct weir_options *o);

#endif
