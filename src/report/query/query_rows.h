/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answer to a query for programs: CSV or JSON lines. */
#ifndef WEIR_QUERY_QUERY_ROWS_H
#define WEIR_QUERY_QUERY_ROWS_H

#include "analyse/query/answer.h"
#include "report/output/fields.h"

void weir_query_rows_write(struct weir_text *out, enum weir_fields_form form,
			   const struct weir_answer *answer);

#endif
