/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of to_perfetto.c where there is no protobuf-c. */
#include "export/export.h"

const struct weir_export_format weir_to_perfetto = {
	.name = "perfetto",
	.lacks = "protobuf-c",
};
