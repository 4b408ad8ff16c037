/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of liburing's calls. */
#include "capture/async/async.h"
#include "capture/async/uring.h"
#include "capture/record/pass.h"
#include "capture/roles/role.h"

#include <linux/io_uring.h>

static const struct weir_uring *start_on_ring(struct weir_pass *pass,
					      struct weir_args *args)
{
	const struct weir_uring *ring = args->object;

	args->fd = ring->ring_fd;
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
	return ring;
}

static void hand_over_queue(struct weir_pass *pass,
			    const struct weir_uring *ring)
{
	if (ring->sq.sqe_head == ring->sq.sqe_tail)
		return;
	weir_async_begin(pass);
	pass->told = weir_uring_hand_over(pass, ring);
	weir_async_end(pass);
}

static void finish(struct weir_pass *pass, struct weir_args *args)
{
	weir_uring_complete(pass, args->object);
	weir_observe_record(pass, args);
}

/* Calls that hand over what is prepared; their size is how many. */
void weir_role_ring_before(struct weir_pass *pass, struct weir_args *args)
{
	hand_over_queue(pass, start_on_ring(pass, args));
}

void weir_role_ring_after(struct weir_pass *pass, struct weir_args *args)
{
	args->size = pass->told;
	finish(pass, args);
}

/* Calls that do not. */
void weir_role_ring_look_before(struct weir_pass *pass, struct weir_args *args)
{
	start_on_ring(pass, args);
}

void weir_role_ring_look_after(struct weir_pass *pass, struct weir_args *args)
{
	finish(pass, args);
}

/* To wait for a time, an old kernel is handed a timer, and all before it. */
void weir_role_ring_wait_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_uring *ring = start_on_ring(pass, args);

	if (args->timeout && !(ring->features & IORING_FEAT_EXT_ARG))
		hand_over_queue(pass, ring);
}

void weir_role_ring_wait_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_ring_after(pass, args);
}

void weir_role_ring_open_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

/* The descriptor came by a system call that we did not see. */
static void learn(struct weir_pass *pass, struct weir_args *args, int fd)
{
	if (pass->thread->vforks)
		return;
	weir_fdmap_drop(fd);
	args->fd = fd;
	weir_role_find(pass, args);
	weir_async_begin(pass); /* finding ended it */
}

void weir_role_ring_open_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_uring *ring = args->object;

	if (!args->failed) {
		weir_uring_open(ring);
		learn(pass, args, ring->ring_fd);
	}
	weir_observe_record(pass, args);
}

/* Afterwards there is no ring to look at: the last look comes before. */
void weir_role_ring_close_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_uring *ring = start_on_ring(pass, args);

	if (weir_uring_is_known(ring)) {
		pass->end = pass->start;
		weir_async_begin(pass);
		weir_uring_complete(pass, ring);
		weir_async_end(pass);
	}
	weir_uring_forget(ring);
	if (!pass->thread->vforks)
		weir_fdmap_drop(ring->ring_fd);
}

void weir_role_ring_close_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}

void weir_role_ring_setup_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

void weir_role_ring_setup_after(struct weir_pass *pass, struct weir_args *args)
{
	if (!args->failed)
		learn(pass, args, (int)args->ret);
	weir_observe_record(pass, args);
}
