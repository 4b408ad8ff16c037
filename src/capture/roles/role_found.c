/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the role of descriptors that only the kernel can name. */
#include "capture/record/fdnames.h"
#include "capture/record/pass.h"
#include "capture/roles/role.h"

#include <fcntl.h>

void weir_role_found_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_plain_before(pass, args);
}

/* Nobody else has the new description: its position is known. */
static void own_position(uint64_t entry, int flags)
{
	struct weir_ofd *ofd = &weir_ofd_table[weir_fdmap_ofd(entry)];

	if (!weir_fdmap_ofd(entry))
		return;
	atomic_store(&ofd->traits,
		     WEIR_OFD_UNSEEN |
			     (flags & O_APPEND ? WEIR_OFD_APPEND : 0));
	atomic_store(&ofd->word, 0);
}

void weir_role_found_after(struct weir_pass *pass, struct weir_args *args)
{
	int fd = (int)args->ret;
	uint64_t entry;

	if (!args->failed && !pass->thread->vforks) {
		weir_fdmap_drop(fd);
		entry = weir_fdnames_find(pass->thread, fd);
		weir_fdmap_set_cloexec(fd, args->flags & O_CLOEXEC);
		pass->handle = weir_fdmap_handle(entry);
		pass->why |= weir_fdmap_why(entry);
		own_position(entry, args->flags);
	}
	weir_observe_record(pass, args);
}
