/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the call sites that show a finding. */
#ifndef WEIR_SITES_EVIDENCE_H
#define WEIR_SITES_EVIDENCE_H

#include "analyse/findings/findings.h"

/*
 * Reads the trace again for the findings' evidence and tells each call's site,
 * where it was recorded. 0 or -errno, as weir_reader_open().
 */
int weir_evidence_locate(const char *path, struct weir_findings *findings);

#endif
