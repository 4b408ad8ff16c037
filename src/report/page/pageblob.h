/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the page that the build makes from web/. */
#ifndef WEIR_PAGE_PAGEBLOB_H
#define WEIR_PAGE_PAGEBLOB_H

#include <stddef.h>

/* No bytes: this weir was built without it. */
extern const char weir_pageblob_bytes[];
extern const size_t weir_pageblob_size;

#endif
