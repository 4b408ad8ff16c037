/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the role of dprintf: libc makes text and writes it. */
#include "capture/record/pass.h"
#include "capture/roles/role.h"

void weir_role_print_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_write_before(pass, args);
}

/* How long it is, only the result tells. */
void weir_role_print_after(struct weir_pass *pass, struct weir_args *args)
{
	args->size = args->failed ? 0 : (uint64_t)args->ret;
	weir_role_write_after(pass, args);
}
