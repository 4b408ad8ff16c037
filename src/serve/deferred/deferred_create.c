/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens deferred files, and makes new ones. */
#include "base/clock.h"
#include "serve/deferred/deferred.h"
#include "serve/deferred/deferred_file.h"
#include "serve/log/sessionlist.h"
#include "serve/log/sessionopens.h"
#include "serve/state/keptfds.h"
#include "serve/state/setup.h"

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
static bool can_be_created(int parent, const char *name)
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
static int open_memory(const struct weir_deferred *deferred, uint32_t flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", deferred->memory);
	fd = open(path, (int)(flags & WEIR_DEFERRED_FLAGS) | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_memory(struct weir_deferred *deferred, int parent)
{
	int err;

	deferred->memory =
		memfd_create("weir-deferred", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	deferred->parent = fcntl(parent, F_DUPFD_CLOEXEC, 0);
	if (deferred->memory < 0 || deferred->parent < 0)
		return -errno;
	err = weir_keptfds_keep(WEIR_KEPTFDS_DEFERRED, deferred->place,
				deferred->memory);
	if (!err)
		err = weir_keptfds_keep(WEIR_KEPTFDS_PARENT, deferred->place,
					parent);
	return err;
}

/* What was asked for, by whom. */
struct opening {
	const struct weir_op_create_deferred_in *in;
	const char *path;
	struct weir_session *session;
	struct weir_op_create_deferred_out *out;
	int memory; /* what it gets, or -errno */
};

static void publish(struct weir_deferred *deferred,
		    const struct opening *opening)
{
	struct weir_state_deferred *kept = deferred->kept;

	atomic_store(&kept->phase, WEIR_DEFERRED_NAMED);
	kept->turn = kept->turn + 2 ? kept->turn + 2 : 2;
	atomic_store(&kept->is_materialising, 0);
	kept->since = weir_clock_ns(CLOCK_MONOTONIC);
	atomic_store(&kept->created, opening->in->nonce);
	kept->cid = opening->in->cid;
	atomic_store(&kept->unlinked, 0);
	deferred->opens = 0;
	deferred->tries = 0;
	deferred->retry = 0;
	deferred->error = 0;
	weir_deferred_show(deferred);
	weir_deferred_enter_names(deferred);
	atomic_store(&kept->live, 1);
}

/* The place is ours; the first open is made before its mode forbids it. */
static int make_new(struct weir_deferred *deferred, int parent,
		    struct opening *opening)
{
	const char *name = weir_deferred_name(opening->path);
	int err = -ESTALE;

	if (can_be_created(parent, name))
		err = make_memory(deferred, parent);
	if (!err) {
		opening->memory = open_memory(deferred, opening->in->flags);
		err = opening->memory < 0 ? opening->memory : 0;
	}
	if (!err && fchmod(deferred->memory, opening->in->mode & 07777))
		err = -errno;
	if (!err)
		publish(deferred, opening);
	else
		weir_deferred_forget(deferred);
	weir_deferred_end_claim(deferred);
	return err;
}

/* As open() of a file that is there. */
static int join_existing(struct weir_deferred *deferred,
			 struct opening *opening)
{
	const struct weir_op_create_deferred_in *in = opening->in;

	if (in->flags & O_CREAT && in->flags & O_EXCL &&
	    atomic_load(&deferred->kept->created) != in->nonce)
		return -EEXIST;
	if (weir_deferred_is_sealed(
		    deferred)) /* it could not be materialised */
		return -ESTALE;
	opening->memory = open_memory(deferred, in->flags);
	if (opening->memory < 0)
		return opening->memory;
	if (in->flags & O_TRUNC && ftruncate(deferred->memory, 0))
		return -errno;
	return 0;
}

static int note_open(struct weir_deferred *deferred, struct opening *opening)
{
	uint32_t key = deferred->place + 1;
	int open = weir_sessionopens_note(
		opening->session, opening->in->flags, NULL,
		key | (uint64_t)deferred->kept->turn << 32);

	if (open < 0)
		return open;
	deferred->opens++;
	*opening->out = (struct weir_op_create_deferred_out){
		.open = (uint32_t)open,
		.deferred = key,
		.turn = deferred->kept->turn,
	};
	return 0;
}

static int join_noted(struct weir_deferred *deferred, struct opening *opening)
{
	int err = join_existing(deferred, opening);

	return err ? err : note_open(deferred, opening);
}

/* What nobody can be given has not been made. */
static int make_noted(struct weir_deferred *deferred, int parent,
		      struct opening *opening)
{
	int err = make_new(deferred, parent, opening);

	if (err)
		return err;
	err = note_open(deferred, opening);
	if (err) {
		weir_deferred_leave_names(deferred);
		weir_deferred_forget(deferred);
	} else {
		atomic_fetch_add(&weir_state->deferrals, 1);
		if (atomic_load(&weir_state->deferral_ended)) /* just now */
			weir_deferred_materialise(deferred);
	}
	return err;
}

static bool may_defer(const struct weir_op_create_deferred_in *in)
{
	return in->group == getegid() && in->flags & O_CREAT &&
	       !atomic_load(&weir_state->deferral_ended) &&
	       weir_setup_used->policy != WEIR_POLICY_THROUGH;
}

static int create_or_join(struct opening *opening, int parent)
{
	struct weir_deferred *deferred, *fresh = NULL;
	struct weir_deferred_key key;
	int err = weir_deferred_key(parent, opening->path, &key);

	if (err)
		return err;
	if (!*key.name || !strcmp(key.name, ".") || !strcmp(key.name, ".."))
		return -ESTALE;
	if (opening->in->user != geteuid()) /* what it may the kernel knows */
		return -ESTALE;
	deferred = weir_deferred_find(&key,
				      may_defer(opening->in) ? &fresh : NULL);
	if (!deferred && !fresh)
		return -ESTALE;
	if (deferred)
		err = join_noted(deferred, opening);
	else
		err = make_noted(deferred = fresh, parent, opening);
	pthread_mutex_unlock(&deferred->lock);
	weir_deferred_have_tended();
	return err;
}

int weir_deferred_create(const struct weir_op_create_deferred_in *in,
			 const char *path, int fd,
			 struct weir_op_create_deferred_out *ret_out)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct opening opening = {
		.in = in,
		.path = path,
		.session = weir_sessionlist_borrow(in->session, token),
		.out = ret_out,
		.memory = -1,
	};
	int err = -EACCES;

	if (!opening.session)
		return err;
	err = create_or_join(&opening, fd);
	weir_sessionlist_put(opening.session);
	if (!err)
		return opening.memory;
	if (opening.memory >= 0)
		close(opening.memory);
	return err;
}
