/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells at the end of a run what would save most. */
#ifndef WEIR_CMDS_RUN_ADVICE_H
#define WEIR_CMDS_RUN_ADVICE_H

#include <stdint.h>

/*
 * A few lines on stderr about a trace of so many events; nothing when there
 * are too many to be read while somebody waits, or nothing is worth it.
 */
void weir_run_advice_tell(const char *trace, uint64_t events);

#endif
