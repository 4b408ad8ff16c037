/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for xmlread in a build without Mini-XML. */
#include "plan/xmlread.h"

#include <errno.h>

int weir_xmlread_take(const char *bytes, size_t size,
		      const struct weir_xmlread_taker *taker,
		      struct weir_complaints *complaints)
{
	return -ENOTSUP;
}
