/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how Lustre stripes a file, by its attribute lustre.lov. */
#ifndef WEIR_BASE_LOV_H
#define WEIR_BASE_LOV_H

#include <stddef.h>

#define WEIR_LOV_PARTS 8 /* of a composite layout that are told */

/* The longest text, with its end: every number has all of its digits. */
#define WEIR_LOV_TEXT                                                          \
	(sizeof("parts=65535") +                                               \
	 WEIR_LOV_PARTS * (sizeof("; extent=- size= count= pattern= first= "   \
				  "pool=") -                                   \
			   1 + 2 * 20 + 10 + 5 + 10 + 10 + 16))

/*
 * size=BYTES count=STRIPES first=OST pool=NAME, where they are known; of a
 * composite layout parts=N and `; extent=FROM-TO size=…` for each part. Empty:
 * the bytes are no layout that we know. They may be of either byte order, and
 * anything else.
 */
void weir_lov_describe(const void *bytes, size_t size,
		       char text[WEIR_LOV_TEXT]);

#endif
