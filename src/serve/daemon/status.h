/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes what a daemon does just now, for `weir serve status`: doc/forward.md.
 */
#ifndef WEIR_DAEMON_STATUS_H
#define WEIR_DAEMON_STATUS_H

/* To be freed; NULL: no memory. */
char *weir_status_json(void);

#endif
