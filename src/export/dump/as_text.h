/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints events for people, one line a call. */
#ifndef WEIR_DUMP_AS_TEXT_H
#define WEIR_DUMP_AS_TEXT_H

struct weir_dump;

/* Time 0 on the calendar, the hosts, and how far their clocks agree. */
void weir_as_text_head(struct weir_dump *dump);

#endif
