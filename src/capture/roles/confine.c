/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares for a program that is about to forbid system calls. */
#include "capture/roles/confine.h"

#include "capture/call/threadlife.h"
#include "capture/record/fdnames.h"
#include "capture/roles/role.h"
#include "gate/confined.h"

#define MOST_FDS 1024

static void learn(struct weir_thread *t, int fd)
{
	uint64_t entry = weir_fdmap_get(fd);
	struct weir_ofd *ofd = &weir_ofd_table[weir_fdmap_ofd(entry)];

	if (!entry)
		weir_fdnames_identify(t, fd);
	else if (weir_fdmap_ofd(entry) &&
		 atomic_load(&ofd->traits) & WEIR_OFD_UNSEEN)
		weir_role_look(fd, ofd);
}

/* A child of vfork has its own filter, but our memory. */
void weir_confine_prepare(void)
{
	struct weir_thread *t = weir_thread_self;

	if (weir_confined || t->vforks)
		return;
	t = weir_threadlife_begin((uintptr_t)__builtin_frame_address(0));
	for (int fd = 0; fd < MOST_FDS; fd++) {
		if (t && t->state == WEIR_THREAD_READY)
			learn(t, fd);
	}
	weir_confined = true;
}

void weir_confine_mute(void)
{
	weir_confine_prepare();
	weir_threadlife_leave();
}
