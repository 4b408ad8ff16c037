/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Begins and ends the events of the daemon, in the trace of the programs that
 * it works for (spec/serve.calls): of files that a recorded program has opened.
 * Of others, and without a trace, none is written, and asking costs a look at a
 * word.
 */
#ifndef WEIR_DAEMON_DAEMONEVENTS_H
#define WEIR_DAEMON_DAEMONEVENTS_H

/* From now on, and in later daemons; 0 or -errno. */
int weir_daemonevents_begin(const char *directory);
/* In a daemon that begins: if an earlier one was told to. */
void weir_daemonevents_resume(void);
void weir_daemonevents_end(void);

#endif
