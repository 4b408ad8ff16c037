/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of to_sqlite.c where there is no libsqlite3. */
#include "export/export.h"

const struct weir_export_format weir_to_sqlite = {
	.name = "sqlite",
	.lacks = "libsqlite3",
};
