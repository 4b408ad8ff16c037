/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how large files are, who uses them, and what is used again. */
#ifndef WEIR_REPORT_AS_FILES_H
#define WEIR_REPORT_AS_FILES_H

#include "analyse/findings/runfacts.h"
#include "base/text.h"
#include "report/output/fields.h"

/* For people: all files together, and a row for each. 0 or -ENOMEM. */
int weir_as_files_text(struct weir_text *out,
		       const struct weir_runfacts *facts);

/* For programs: the rows. 0 or -ENOMEM. */
int weir_as_files_rows(struct weir_text *out, enum weir_fields_form form,
		       const struct weir_runfacts *facts);

#endif
