/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of calls on directories. */
#include "base/sys.h"
#include "capture/process/workdir.h"
#include "capture/record/fdnames.h"
#include "capture/record/pass.h"
#include "capture/roles/role.h"
#include "spec/calls.h"
#include "spec/real.h"

#include <fts.h>
#include <ftw.h>

/* libc keeps the descriptor in the DIR: asking costs nothing. */
static int descriptor_of(const void *directory)
{
	int err = weir_gate_errno();
	int fd = directory ? weir_real.dirfd((void *)directory) : -1;

	weir_gate_set_errno(err);
	return fd;
}

void weir_role_dir_before(struct weir_pass *pass, struct weir_args *args)
{
	args->fd = descriptor_of(args->object);
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_dir_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}

void weir_role_dir_open_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_plain_before(pass, args);
}

/* The result is no descriptor, so a note tells what the handle is. */
void weir_role_dir_open_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_fdnames_handle new = {
		.origin = WEIR_ORIGIN_OPENED,
		.path = args->path,
	};
	uint32_t why;

	new.fd = args->failed ? -1 : descriptor_of((void *)args->ret);
	if (weir_fdtable_holds(new.fd) && !pass->thread->vforks) {
		weir_fdmap_drop(new.fd);
		new.handle = weir_fdmap_next_handle();
		if (args->path[0] != '/')
			new.base = weir_workdir_base(WEIR_GATE_AT_FDCWD);
		why = weir_pass_why(pass);
		if (why == WEIR_FILTER_PAUSED)
			why = 0;
		if (!why)
			weir_fdnames_record(pass->thread, &new);
		pass->handle = new.handle;
		weir_fdmap_set(
			new.fd,
			weir_fdmap_hide(weir_fdmap_entry(new.handle, 0, true),
					why));
	}
	weir_observe_record(pass, args);
}

void weir_role_dir_close_before(struct weir_pass *pass, struct weir_args *args)
{
	args->fd = descriptor_of(args->object);
	weir_role_close_before(pass, args);
}

void weir_role_dir_close_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_close_after(pass, args);
}

void weir_role_dir_list_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_fd_before(pass, args);
}

/* A directory's position is what its file system makes of it. */
void weir_role_dir_list_after(struct weir_pass *pass, struct weir_args *args)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);

	if (ofd)
		atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
	weir_observe_record(pass, args);
}

/*
 * Where the working directory is while libc moves it from one to the next,
 * only libc knows: relative names are then told without it.
 */
static uint32_t lose_cwd(struct weir_pass *pass)
{
	return pass->thread->vforks ? 0
				    : atomic_exchange(&weir_workdir_handle, 0);
}

void weir_role_dir_walk_before(struct weir_pass *pass, struct weir_args *args)
{
	args->base = args->flags & FTW_CHDIR ? lose_cwd(pass) : 0;
	weir_role_plain_before(pass, args);
}

void weir_role_dir_walk_after(struct weir_pass *pass, struct weir_args *args)
{
	uint32_t lost = 0;

	if (args->base)
		atomic_compare_exchange_strong(&weir_workdir_handle, &lost,
					       args->base);
	weir_observe_record(pass, args);
}

static bool tree_moves(const struct weir_args *args)
{
	const FTS *tree = args->object;

	return tree && !(tree->fts_options & FTS_NOCHDIR);
}

/* An FTS that is closed can no longer be asked. */
void weir_role_dir_tree_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->replaced = tree_moves(args);
	weir_role_plain_before(pass, args);
}

/* One system call at the end of a tree tells where we are again. */
static void find_cwd(struct weir_pass *pass)
{
	struct weir_fdnames_handle cwd = {
		.fd = -1,
		.origin = WEIR_ORIGIN_CWD,
		.path = pass->thread->found,
	};

	if (weir_sys2(SYS_getcwd, pass->thread->found,
		      sizeof(pass->thread->found)) <= 0)
		return;
	cwd.handle = weir_fdmap_next_handle();
	weir_fdnames_record(pass->thread, &cwd);
	atomic_store(&weir_workdir_handle, cwd.handle);
	weir_filter_move(pass->thread->found);
}

void weir_role_dir_tree_after(struct weir_pass *pass, struct weir_args *args)
{
	if (pass->replaced && !pass->thread->vforks) {
		if (args->call == WEIR_CALL_FTS_CLOSE)
			find_cwd(pass);
		else if (args->call != WEIR_CALL_FTS_SET)
			lose_cwd(pass);
	}
	weir_observe_record(pass, args);
}
