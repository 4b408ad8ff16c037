/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for to_otf2.c without OTF2. */
#include "export/export.h"

const struct weir_export_format weir_to_otf2 = {
	.name = "otf2",
	.lacks = "OTF2",
};
