/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles that make, copy and close descriptors. */
#include "capture/roles/role.h"

#include "base/sys.h"
#include "capture/digests/digests.h"
#include "capture/process/workdir.h"
#include "gate/confined.h"
#include "spec/calls.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* A vfork child has its own descriptors: ours stay as they are. */
static bool may_edit(const struct weir_pass *pass)
{
	return !pass->thread->vforks;
}

static bool is_device(const char *path)
{
	return path && !strncmp(path, "/dev/", 5) &&
	       strncmp(path, "/dev/shm/", 9);
}

static uint32_t traits_of(const struct weir_args *args)
{
	uint32_t traits = args->flags & O_APPEND ? WEIR_OFD_APPEND : 0;

	return traits |
	       (is_device(args->path) ? WEIR_OFD_NOSEEK : WEIR_OFD_UNSEEN);
}

/*
 * Pipes and other streams are opened by name too, and their offsets would be
 * invented. One system call at the first transfer that uses the position
 * tells; calls that say where they go never need it.
 */
void weir_role_look(int fd, struct weir_ofd *ofd)
{
	if (weir_confined || weir_sys3(SYS_lseek, fd, 0, SEEK_CUR) < 0) {
		atomic_fetch_or(&ofd->traits, WEIR_OFD_NOSEEK);
		atomic_fetch_or(&ofd->word, WEIR_OFD_UNKNOWN);
	}
	atomic_fetch_and(&ofd->traits, ~WEIR_OFD_UNSEEN);
}

void weir_role_open_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_plain_before(pass, args);
}

/*
 * A call that is not recorded tells nobody what its handle is. A note does,
 * if calls on it are kept, or may be: recording may be switched on again.
 */
static uint64_t hide_new(struct weir_pass *pass, const struct weir_args *args,
			 uint64_t entry)
{
	uint32_t why = weir_pass_why(pass);
	struct weir_fdnames_handle opened = {
		.handle = pass->handle,
		.fd = (int)args->ret,
		.origin = WEIR_ORIGIN_OPENED,
		.path = args->path,
	};

	if (weir_pass_tells(pass))
		return entry;
	if (why && why != WEIR_FILTER_PAUSED)
		return weir_fdmap_hide(entry, why);
	if (!args->path || args->path[0] != '/')
		opened.base = weir_workdir_base(args->dirfd);
	weir_fdnames_record(pass->thread, &opened);
	return entry;
}

void weir_role_adopt_open(struct weir_pass *pass, const struct weir_args *args)
{
	int fd = (int)args->ret;
	uint32_t traits = traits_of(args);
	uint64_t entry;

	if (!weir_fdtable_holds(fd))
		return;
	weir_fdmap_drop(fd); /* if it was closed behind our back */
	pass->handle = weir_fdmap_next_handle();
	pass->flags |= WEIR_EVENT_NEWHANDLE;
	entry = weir_fdmap_entry(
		pass->handle,
		weir_ofd_new(fd, traits, !(traits & WEIR_OFD_NOSEEK)),
		args->flags & O_CLOEXEC);
	if (args->path && args->path[0] == '/' && !args->path[1])
		weir_filter_root(pass->handle);
	entry = hide_new(pass, args, entry);
	weir_fdmap_set(fd, entry);
	if (weir_digesting_wants(pass))
		weir_digesting_open(entry, fd, args->flags);
}

void weir_role_open_after(struct weir_pass *pass, struct weir_args *args)
{
	if (!args->failed && may_edit(pass))
		weir_role_adopt_open(pass, args);
	weir_role_tell_beside(pass, args);
	weir_observe_record(pass, args);
}

/*
 * The entry goes before the call: afterwards the number may already be
 * another thread's new file. Linux closes even when it reports an error.
 */
void weir_role_close_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->entry = may_edit(pass) ? weir_fdmap_take(args->fd) : 0;
	pass->handle = pass->entry ? weir_fdmap_handle(pass->entry)
				   : weir_role_bare(args->fd);
	pass->why |= weir_fdmap_why(pass->entry);
	if (weir_digesting_wants(pass))
		weir_digests_tell(pass->handle);
	weir_observe_start(pass, args);
}

void weir_role_close_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_ofd_put(weir_fdmap_ofd(pass->entry));
	weir_observe_record(pass, args);
}

#define CLOSE_RANGE_KEEPS_OPEN 4 /* CLOSE_RANGE_CLOEXEC */
#define CLOSE_RANGE_KNOWN      6 /* and CLOSE_RANGE_UNSHARE */

/* As for close: before the call, so it must be seen whether it will fail. */
void weir_role_sweep_before(struct weir_pass *pass, struct weir_args *args)
{
	unsigned first = (int)args->size < 0 && !args->has_off
				 ? 0
				 : (unsigned)args->size;
	unsigned last = args->has_off ? (unsigned)args->off : UINT_MAX;

	pass->handle = 0;
	if (may_edit(pass) && !(args->flags & ~CLOSE_RANGE_KNOWN)) {
		if (args->flags & CLOSE_RANGE_KEEPS_OPEN)
			weir_fdmap_cloexec_range(first, last);
		else
			weir_fdmap_drop_range(first, last);
	}
	weir_observe_start(pass, args);
}

void weir_role_sweep_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}

static void adopt_copy(struct weir_pass *pass, int fd, bool cloexec)
{
	struct weir_fdnames_handle copy = {
		.handle = weir_fdmap_next_handle(),
		.fd = fd,
		.origin = WEIR_ORIGIN_DUP,
		.base = weir_fdmap_handle(pass->entry),
	};
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	uint32_t why = weir_fdmap_why(pass->entry);

	if (!why)
		weir_fdnames_record(pass->thread, &copy);
	weir_ofd_get(ofd);
	weir_fdmap_set(
		fd, weir_fdmap_hide(weir_fdmap_entry(copy.handle, ofd, cloexec),
				    why));
}

/* dup2 closes its target without a word: forget it first, as close does. */
void weir_role_dup_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	pass->replaced = 0;
	if (may_edit(pass) && args->other >= 0 && args->other != args->fd)
		pass->replaced = weir_fdmap_take(args->other);
	if (weir_digesting_wants(pass) && pass->replaced)
		weir_digests_tell(weir_fdmap_handle(pass->replaced));
	weir_observe_start(pass, args);
}

void weir_role_dup_after(struct weir_pass *pass, struct weir_args *args)
{
	if (args->failed && pass->replaced)
		weir_fdmap_set(args->other, pass->replaced);
	if (!args->failed && may_edit(pass)) {
		weir_ofd_put(weir_fdmap_ofd(pass->replaced));
		if (pass->entry && args->ret != args->fd)
			adopt_copy(pass, (int)args->ret,
				   args->flags & O_CLOEXEC);
	}
	weir_observe_record(pass, args);
}

void weir_role_control_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

/* Of all that fcntl does, only this changes what later calls mean. */
static void follow_control(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_ofd *ofd = &weir_ofd_table[weir_fdmap_ofd(pass->entry)];

	switch ((int)args->size) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		adopt_copy(pass, (int)args->ret, args->size == F_DUPFD_CLOEXEC);
		break;
	case F_SETFD:
		weir_fdmap_set_cloexec(args->fd, args->off & FD_CLOEXEC);
		break;
	case F_SETFL:
		if (args->off & O_APPEND)
			atomic_fetch_or(&ofd->traits, WEIR_OFD_APPEND);
		else
			atomic_fetch_and(&ofd->traits, ~WEIR_OFD_APPEND);
		break;
	}
}

void weir_role_control_after(struct weir_pass *pass, struct weir_args *args)
{
	if (!args->failed && pass->entry && may_edit(pass))
		follow_control(pass, args);
	weir_observe_record(pass, args);
}

void weir_role_pipe_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

void weir_role_pipe_after(struct weir_pass *pass, struct weir_args *args)
{
	for (int i = 0; i < 2 && !args->failed && may_edit(pass); i++) {
		struct weir_fdnames_handle end = {
			.handle = weir_fdmap_next_handle(),
			.fd = args->pair[i],
			.origin = WEIR_ORIGIN_PIPE,
			.path = "pipe",
		};

		weir_fdnames_record(pass->thread, &end);
		weir_fdmap_set(end.fd,
			       weir_fdmap_entry(end.handle, 0,
						args->flags & O_CLOEXEC));
	}
	weir_observe_record(pass, args);
}

/* Which of the two positions moves depends on pointers: admit both. */
static void doubt_position(int fd)
{
	uint32_t ofd = weir_fdmap_ofd(weir_fdmap_get(fd));

	if (ofd)
		atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
}

void weir_role_copy_before(struct weir_pass *pass, struct weir_args *args)
{
	if (args->other >= 0 && !weir_fdmap_get(args->other))
		weir_fdnames_identify(pass->thread, args->other);
	weir_role_find(pass, args);
	pass->flags |= WEIR_EVENT_RETSIZE;
	weir_observe_start(pass, args);
}

/* Of three calls the other descriptor is written to, of sendfile the first. */
static void doubt_copy(const struct weir_pass *pass,
		       const struct weir_args *args)
{
	struct weir_digesting_call call = weir_digesting_call(pass, args);

	if (args->call != WEIR_CALL_SENDFILE) {
		call.fd = args->other;
		call.entry = weir_fdmap_get(args->other);
		call.handle = weir_fdmap_handle(call.entry);
	}
	if (call.ret > 0)
		weir_digesting_doubt(&call, WEIR_DIGEST_COPIED);
}

void weir_role_copy_after(struct weir_pass *pass, struct weir_args *args)
{
	if (weir_digesting_wants(pass) && args->call != WEIR_CALL_TEE)
		doubt_copy(pass, args);
	if (may_edit(pass)) {
		doubt_position(args->fd);
		doubt_position(args->other);
	}
	weir_observe_record(pass, args);
}

void weir_role_resize_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	if (weir_digesting_wants(pass)) {
		struct weir_digesting_call call =
			weir_digesting_call(pass, args);

		weir_digesting_resize(&call);
	}
	weir_observe_start(pass, args);
}

void weir_role_resize_after(struct weir_pass *pass, struct weir_args *args)
{
	if (weir_digesting_wants(pass) && args->failed &&
	    args->call == WEIR_CALL_FTRUNCATE &&
	    weir_digests_knows(pass->handle))
		weir_digests_doubt(pass->handle, WEIR_DIGEST_TRUNCATED);
	weir_observe_record(pass, args);
}

void weir_role_shorten_before(struct weir_pass *pass, struct weir_args *args)
{
	if (weir_digesting_wants(pass))
		weir_digesting_shorten(args->path, args->off);
	weir_role_plain_before(pass, args);
}

void weir_role_shorten_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_plain_after(pass, args);
}

void weir_role_cwd_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	if (args->has_fd)
		weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

/* Names are recorded as they were given: each directory gets its own handle. */
void weir_role_cwd_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_fdnames_handle cwd = {
		.fd = -1,
		.origin = WEIR_ORIGIN_CWD,
		.path = args->path,
	};

	if (!args->failed && may_edit(pass)) {
		cwd.handle = weir_fdmap_next_handle();
		if (args->has_fd)
			cwd.base = pass->handle;
		else if (args->path[0] != '/')
			cwd.base = weir_workdir_base(WEIR_GATE_AT_FDCWD);
		weir_fdnames_record(pass->thread, &cwd);
		atomic_store(&weir_workdir_handle, cwd.handle);
		weir_filter_move(args->has_fd ? NULL : args->path);
	}
	weir_observe_record(pass, args);
}

void weir_role_spawn_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	if (may_edit(pass)) /* its actions may hand on what closes on exec */
		weir_fdmap_share(!args->data);
	weir_observe_start(pass, args);
}

void weir_role_spawn_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}
