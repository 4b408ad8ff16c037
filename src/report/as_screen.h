/* SPDX-License-Identifier: BSD-3-Clause */
/* Totals for people: one or two screens. */
#ifndef WEIR_REPORT_AS_SCREEN_H
#define WEIR_REPORT_AS_SCREEN_H

#include "analyse/totals.h"
#include "base/text.h"

/* `top`: how many files and processes are listed. 0 or -ENOMEM. */
int weir_as_screen_write(struct weir_text *out,
			 const struct weir_totals *totals,
			 const struct weir_reader *reader, uint64_t top);

#endif
