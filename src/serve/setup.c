/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user said, for all parts of a daemon. */
#include "serve/setup.h"

#include <stddef.h>

const struct weir_setup *weir_setup_used;
