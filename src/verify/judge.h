/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what was told to be written with what is there. */
#ifndef WEIR_VERIFY_JUDGE_H
#define WEIR_VERIFY_JUDGE_H

#include "trace/read/reader.h"
#include "verify/output.h"

/*
 * Gives each object its verdict. The trace tells where files lie; all who
 * wrote must have ended.
 */
void weir_judge_all(struct weir_output *written, struct weir_reader *reader);

#endif
