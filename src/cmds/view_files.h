/* SPDX-License-Identifier: BSD-3-Clause */
/* weir view files: how large files are, who uses them, what is used again. */
#ifndef WEIR_CMDS_VIEW_FILES_H
#define WEIR_CMDS_VIEW_FILES_H

#include "analyse/calls/callviews.h"

enum weir_view_files_form {
	WEIR_VIEW_FILES_TEXT,
	WEIR_VIEW_FILES_CSV,
	WEIR_VIEW_FILES_JSONL,
};

/* What to exit with. */
int weir_view_files_show(const char *trace, enum weir_view_files_form form,
			 const struct weir_callviews_filter *filter);

#endif
