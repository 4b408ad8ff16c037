/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements include/weir/mark.h. */
#ifndef WEIR_PRELOAD_MARK_H
#define WEIR_PRELOAD_MARK_H

void weir_mark_put(int what, const char *name, long long number);

#endif
