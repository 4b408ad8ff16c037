/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answer to a query as a table for people. */
#ifndef WEIR_QUERY_QUERY_TEXT_H
#define WEIR_QUERY_QUERY_TEXT_H

#include "analyse/query/answer.h"
#include "base/text.h"

void weir_query_text_write(struct weir_text *out,
			   const struct weir_answer *answer);

#endif
