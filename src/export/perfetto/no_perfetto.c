/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for to_perfetto.c without protobuf-c. */
#include "export/export.h"

const struct weir_export_format weir_to_perfetto = {
	.name = "perfetto",
	.lacks = "protobuf-c",
};
