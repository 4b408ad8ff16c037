/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles: what a kind of call does to descriptors and offsets. Each is a pair
 * of functions, before and after the call; `before` ends by starting the
 * call's time, `after` by writing its record.
 */
#ifndef WEIR_ROLES_ROLE_H
#define WEIR_ROLES_ROLE_H

#include "capture/call/observe.h"
#include "capture/digests/digesting.h"
#include "capture/record/fdnames.h"
#include "capture/record/pass.h"
#include "gate/fdmap.h"
#include "gate/ofd.h"

WEIR_GATE_HOT uint32_t weir_role_bare(int fd)
{
	return WEIR_HANDLE_BARE | (uint32_t)fd;
}

/* The call is about args->fd: find its handle. */
WEIR_GATE_HOT void weir_role_find(struct weir_pass *pass,
				  const struct weir_args *args)
{
	uint64_t entry = weir_fdmap_get(args->fd);

	if (weir_gate_unlikely(!entry || pass->thread->vforks))
		entry = weir_fdnames_identify(pass->thread, args->fd);
	pass->entry = entry;
	pass->handle = weir_gate_likely(entry) ? weir_fdmap_handle(entry)
					       : weir_role_bare(args->fd);
	pass->why |= weir_fdmap_why(entry);
}

/* Find out whether a file that was opened by name has a position at all. */
void weir_role_look(int fd, struct weir_ofd *ofd);

/* Before the record of a call that opens, when its handle is known. */
static inline void weir_role_tell_beside(const struct weir_pass *pass,
					 const struct weir_args *args)
{
	if (weir_gate_unlikely(args->beside))
		args->beside->tell(args->beside, pass);
}

/* A call has opened args->path: its descriptor is args->ret. */
void weir_role_adopt_open(struct weir_pass *pass, const struct weir_args *args);

/* The call moves the position of its description, if that is followed. */
WEIR_GATE_HOT void weir_role_use_position(struct weir_pass *pass,
					  const struct weir_args *args)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	struct weir_ofd *o = &weir_ofd_table[ofd];

	if (!ofd)
		return;
	if (weir_gate_unlikely(
		    atomic_load_explicit(&o->traits, memory_order_relaxed) &
		    WEIR_OFD_UNSEEN))
		weir_role_look(args->fd, o);
	pass->uses_position = true;
	pass->entered = weir_ofd_enter(ofd);
}

WEIR_GATE_HOT void weir_role_transfer_before(struct weir_pass *pass,
					     struct weir_args *args,
					     bool writes)
{
	weir_role_find(pass, args);
	pass->flags |= WEIR_EVENT_RETSIZE;
	if (!args->has_off)
		weir_role_use_position(pass, args);
	if (writes && weir_digesting_wants(pass)) {
		struct weir_digesting_call call =
			weir_digesting_call(pass, args);

		weir_digesting_write_before(&call);
	}
	weir_observe_start(pass, args);
}

WEIR_GATE_HOT void weir_role_transfer_after(struct weir_pass *pass,
					    struct weir_args *args,
					    bool position_tells, bool writes)
{
	bool is_placed = args->has_off;
	struct weir_ofd_move move = {
		.certain = position_tells,
		.by = args->failed ? 0 : args->ret,
	};
	uint64_t position;

	if (pass->uses_position) {
		args->has_off =
			weir_ofd_leave(weir_fdmap_ofd(pass->entry),
				       pass->entered, move, &position) &&
			position_tells;
		args->off = (int64_t)position;
	}
	if (writes && weir_digesting_wants(pass)) {
		struct weir_digesting_call call =
			weir_digesting_call(pass, args);

		call.is_placed = is_placed;
		weir_digesting_write_after(&call);
	}
	weir_observe_record(pass, args);
}

WEIR_GATE_HOT void weir_role_read_before(struct weir_pass *pass,
					 struct weir_args *args)
{
	weir_role_transfer_before(pass, args, false);
}

WEIR_GATE_HOT void weir_role_read_after(struct weir_pass *pass,
					struct weir_args *args)
{
	weir_role_transfer_after(pass, args, true, false);
}

WEIR_GATE_HOT void weir_role_write_before(struct weir_pass *pass,
					  struct weir_args *args)
{
	weir_role_transfer_before(pass, args, true);
}

#define WEIR_ROLE_RWF_APPEND 16

/* An appending write goes to the end, which only the kernel knows. */
WEIR_GATE_HOT void weir_role_write_after(struct weir_pass *pass,
					 struct weir_args *args)
{
	bool appends = false;

	if (pass->uses_position)
		appends = atomic_load_explicit(
				  &weir_ofd_table[weir_fdmap_ofd(pass->entry)]
					   .traits,
				  memory_order_relaxed) &
				  WEIR_OFD_APPEND ||
			  args->flags & WEIR_ROLE_RWF_APPEND;
	weir_role_transfer_after(pass, args, !appends || args->failed, true);
}

WEIR_GATE_HOT void weir_role_seek_before(struct weir_pass *pass,
					 struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_role_use_position(pass, args);
	weir_observe_start(pass, args);
}

WEIR_GATE_HOT void weir_role_seek_after(struct weir_pass *pass,
					struct weir_args *args)
{
	struct weir_ofd_move move = {
		.absolute = !args->failed,
		.certain = true,
		.by = args->failed ? 0 : args->ret,
	};
	uint64_t position;

	if (pass->uses_position)
		weir_ofd_leave(weir_fdmap_ofd(pass->entry), pass->entered, move,
			       &position);
	weir_observe_record(pass, args);
}

/* Calls about a descriptor that change nothing we follow. */
WEIR_GATE_HOT void weir_role_fd_before(struct weir_pass *pass,
					 struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

WEIR_GATE_HOT void weir_role_fd_after(struct weir_pass *pass,
					struct weir_args *args)
{
	weir_observe_record(pass, args);
}

/* Calls about a path, or about nothing. */
WEIR_GATE_HOT void weir_role_plain_before(struct weir_pass *pass,
					 struct weir_args *args)
{
	if (weir_gate_unlikely(args->dirfd >= 0 &&
			       !weir_fdmap_get(args->dirfd)))
		weir_fdnames_identify(pass->thread, args->dirfd);
	if (weir_gate_unlikely(args->dirfd2 >= 0 &&
			       !weir_fdmap_get(args->dirfd2)))
		weir_fdnames_identify(pass->thread, args->dirfd2);
	pass->handle = 0;
	weir_observe_start(pass, args);
}

WEIR_GATE_HOT void weir_role_plain_after(struct weir_pass *pass,
					struct weir_args *args)
{
	weir_observe_record(pass, args);
}

/* The rarer roles; out of line. */
#define WEIR_ROLE(role)                                                        \
	void weir_role_##role##_before(struct weir_pass *pass,                 \
				       struct weir_args *args);                \
	void weir_role_##role##_after(struct weir_pass *pass,                  \
				      struct weir_args *args)

WEIR_ROLE(open);
WEIR_ROLE(close);
WEIR_ROLE(sweep);
WEIR_ROLE(dup);
WEIR_ROLE(control);
WEIR_ROLE(pipe);
WEIR_ROLE(copy);
WEIR_ROLE(resize);
WEIR_ROLE(shorten); /* the same by name */
WEIR_ROLE(cwd);
WEIR_ROLE(spawn);
WEIR_ROLE(found);
WEIR_ROLE(print); /* dprintf */
WEIR_ROLE(how);	  /* opens as a struct says */
WEIR_ROLE(submit);
WEIR_ROLE(done);
WEIR_ROLE(poll); /* asks whether an operation has ended */
WEIR_ROLE(lio);
WEIR_ROLE(iosubmit);
WEIR_ROLE(ioevents);
WEIR_ROLE(ring); /* hands over what is prepared in a ring */
WEIR_ROLE(ring_look);
WEIR_ROLE(ring_wait);
WEIR_ROLE(ring_open);
WEIR_ROLE(ring_close);
WEIR_ROLE(ring_setup); /* by descriptor alone */
WEIR_ROLE(map);
WEIR_ROLE(map_use); /* on a range that shows a file */
WEIR_ROLE(map_cut);
WEIR_ROLE(map_move);
WEIR_ROLE(dir); /* on a DIR */
WEIR_ROLE(dir_open);
WEIR_ROLE(dir_close);
WEIR_ROLE(dir_list); /* read a directory by its descriptor */
WEIR_ROLE(dir_walk); /* ftw: callbacks run inside, perhaps elsewhere */
WEIR_ROLE(dir_tree); /* fts: moves the working directory */

#endif
