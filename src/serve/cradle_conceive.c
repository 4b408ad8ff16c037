/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are opened before they are born, or made so. */
#include "base/clock.h"
#include "serve/cradle_own.h"
#include "serve/hold.h"
#include "serve/sessions.h"
#include "serve/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ROOM_LEAST (UINT64_C(16) << 20) /* bytes, where it is to be created */

/*
 * Whether it will be created there as the kernel would do it now: no access
 * list, group or lack of room that makes a difference.
 */
static bool can_be_born(int parent, const char *name)
{
	char path[64];
	struct statvfs room;
	struct stat about;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", parent);
	if (fstat(parent, &about) || about.st_mode & S_ISGID ||
	    !about.st_nlink || strlen(name) > NAME_MAX ||
	    faccessat(parent, ".", W_OK | X_OK, AT_EACCESS) ||
	    getxattr(path, "system.posix_acl_default", NULL, 0) > 0)
		return false;
	if (statvfs(path, &room) || (room.f_files && !room.f_favail) ||
	    (uint64_t)room.f_bavail * room.f_frsize < ROOM_LEAST)
		return false;
	return fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) &&
	       errno == ENOENT;
}

/* A description of its own; the kernel says whether it may be. */
static int open_memory(const struct weir_cradle *unborn, uint32_t flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", unborn->memory);
	fd = open(path, (int)(flags & WEIR_CRADLE_FLAGS) | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_memory(struct weir_cradle *unborn, int parent)
{
	int err;

	unborn->memory =
		memfd_create("weir-unborn", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	unborn->parent = fcntl(parent, F_DUPFD_CLOEXEC, 0);
	if (unborn->memory < 0 || unborn->parent < 0)
		return -errno;
	err = weir_hold_keep(WEIR_HOLD_UNBORN, unborn->place, unborn->memory);
	if (!err)
		err = weir_hold_keep(WEIR_HOLD_PARENT, unborn->place, parent);
	return err;
}

/* What was asked for, by whom. */
struct wish {
	const struct weir_op_conceive_in *in;
	const char *path;
	struct weir_session *session;
	struct weir_op_conceive_out *out;
	int memory; /* what it gets, or -errno */
};

static void publish(struct weir_cradle *unborn, const struct wish *wish)
{
	struct weir_state_unborn *kept = unborn->kept;

	atomic_store(&kept->stage, WEIR_STAGE_NAMED);
	kept->turn = kept->turn + 2 ? kept->turn + 2 : 2;
	atomic_store(&kept->is_bearing, 0);
	kept->since = weir_clock_ns(CLOCK_MONOTONIC);
	atomic_store(&kept->conceived, wish->in->nonce);
	kept->cid = wish->in->cid;
	atomic_store(&kept->missed, 0);
	unborn->opens = 0;
	unborn->tries = 0;
	unborn->retry = 0;
	unborn->error = 0;
	weir_cradle_show(unborn);
	weir_cradle_enter_names(unborn);
	atomic_store(&kept->live, 1);
}

/* The place is ours; the first open is made before its mode forbids it. */
static int make_new(struct weir_cradle *unborn, int parent, struct wish *wish)
{
	const char *name = weir_cradle_name(wish->path);
	int err = -ESTALE;

	if (can_be_born(parent, name))
		err = make_memory(unborn, parent);
	if (!err) {
		wish->memory = open_memory(unborn, wish->in->flags);
		err = wish->memory < 0 ? wish->memory : 0;
	}
	if (!err && fchmod(unborn->memory, wish->in->mode & 07777))
		err = -errno;
	if (!err)
		publish(unborn, wish);
	else
		weir_cradle_forget(unborn);
	weir_cradle_end_claim(unborn);
	return err;
}

/* As open() of a file that is there. */
static int join(struct weir_cradle *unborn, struct wish *wish)
{
	const struct weir_op_conceive_in *in = wish->in;

	if (in->flags & O_CREAT && in->flags & O_EXCL &&
	    atomic_load(&unborn->kept->conceived) != in->nonce)
		return -EEXIST;
	if (weir_cradle_is_sealed(unborn)) /* it could not be born */
		return -ESTALE;
	wish->memory = open_memory(unborn, in->flags);
	if (wish->memory < 0)
		return wish->memory;
	if (in->flags & O_TRUNC && ftruncate(unborn->memory, 0))
		return -errno;
	return 0;
}

static int note_open(struct weir_cradle *unborn, struct wish *wish)
{
	uint32_t key = unborn->place + 1;
	int open = weir_sessions_note(wish->session, wish->in->flags,
				      key | (uint64_t)unborn->kept->turn << 32);

	if (open < 0)
		return open;
	unborn->opens++;
	*wish->out = (struct weir_op_conceive_out){
		.open = (uint32_t)open,
		.unborn = key,
		.turn = unborn->kept->turn,
	};
	return 0;
}

static int join_noted(struct weir_cradle *unborn, struct wish *wish)
{
	int err = join(unborn, wish);

	return err ? err : note_open(unborn, wish);
}

/* What nobody can be given has not been made. */
static int make_noted(struct weir_cradle *unborn, int parent, struct wish *wish)
{
	int err = make_new(unborn, parent, wish);

	if (err)
		return err;
	err = note_open(unborn, wish);
	if (err) {
		weir_cradle_leave_names(unborn);
		weir_cradle_forget(unborn);
	} else {
		atomic_fetch_add(&weir_state->delayed, 1);
		if (atomic_load(&weir_state->delays_end)) /* just now */
			weir_cradle_birth(unborn);
	}
	return err;
}

static bool may_conceive(const struct weir_op_conceive_in *in)
{
	return in->group == getegid() && in->flags & O_CREAT &&
	       !atomic_load(&weir_state->delays_end) &&
	       weir_setup_used->policy != WEIR_POLICY_THROUGH;
}

static int conceive(struct wish *wish, int parent)
{
	struct weir_cradle *unborn, *fresh = NULL;
	struct weir_cradle_key key;
	int err = weir_cradle_key(parent, wish->path, &key);

	if (err)
		return err;
	if (!*key.name || !strcmp(key.name, ".") || !strcmp(key.name, ".."))
		return -ESTALE;
	if (wish->in->user != geteuid()) /* what it may the kernel knows */
		return -ESTALE;
	unborn = weir_cradle_find(&key, may_conceive(wish->in) ? &fresh : NULL);
	if (!unborn && !fresh)
		return -ESTALE;
	if (unborn)
		err = join_noted(unborn, wish);
	else
		err = make_noted(unborn = fresh, parent, wish);
	pthread_mutex_unlock(&unborn->lock);
	weir_cradle_have_tended();
	return err;
}

int weir_cradle_conceive(const struct weir_op_conceive_in *in, const char *path,
			 int fd, struct weir_op_conceive_out *ret_out)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct wish wish = {
		.in = in,
		.path = path,
		.session = weir_sessions_borrow(in->session, token),
		.out = ret_out,
		.memory = -1,
	};
	int err = -EACCES;

	if (!wish.session)
		return err;
	err = conceive(&wish, fd);
	weir_sessions_put(wish.session);
	if (!err)
		return wish.memory;
	if (wish.memory >= 0)
		close(wish.memory);
	return err;
}
