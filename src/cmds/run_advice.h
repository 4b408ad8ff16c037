/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells at the end of a run what would save most. */
#ifndef WEIR_CMDS_RUN_ADVICE_H
#define WEIR_CMDS_RUN_ADVICE_H

struct weir_runfacts;

/* A few lines on stderr; nothing when nothing is worth it. */
void weir_run_advice_tell(const struct weir_runfacts *facts);

#endif
