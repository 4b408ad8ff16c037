/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for the page where esbuild or its modules are missing. */
#include "report/page/pageblob.h"

const char weir_pageblob_bytes[] = "";
const size_t weir_pageblob_size = 0;
