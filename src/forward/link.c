/* SPDX-License-Identifier: BSD-3-Clause */
/* This process and its service. */
#include "forward/link.h"

bool weir_link_is_on;
