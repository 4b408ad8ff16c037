/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options --include and --exclude of several verbs. */
#ifndef WEIR_CMDS_RULE_OPTIONS_H
#define WEIR_CMDS_RULE_OPTIONS_H

#include "base/options.h"
#include "launch/ranks/rules.h"

/* The two options' patterns; 0, or what the tool shall exit with. */
int weir_rule_options_read(const struct weir_options *o, unsigned include,
			   unsigned exclude, struct weir_rules *rules);

#endif
