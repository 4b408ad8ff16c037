/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the supervisor that a daemon does not answer. */
#ifndef WEIR_LINK_LINK_COMPLAIN_H
#define WEIR_LINK_LINK_COMPLAIN_H

#include <stdint.h>

/* After so long (ns) without an answer or room one complains, and waits on. */
#define WEIR_LINK_WAIT UINT64_C(2000000000)

/*
 * A client has waited for long: tell the supervisor. 0: it was heard. If there
 * is neither a supervisor nor a daemon any more, the service is dead.
 */
int weir_link_complain(uint64_t waited_ns);

#endif
