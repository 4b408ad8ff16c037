/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows files through a trace: who opens, names, empties and removes them. */
#ifndef WEIR_VERIFY_FOLLOW_H
#define WEIR_VERIFY_FOLLOW_H

#include "trace/read/reader.h"
#include "verify/output.h"

/*
 * Reads all events, in their order, into `written`, which is zero. What could
 * not be told completely (a killed process, lost events) is noted there. 0 or
 * -errno.
 */
int weir_follow_read(struct weir_reader *reader, struct weir_output *written);

#endif
