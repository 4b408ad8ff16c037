/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the daemon patiently, also one that is being replaced. */
#ifndef WEIR_LINK_LINK_ASK_H
#define WEIR_LINK_LINK_ASK_H

#include <stdbool.h>

/* One question at the daemon's door; see link_talk.h for what it returns. */
struct weir_link_talk;
int weir_link_ask(struct weir_link_talk *talk);

/* The next attempt may succeed: sleep until then. */
bool weir_link_ask_may_pass(int err);
void weir_link_ask_later(void);

#endif
