/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers of ops that move data; spec/forward.ops says what they do. */
#ifndef WEIR_SERVICE_OPSDATA_H
#define WEIR_SERVICE_OPSDATA_H

#include "spec/forward.h"

int weir_opsdata_read(void *context, const struct weir_op_read_in *in,
		      struct weir_op_read_out *out, struct weir_op_data *data);
int weir_opsdata_write(void *context, const struct weir_op_write_in *in,
		       struct weir_op_write_out *out,
		       struct weir_op_data *data);
int weir_opsdata_append(void *context, const struct weir_op_append_in *in,
			struct weir_op_append_out *out,
			struct weir_op_data *data);

#endif
