/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the calls that wait for children: the collector learns how they end. */
#ifndef WEIR_PRELOAD_REAP_H
#define WEIR_PRELOAD_REAP_H

/* Looks for the functions behind ours, before there are threads. */
void weir_reap_resolve(void);

#endif
