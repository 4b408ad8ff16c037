/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the figures of a finding into its sentences. */
#ifndef WEIR_REPORT_FIGURETEXT_H
#define WEIR_REPORT_FIGURETEXT_H

#include "analyse/findings/findings.h"

#define WEIR_FIGURETEXT_ROOM 512 /* of the longest sentence */

/* Puts figures where a text of spec/findings has their names: `to`. */
const char *weir_figuretext_fill(char to[WEIR_FIGURETEXT_ROOM],
				 const struct weir_finding *finding,
				 const char *text);

#endif
