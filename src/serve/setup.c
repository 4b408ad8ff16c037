/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user said, for all parts of a daemon. */
#include "serve/setup.h"

#include <stddef.h>

const struct weir_setup *weir_setup_used;

const char *const weir_setup_policies[] = {
	[WEIR_POLICY_EAGER] = "eager",
	[WEIR_POLICY_PAPER] = "paper",
	[WEIR_POLICY_THROUGH] = "through",
};

const char *const weir_setup_closings[] = {
	[WEIR_CLOSING_FLUSH] = "flush",
	[WEIR_CLOSING_ASYNC] = "async",
	[WEIR_CLOSING_FSYNC] = "fsync",
};
