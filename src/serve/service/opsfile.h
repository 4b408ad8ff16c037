/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what concerns a whole file: handlers of ops in spec/forward.ops. */
#ifndef WEIR_SERVICE_OPSFILE_H
#define WEIR_SERVICE_OPSFILE_H

#include "serve/session/sessionparts.h"
#include "spec/forward.h"

int weir_opsfile_close(void *context, const struct weir_op_close_in *in,
		       struct weir_op_close_out *out,
		       struct weir_op_data *data);
int weir_opsfile_commit(void *context, const struct weir_op_commit_in *in,
			struct weir_op_commit_out *out,
			struct weir_op_data *data);
int weir_opsfile_extent(void *context, const struct weir_op_extent_in *in,
			struct weir_op_extent_out *out,
			struct weir_op_data *data);
int weir_opsfile_truncate(void *context, const struct weir_op_truncate_in *in,
			  struct weir_op_truncate_out *out,
			  struct weir_op_data *data);
int weir_opsfile_bypass(void *context, const struct weir_op_bypass_in *in,
			struct weir_op_bypass_out *out,
			struct weir_op_data *data);
int weir_opsfile_unlinked(void *context, const struct weir_op_unlinked_in *in,
			  struct weir_op_unlinked_out *out,
			  struct weir_op_data *data);
int weir_opsfile_ask(void *context, const struct weir_op_ask_in *in,
		     struct weir_op_ask_out *out, struct weir_op_data *data);

/* An open whose session is over is closed. */
void weir_opsfile_end(struct weir_session *session, uint32_t open);

#endif
