/* SPDX-License-Identifier: BSD-3-Clause */
/* Switches of forwarding: what a wrapper looks at before anything else. */
#ifndef WEIR_LINK_SWITCHES_H
#define WEIR_LINK_SWITCHES_H

#include <stdbool.h>

extern bool weir_link_is_on;	    /* there is a service: WEIR_FORWARD */
extern bool weir_link_is_deferring; /* it creates some files later */

#endif
