/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes in words what forwarding would bring. */
#ifndef WEIR_REPORT_AS_FORECAST_H
#define WEIR_REPORT_AS_FORECAST_H

#include "analyse/findings/forecast.h"
#include "base/text.h"

/* Sentences on one line; none when nothing is written. */
void weir_as_forecast_text(struct weir_text *out,
			   const struct weir_forecast *forecast);

/* `,"forecast":{...}` */
void weir_as_forecast_json(struct weir_text *out,
			   const struct weir_forecast *forecast);

#endif
