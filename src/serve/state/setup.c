/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the user said, for all parts of a daemon. */
#include "serve/state/setup.h"

#include <stddef.h>

const struct weir_setup *weir_setup_used;

const char *const weir_setup_policies[] = {
	[WEIR_POLICY_IDLE] = "idle",
	[WEIR_POLICY_HALF] = "half",
	[WEIR_POLICY_THROUGH] = "through",
};

const char *const weir_setup_on_close[] = {
	[WEIR_ON_CLOSE_STORE] = "store",
	[WEIR_ON_CLOSE_LATER] = "later",
	[WEIR_ON_CLOSE_FSYNC] = "fsync",
};
