/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the trace that a command is about. */
#ifndef WEIR_CMDS_TRACE_CHOICE_H
#define WEIR_CMDS_TRACE_CHOICE_H

/*
 * `operand`, or, if it is NULL, the newest trace below the current directory,
 * which is told on stderr. NULL: there is none, which was told; the tool
 * shall exit with WEIR_EXIT_USAGE.
 */
const char *weir_trace_choice(const char *verb, const char *operand);

#endif
