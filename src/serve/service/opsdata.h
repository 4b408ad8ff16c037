/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves data for clients: handlers of ops in spec/forward.ops. */
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
