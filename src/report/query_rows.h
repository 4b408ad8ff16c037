/* SPDX-License-Identifier: BSD-3-Clause */
/* An answer for programs: CSV and JSON lines, with the same fields. */
#ifndef WEIR_REPORT_QUERY_ROWS_H
#define WEIR_REPORT_QUERY_ROWS_H

#include "analyse/query/answer.h"
#include "report/fields.h"

void weir_query_rows_write(struct weir_text *out, enum weir_fields_form form,
			   const struct weir_answer *answer);

#endif
