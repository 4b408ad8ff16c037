/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the role of opens whose flags stand in memory. */
#include "capture/record/pass.h"
#include "capture/roles/role.h"

#include <linux/openat2.h>

void weir_role_how_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_open_before(pass, args);
}

void weir_role_how_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct open_how *how = args->object;

	if (!args->failed)
		args->flags = (int)how->flags;
	weir_role_open_after(pass, args);
}
