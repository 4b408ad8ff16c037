/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for to_sqlite.c without libsqlite3. */
#include "export/export.h"

const struct weir_export_format weir_to_sqlite = {
	.name = "sqlite",
	.lacks = "libsqlite3",
};
