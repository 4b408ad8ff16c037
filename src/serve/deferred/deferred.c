/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the table of deferred files. `guard` is held to find a place, and taken
 * before the lock of one, but never while one is waited for: to materialise one
 * takes as long as the file system does. Both come before any lock of files.c.
 */
#include "serve/deferred/deferred.h"
#include "serve/deferred/deferred_file.h"
#include "serve/files/files.h"
#include "serve/log/sessionlist.h"
#include "serve/session/slotcall.h"
#include "serve/state/keptfds.h"
#include "serve/state/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHARE	   16 /* one may take that part of the cache */
#define SHARE_MOST (UINT64_C(64) << 20)

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct weir_deferred all[WEIR_BOARD_DEFERRED];

struct weir_deferred *weir_deferred_at(uint32_t place)
{
	return &all[place];
}

const char *weir_deferred_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool weir_deferred_is_named(const struct weir_deferred *deferred,
			    const struct weir_deferred_key *key)
{
	const struct weir_state_deferred *kept = deferred->kept;

	return atomic_load(&kept->live) &&
	       atomic_load(&kept->phase) == WEIR_DEFERRED_NAMED &&
	       kept->dev == key->dev && kept->ino == key->ino &&
	       (!key->name ||
		!strcmp(weir_deferred_name(kept->path), key->name));
}

/* With `guard`: a place where one of this name may be made just now. */
static bool is_claimed(const struct weir_deferred *deferred,
		       const struct weir_deferred_key *key)
{
	const struct weir_state_deferred *kept = deferred->kept;

	return deferred->is_claimed && kept->dev == key->dev &&
	       kept->ino == key->ino && key->name &&
	       !strcmp(weir_deferred_name(kept->path), key->name);
}

/* With `guard`: nobody else makes one there, or of this name. */
static bool claim_place(struct weir_deferred *deferred,
			const struct weir_deferred_key *key)
{
	struct weir_state_deferred *kept = deferred->kept;

	if (deferred->is_claimed || atomic_load(&kept->live) ||
	    pthread_mutex_trylock(&deferred->lock))
		return false;
	kept->dev = key->dev;
	kept->ino = key->ino;
	snprintf(kept->path, sizeof(kept->path), "%s", key->path);
	deferred->is_claimed = true;
	return true;
}

bool weir_deferred_may_be(const struct weir_deferred *deferred,
			  const struct weir_deferred_key *key)
{
	bool may_be;

	pthread_mutex_lock(&guard);
	may_be = weir_deferred_is_named(deferred, key);
	pthread_mutex_unlock(&guard);
	return may_be;
}

void weir_deferred_end_claim(struct weir_deferred *deferred)
{
	pthread_mutex_lock(&guard);
	deferred->is_claimed = false;
	pthread_mutex_unlock(&guard);
}

static struct weir_deferred *claim_any(const struct weir_deferred_key *key)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		if (claim_place(&all[i], key))
			return &all[i];
	return NULL;
}

/*
 * The one of this name, locked; NULL: none. With `ret_free` a place for it,
 * locked too. Who comes second waits until it is there.
 */
struct weir_deferred *weir_deferred_find(const struct weir_deferred_key *key,
					 struct weir_deferred **ret_free)
{
	struct weir_deferred *found = NULL;

	pthread_mutex_lock(&guard);
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED && !found; i++)
		if (weir_deferred_is_named(&all[i], key) ||
		    is_claimed(&all[i], key))
			found = &all[i];
	if (!found && ret_free)
		*ret_free = claim_any(key);
	pthread_mutex_unlock(&guard);
	if (!found)
		return NULL;
	pthread_mutex_lock(&found->lock);
	if (weir_deferred_is_named(found, key))
		return found;
	pthread_mutex_unlock(&found->lock);
	return NULL;
}

int weir_deferred_key(int parent, const char *path,
		      struct weir_deferred_key *ret_key)
{
	struct stat about;

	if (parent < 0 || fstat(parent, &about))
		return -EBADF;
	*ret_key = (struct weir_deferred_key){about.st_dev, about.st_ino, path,
					      weir_deferred_name(path)};
	return S_ISDIR(about.st_mode) ? 0 : -EBADF;
}

static void count_name(const struct weir_deferred *deferred, int change)
{
	const struct weir_state_deferred *kept = deferred->kept;
	const char *name = weir_deferred_name(kept->path);
	struct weir_board *board = weir_state_board;
	uint16_t step = (uint16_t)change;

	atomic_fetch_add(&board->deferred_names[weir_board_name(
				 kept->dev, kept->ino, name)],
			 step);
	atomic_fetch_add(&board->deferred_parents[weir_board_name(
				 kept->dev, kept->ino, "")],
			 step);
	atomic_fetch_add(&board->deferred_count, (uint32_t)change);
}

void weir_deferred_show(const struct weir_deferred *deferred)
{
	uint32_t stage = atomic_load(&deferred->kept->phase);

	atomic_store(&weir_state_board->deferred[deferred->place],
		     deferred->kept->turn | (stage == WEIR_DEFERRED_NAMELESS
						     ? WEIR_BOARD_NAMELESS
						     : 0));
}

void weir_deferred_enter_names(const struct weir_deferred *deferred)
{
	count_name(deferred, 1);
}

void weir_deferred_leave_names(struct weir_deferred *deferred)
{
	count_name(deferred, -1);
}

/* Its lock is held. */
void weir_deferred_forget(struct weir_deferred *deferred)
{
	struct weir_state_deferred *kept = deferred->kept;

	atomic_store(&weir_state_board->deferred[deferred->place], 0);
	atomic_store(&kept->live, 0);
	weir_keptfds_drop_later(WEIR_KEPTFDS_DEFERRED, deferred->place);
	weir_keptfds_drop_later(WEIR_KEPTFDS_PARENT, deferred->place);
	weir_deferred_forget_number(deferred);
	if (deferred->parent >= 0)
		close(deferred->parent);
	if (deferred->file >= 0)
		close(deferred->file);
	deferred->parent = deferred->file = -1;
	if (deferred->memory >= 0)
		close(deferred->memory);
	deferred->memory = -1;
}

void weir_deferred_forget_if_over(struct weir_deferred *deferred)
{
	uint32_t stage = atomic_load(&deferred->kept->phase);
	struct stat about;

	if (deferred->opens || stage == WEIR_DEFERRED_NAMED)
		return;
	if (stage == WEIR_DEFERRED_NAMELESS &&
	    !fstat(deferred->memory, &about)) {
		atomic_fetch_add(&weir_state->never_created, 1);
		atomic_fetch_add(&weir_state->never_created_bytes,
				 (uint64_t)about.st_size);
	}
	weir_deferred_forget(deferred);
}

/* Whether an earlier daemon has done it already. */
static bool was_unlinked(uint64_t nonce)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		if (atomic_load(&all[i].kept->unlinked) == nonce)
			return true;
	return false;
}

/* A daemon that died had begun: there is a file of its name, and it is ours. */
static bool is_half_created(const struct weir_deferred *deferred)
{
	return atomic_load(&deferred->kept->is_materialising);
}

int weir_deferred_unlink(const struct weir_op_unlink_deferred_in *in,
			 const char *path, int fd)
{
	struct weir_deferred *deferred;
	struct weir_deferred_key key;
	int err = weir_deferred_key(fd, path, &key);

	if (err)
		return err;
	deferred = weir_deferred_find(&key, NULL);
	if (!deferred)
		return in->nonce && was_unlinked(in->nonce) ? 0 : -ESTALE;
	if (is_half_created(deferred) && !weir_deferred_materialise(deferred)) {
		err = -ESTALE; /* it is the kernel's now, to be removed */
	} else if (in->user != geteuid() ||
		   faccessat(deferred->parent, ".", W_OK | X_OK, AT_EACCESS)) {
		err = -ESTALE; /* the kernel says why */
	} else {
		weir_deferred_note_change(deferred);
		atomic_store(&deferred->kept->unlinked, in->nonce);
		weir_deferred_settle_failure(deferred, WEIR_FATE_DISCARDED);
		atomic_store(&deferred->kept->phase, WEIR_DEFERRED_NAMELESS);
		weir_deferred_show(deferred);
		weir_deferred_leave_names(deferred);
		weir_deferred_forget_if_over(deferred);
	}
	pthread_mutex_unlock(&deferred->lock);
	return err;
}

/* Its lock is held; a new descriptor, or -errno; 0: it stays. */
static int fetch_open(struct weir_deferred *deferred,
		      const struct weir_op_fetch_in *in,
		      const struct weir_state_open *kept,
		      struct weir_op_fetch_out *ret_out)
{
	uint32_t stage = atomic_load(&deferred->kept->phase);
	int fd = 0;

	if (stage == WEIR_DEFERRED_NAMELESS && !in->grows &&
	    !weir_deferred_is_sealed(deferred)) {
		ret_out->stays = 1;
		return 0;
	}
	if (stage != WEIR_DEFERRED_MATERIALISED)
		fd = weir_deferred_materialise(deferred);
	if (fd && stage == WEIR_DEFERRED_NAMELESS &&
	    !weir_deferred_is_sealed(deferred)) {
		ret_out->stays = 1; /* where it was to be is gone */
		return 0;
	}
	if (!fd)
		fd = weir_deferred_give(deferred, in->session, in->open);
	ret_out->file = kept->file;
	ret_out->turn = kept->turn;
	return fd;
}

/*
 * The one that an open is of, locked. It may be closed by another until then:
 * -EBADF. WEIR_SLOTCALL_LATER: it would have to wait.
 */
static int lock_open(const struct weir_state_open *kept, bool may_wait,
		     struct weir_deferred **ret_deferred)
{
	uint32_t key = atomic_load(&kept->deferred);
	struct weir_deferred *deferred;

	if (!key || !atomic_load(&kept->live))
		return -EBADF;
	deferred = &all[key - 1];
	if (may_wait)
		pthread_mutex_lock(&deferred->lock);
	else if (pthread_mutex_trylock(&deferred->lock))
		return WEIR_SLOTCALL_LATER;
	*ret_deferred = deferred;
	if (atomic_load(&kept->live) && atomic_load(&kept->deferred) == key)
		return 0;
	pthread_mutex_unlock(&deferred->lock);
	return -EBADF;
}

int weir_deferred_visit(struct weir_deferred_visit *visit, uint32_t session,
			const uint64_t token[2], uint32_t open)
{
	int err;

	visit->session = weir_sessionlist_borrow(session, token);
	if (!visit->session)
		return -EACCES;
	visit->kept = &visit->session->kept->opens[open];
	err = lock_open(visit->kept, true, &visit->deferred);
	if (err)
		weir_sessionlist_put(visit->session);
	return err;
}

void weir_deferred_leave_visit(const struct weir_deferred_visit *visit)
{
	pthread_mutex_unlock(&visit->deferred->lock);
	weir_sessionlist_put(visit->session);
}

int weir_deferred_fetch(const struct weir_op_fetch_in *in,
			struct weir_op_fetch_out *ret_out)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct weir_deferred_visit visit;
	int fd = weir_deferred_visit(&visit, in->session, token, in->open);

	if (fd)
		return fd;
	fd = fetch_open(visit.deferred, in, visit.kept, ret_out);
	weir_deferred_leave_visit(&visit);
	return fd;
}

int weir_deferred_close(struct weir_session *session, uint32_t open,
			bool may_wait)
{
	struct weir_state_open *kept = &session->kept->opens[open];
	struct weir_deferred *deferred;
	int ret = lock_open(kept, may_wait, &deferred);

	if (ret == -EBADF) /* another call has */
		return atomic_load(&kept->live) ? 1 : 0;
	if (ret)
		return ret;
	ret = kept->turn ? 1 : 0;
	weir_deferred_take_back(deferred, session->number, open);
	atomic_store(&kept->deferred, 0);
	if (!ret) { /* the last, as its place is another's then */
		atomic_store(&session->opens[open].deferred, 0);
		atomic_store(&kept->live, 0);
	}
	deferred->opens--;
	weir_deferred_forget_if_over(deferred);
	pthread_mutex_unlock(&deferred->lock);
	return ret;
}

bool weir_deferred_reopen(const struct weir_state_open *kept)
{
	uint32_t key = atomic_load(&kept->deferred);
	struct weir_deferred *deferred;

	if (!key || key > WEIR_BOARD_DEFERRED)
		return false;
	deferred = &all[key - 1];
	if (!atomic_load(&deferred->kept->live))
		return false;
	deferred->opens++;
	return true;
}

static int inherit(enum weir_keptfds_kind kind, uint32_t index)
{
	int held = weir_keptfds_inherited(kind, index);

	return held < 0 ? -1 : fcntl(held, F_DUPFD_CLOEXEC, 0);
}

/* What the board says is as the last daemon left it. */
static void bring_back(struct weir_deferred *deferred)
{
	struct weir_state_deferred *kept = deferred->kept;

	if (!atomic_load(&kept->live)) {
		weir_keptfds_drop_later(WEIR_KEPTFDS_DEFERRED, deferred->place);
		weir_keptfds_drop_later(WEIR_KEPTFDS_PARENT, deferred->place);
		weir_deferred_forget_number(deferred);
		return;
	}
	deferred->memory = inherit(WEIR_KEPTFDS_DEFERRED, deferred->place);
	deferred->parent = inherit(WEIR_KEPTFDS_PARENT, deferred->place);
	deferred->inode = inherit(WEIR_KEPTFDS_INODE, deferred->place);
	if (atomic_load(&kept->phase) == WEIR_DEFERRED_MATERIALISED)
		deferred->file = inherit(WEIR_KEPTFDS_FILE, kept->file);
	if (deferred->memory >= 0)
		return;
	fprintf(stderr, "weir: %s: its memory is gone\n", kept->path);
	weir_deferred_forget(deferred);
}

struct names {
	uint16_t names[WEIR_BOARD_NAMES], parents[WEIR_BOARD_NAMES];
	uint32_t count, changed, begun;
};

static void add_name(struct names *to, const struct weir_state_deferred *kept)
{
	const char *name = weir_deferred_name(kept->path);

	to->names[weir_board_name(kept->dev, kept->ino, name)]++;
	to->parents[weir_board_name(kept->dev, kept->ino, "")]++;
	to->count++;
	to->begun += atomic_load(&kept->is_materialising);
}

static void add_changed(struct names *to)
{
	for (uint32_t i = 0; i < WEIR_STATE_CHANGED; i++) {
		const struct weir_state_changed *at = &weir_state->changed[i];

		if (!atomic_load(&at->live))
			continue;
		to->parents[weir_board_name(at->dev, at->ino, "")]++;
		to->changed++;
	}
}

/*
 * The last daemon may have died between a name and its count. Programs look at
 * these all the time: no count is ever less than what there is.
 */
static void recount_names(void)
{
	struct names *now = calloc(1, sizeof(*now));
	struct weir_board *board = weir_state_board;

	if (!now)
		return;
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		if (atomic_load(&all[i].kept->live) &&
		    atomic_load(&all[i].kept->phase) == WEIR_DEFERRED_NAMED)
			add_name(now, all[i].kept);
	add_changed(now);
	for (uint32_t i = 0; i < WEIR_BOARD_NAMES; i++) {
		atomic_store(&board->deferred_names[i], now->names[i]);
		atomic_store(&board->deferred_parents[i], now->parents[i]);
	}
	atomic_store(&board->deferred_count, now->count);
	atomic_store(&board->deferred_changed, now->changed);
	atomic_store(&board->deferred_begun, now->begun);
	free(now);
}

void weir_deferred_begin(void)
{
	uint64_t most = weir_setup_used->cache / SHARE;

	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		all[i] = (struct weir_deferred){
			.place = i,
			.kept = &weir_state->deferred[i],
			.memory = -1,
			.parent = -1,
			.inode = -1,
			.file = -1,
		};
		pthread_mutex_init(&all[i].lock, NULL);
		bring_back(&all[i]);
	}
	recount_names();
	atomic_store(&weir_state_board->deferred_most,
		     most < SHARE_MOST ? most : SHARE_MOST);
}

void weir_deferred_rescue(const char *directory)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		struct weir_deferred *deferred = &all[i];

		pthread_mutex_lock(&deferred->lock);
		if (atomic_load(&deferred->kept->live) && deferred->error &&
		    atomic_load(&deferred->kept->phase) == WEIR_DEFERRED_NAMED)
			weir_deferred_leave(deferred, directory);
		pthread_mutex_unlock(&deferred->lock);
	}
}

void weir_deferred_settle(void)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		/* threads of sessions run already, and close files */
		pthread_mutex_lock(&all[i].lock);
		if (atomic_load(&all[i].kept->live))
			weir_deferred_forget_if_over(&all[i]);
		pthread_mutex_unlock(&all[i].lock);
	}
	weir_deferred_have_tended();
}
