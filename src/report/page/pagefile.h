/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of a report as one file, with its data in it. */
#ifndef WEIR_PAGE_PAGEFILE_H
#define WEIR_PAGE_PAGEFILE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* False: this weir was built without the page. */
bool weir_pagefile_exists(void);

/*
 * `served`: the page may ask who sent it for more; else it talks to nobody.
 * 0, -ENOMEM or -EBADMSG: it is no page of ours. What out says of errors stays
 * there.
 */
int weir_pagefile_write(struct weir_text *out, const void *data, size_t size,
			bool served);

#endif
