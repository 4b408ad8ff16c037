/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the number of requests of each size for people. */
#ifndef WEIR_VIEW_SIZE_TEXT_H
#define WEIR_VIEW_SIZE_TEXT_H

#include "report/view/view.h"

void weir_size_text_write(const struct weir_view *view,
			  const struct weir_sizes *sizes);

#endif
