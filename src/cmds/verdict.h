/* SPDX-License-Identifier: BSD-3-Clause */
/* Says why a trace cannot be used, and with which code to exit. */
#ifndef WEIR_CMDS_VERDICT_H
#define WEIR_CMDS_VERDICT_H

#include "analyse/calls/relations.h"
#include "spec/exits.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* Says on stderr why a trace cannot be used, and returns what to exit with. */
int weir_verdict_refuse(const char *path, int err);

/* Likewise, where single calls are wanted and there are sums alone; else 0. */
int weir_verdict_refuse_sums(const struct weir_reader *reader,
			     const char *path);

/* The same of a place to write to. */
int weir_verdict_refuse_output(const char *path, int err);

/* Never silent: what is not in the output, but for damage, is told after it. */
void weir_verdict_tell_losses(const struct weir_reader *reader);

/* Never inferred: a caller that is not in the trace is told as such. */
void weir_verdict_tell_unknown(const struct weir_reader *reader,
			       const struct weir_relations *relations);

/* Before the output: what of the damage is known, which is told after it. */
void weir_verdict_warn_damage(const struct weir_reader *reader,
			      const char *path);

/* 0, or what to exit with after telling what of the trace is damaged. */
int weir_verdict_tell_damage(const struct weir_reader *reader,
			     const char *path);

/* "weir: WHAT: COUNT" on stderr; nothing when there are none. */
void weir_verdict_tell(const char *what, uint64_t count);

#endif
