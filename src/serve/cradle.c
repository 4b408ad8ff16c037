/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of files that are not born. `guard` is held to find a place, and
 * taken before the lock of one, but never while one is waited for: a birth
 * takes as long as the file system does. Both come before any lock of files.c.
 */
#include "serve/cradle_own.h"
#include "serve/files.h"
#include "serve/hold.h"
#include "serve/ops.h"
#include "serve/sessions.h"
#include "serve/setup.h"

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
static struct weir_cradle all[WEIR_BOARD_DEFERRED];

struct weir_cradle *weir_cradle_at(uint32_t place)
{
	return &all[place];
}

const char *weir_cradle_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool weir_cradle_is_named(const struct weir_cradle *unborn,
			  const struct weir_cradle_key *key)
{
	const struct weir_state_unborn *kept = unborn->kept;

	return atomic_load(&kept->live) &&
	       atomic_load(&kept->stage) == WEIR_STAGE_NAMED &&
	       kept->dev == key->dev && kept->ino == key->ino &&
	       (!key->name || !strcmp(weir_cradle_name(kept->path), key->name));
}

/* With `guard`: a place where one of this name may be made just now. */
static bool is_claimed(const struct weir_cradle *unborn,
		       const struct weir_cradle_key *key)
{
	const struct weir_state_unborn *kept = unborn->kept;

	return unborn->is_claimed && kept->dev == key->dev &&
	       kept->ino == key->ino && key->name &&
	       !strcmp(weir_cradle_name(kept->path), key->name);
}

/* With `guard`: nobody else makes one there, or of this name. */
static bool claim(struct weir_cradle *unborn, const struct weir_cradle_key *key)
{
	struct weir_state_unborn *kept = unborn->kept;

	if (unborn->is_claimed || atomic_load(&kept->live) ||
	    pthread_mutex_trylock(&unborn->lock))
		return false;
	kept->dev = key->dev;
	kept->ino = key->ino;
	snprintf(kept->path, sizeof(kept->path), "%s", key->path);
	unborn->is_claimed = true;
	return true;
}

bool weir_cradle_may_be(const struct weir_cradle *unborn,
			const struct weir_cradle_key *key)
{
	bool may_be;

	pthread_mutex_lock(&guard);
	may_be = weir_cradle_is_named(unborn, key);
	pthread_mutex_unlock(&guard);
	return may_be;
}

void weir_cradle_end_claim(struct weir_cradle *unborn)
{
	pthread_mutex_lock(&guard);
	unborn->is_claimed = false;
	pthread_mutex_unlock(&guard);
}

static struct weir_cradle *claim_any(const struct weir_cradle_key *key)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		if (claim(&all[i], key))
			return &all[i];
	return NULL;
}

/*
 * The one of this name, locked; NULL: none. With `ret_free` a place for it,
 * locked too. Who comes second waits until it is there.
 */
struct weir_cradle *weir_cradle_find(const struct weir_cradle_key *key,
				     struct weir_cradle **ret_free)
{
	struct weir_cradle *found = NULL;

	pthread_mutex_lock(&guard);
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED && !found; i++)
		if (weir_cradle_is_named(&all[i], key) ||
		    is_claimed(&all[i], key))
			found = &all[i];
	if (!found && ret_free)
		*ret_free = claim_any(key);
	pthread_mutex_unlock(&guard);
	if (!found)
		return NULL;
	pthread_mutex_lock(&found->lock);
	if (weir_cradle_is_named(found, key))
		return found;
	pthread_mutex_unlock(&found->lock);
	return NULL;
}

int weir_cradle_key(int parent, const char *path,
		    struct weir_cradle_key *ret_key)
{
	struct stat about;

	if (parent < 0 || fstat(parent, &about))
		return -EBADF;
	*ret_key = (struct weir_cradle_key){about.st_dev, about.st_ino, path,
					    weir_cradle_name(path)};
	return S_ISDIR(about.st_mode) ? 0 : -EBADF;
}

static void count_name(const struct weir_cradle *unborn, int change)
{
	const struct weir_state_unborn *kept = unborn->kept;
	const char *name = weir_cradle_name(kept->path);
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

void weir_cradle_show(const struct weir_cradle *unborn)
{
	uint32_t stage = atomic_load(&unborn->kept->stage);

	atomic_store(&weir_state_board->deferred[unborn->place],
		     unborn->kept->turn |
			     (stage == WEIR_STAGE_NAMELESS ? WEIR_BOARD_NAMELESS
							   : 0));
}

void weir_cradle_enter_names(const struct weir_cradle *unborn)
{
	count_name(unborn, 1);
}

void weir_cradle_leave_names(struct weir_cradle *unborn)
{
	count_name(unborn, -1);
}

/* Its lock is held. */
void weir_cradle_forget(struct weir_cradle *unborn)
{
	struct weir_state_unborn *kept = unborn->kept;

	atomic_store(&weir_state_board->deferred[unborn->place], 0);
	atomic_store(&kept->live, 0);
	weir_hold_drop_later(WEIR_HOLD_UNBORN, unborn->place);
	weir_hold_drop_later(WEIR_HOLD_PARENT, unborn->place);
	weir_cradle_forget_number(unborn);
	if (unborn->parent >= 0)
		close(unborn->parent);
	if (unborn->born >= 0)
		close(unborn->born);
	unborn->parent = unborn->born = -1;
	if (unborn->memory >= 0)
		close(unborn->memory);
	unborn->memory = -1;
}

void weir_cradle_forget_if_over(struct weir_cradle *unborn)
{
	uint32_t stage = atomic_load(&unborn->kept->stage);
	struct stat about;

	if (unborn->opens || stage == WEIR_STAGE_NAMED)
		return;
	if (stage == WEIR_STAGE_NAMELESS && !fstat(unborn->memory, &about)) {
		atomic_fetch_add(&weir_state->never_born, 1);
		atomic_fetch_add(&weir_state->never_born_bytes,
				 (uint64_t)about.st_size);
	}
	weir_cradle_forget(unborn);
}

/* Whether an earlier daemon has done it already. */
static bool was_missed(uint64_t nonce)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		if (atomic_load(&all[i].kept->missed) == nonce)
			return true;
	return false;
}

/* A daemon that died had begun: there is a file of its name, and it is ours. */
static bool is_half_born(const struct weir_cradle *unborn)
{
	return atomic_load(&unborn->kept->is_bearing);
}

int weir_cradle_miss(const struct weir_op_miss_in *in, const char *path, int fd)
{
	struct weir_cradle *unborn;
	struct weir_cradle_key key;
	int err = weir_cradle_key(fd, path, &key);

	if (err)
		return err;
	unborn = weir_cradle_find(&key, NULL);
	if (!unborn)
		return in->nonce && was_missed(in->nonce) ? 0 : -ESTALE;
	if (is_half_born(unborn) && !weir_cradle_birth(unborn)) {
		err = -ESTALE; /* it is the kernel's now, to be removed */
	} else if (in->user != geteuid() ||
	    faccessat(unborn->parent, ".", W_OK | X_OK, AT_EACCESS)) {
		err = -ESTALE; /* the kernel says why */
	} else {
		weir_cradle_note_change(unborn);
		atomic_store(&unborn->kept->missed, in->nonce);
		weir_cradle_settle_failure(unborn, WEIR_FATE_DISCARDED);
		atomic_store(&unborn->kept->stage, WEIR_STAGE_NAMELESS);
		weir_cradle_show(unborn);
		weir_cradle_leave_names(unborn);
		weir_cradle_forget_if_over(unborn);
	}
	pthread_mutex_unlock(&unborn->lock);
	return err;
}

/* Its lock is held; a new descriptor, or -errno; 0: it stays. */
static int fetch(struct weir_cradle *unborn, const struct weir_op_fetch_in *in,
		 const struct weir_state_open *kept,
		 struct weir_op_fetch_out *ret_out)
{
	uint32_t stage = atomic_load(&unborn->kept->stage);
	int fd = 0;

	if (stage == WEIR_STAGE_NAMELESS && !in->grows &&
	    !weir_cradle_is_sealed(unborn)) {
		ret_out->stays = 1;
		return 0;
	}
	if (stage != WEIR_STAGE_BORN)
		fd = weir_cradle_birth(unborn);
	if (fd && stage == WEIR_STAGE_NAMELESS &&
	    !weir_cradle_is_sealed(unborn)) {
		ret_out->stays = 1; /* where it was to be is gone */
		return 0;
	}
	if (!fd)
		fd = weir_cradle_give(unborn, in->session, in->open);
	ret_out->file = kept->file;
	ret_out->turn = kept->turn;
	return fd;
}

/*
 * The one that an open is of, locked. It may be closed by another until then:
 * -EBADF. WEIR_OPS_LATER: it would have to wait.
 */
static int lock_open(const struct weir_state_open *kept, bool may_wait,
		     struct weir_cradle **ret_unborn)
{
	uint32_t key = atomic_load(&kept->unborn);
	struct weir_cradle *unborn;

	if (!key || !atomic_load(&kept->live))
		return -EBADF;
	unborn = &all[key - 1];
	if (may_wait)
		pthread_mutex_lock(&unborn->lock);
	else if (pthread_mutex_trylock(&unborn->lock))
		return WEIR_OPS_LATER;
	*ret_unborn = unborn;
	if (atomic_load(&kept->live) && atomic_load(&kept->unborn) == key)
		return 0;
	pthread_mutex_unlock(&unborn->lock);
	return -EBADF;
}

int weir_cradle_visit(struct weir_cradle_visit *visit, uint32_t session,
		      const uint64_t token[2], uint32_t open)
{
	int err;

	visit->session = weir_sessions_borrow(session, token);
	if (!visit->session)
		return -EACCES;
	visit->kept = &visit->session->kept->opens[open];
	err = lock_open(visit->kept, true, &visit->unborn);
	if (err)
		weir_sessions_put(visit->session);
	return err;
}

void weir_cradle_leave_visit(const struct weir_cradle_visit *visit)
{
	pthread_mutex_unlock(&visit->unborn->lock);
	weir_sessions_put(visit->session);
}

int weir_cradle_fetch(const struct weir_op_fetch_in *in,
		      struct weir_op_fetch_out *ret_out)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct weir_cradle_visit visit;
	int fd = weir_cradle_visit(&visit, in->session, token, in->open);

	if (fd)
		return fd;
	fd = fetch(visit.unborn, in, visit.kept, ret_out);
	weir_cradle_leave_visit(&visit);
	return fd;
}

int weir_cradle_close(struct weir_session *session, uint32_t open,
		      bool may_wait)
{
	struct weir_state_open *kept = &session->kept->opens[open];
	struct weir_cradle *unborn;
	int ret = lock_open(kept, may_wait, &unborn);

	if (ret == -EBADF) /* another call has */
		return atomic_load(&kept->live) ? 1 : 0;
	if (ret)
		return ret;
	ret = kept->turn ? 1 : 0;
	weir_cradle_take_back(unborn, session->number, open);
	atomic_store(&kept->unborn, 0);
	if (!ret) { /* the last, as its place is another's then */
		atomic_store(&session->opens[open].deferred, 0);
		atomic_store(&kept->live, 0);
	}
	unborn->opens--;
	weir_cradle_forget_if_over(unborn);
	pthread_mutex_unlock(&unborn->lock);
	return ret;
}

bool weir_cradle_reopen(const struct weir_state_open *kept)
{
	uint32_t key = atomic_load(&kept->unborn);
	struct weir_cradle *unborn;

	if (!key || key > WEIR_BOARD_DEFERRED)
		return false;
	unborn = &all[key - 1];
	if (!atomic_load(&unborn->kept->live))
		return false;
	unborn->opens++;
	return true;
}

static int inherit(enum weir_hold_kind kind, uint32_t index)
{
	int held = weir_hold_inherited(kind, index);

	return held < 0 ? -1 : fcntl(held, F_DUPFD_CLOEXEC, 0);
}

/* What the board says is as the last daemon left it. */
static void bring_back(struct weir_cradle *unborn)
{
	struct weir_state_unborn *kept = unborn->kept;

	if (!atomic_load(&kept->live)) {
		weir_hold_drop_later(WEIR_HOLD_UNBORN, unborn->place);
		weir_hold_drop_later(WEIR_HOLD_PARENT, unborn->place);
		weir_cradle_forget_number(unborn);
		return;
	}
	unborn->memory = inherit(WEIR_HOLD_UNBORN, unborn->place);
	unborn->parent = inherit(WEIR_HOLD_PARENT, unborn->place);
	unborn->inode = inherit(WEIR_HOLD_INODE, unborn->place);
	if (atomic_load(&kept->stage) == WEIR_STAGE_BORN)
		unborn->born = inherit(WEIR_HOLD_FILE, kept->file);
	if (unborn->memory >= 0)
		return;
	fprintf(stderr, "weir: %s: its memory is gone\n", kept->path);
	weir_cradle_forget(unborn);
}

struct names {
	uint16_t names[WEIR_BOARD_NAMES], parents[WEIR_BOARD_NAMES];
	uint32_t count, changed, begun;
};

static void add_name(struct names *to, const struct weir_state_unborn *kept)
{
	const char *name = weir_cradle_name(kept->path);

	to->names[weir_board_name(kept->dev, kept->ino, name)]++;
	to->parents[weir_board_name(kept->dev, kept->ino, "")]++;
	to->count++;
	to->begun += atomic_load(&kept->is_bearing);
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
		    atomic_load(&all[i].kept->stage) == WEIR_STAGE_NAMED)
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

void weir_cradle_begin(void)
{
	uint64_t most = weir_setup_used->cache / SHARE;

	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		all[i] = (struct weir_cradle){
			.place = i,
			.kept = &weir_state->unborn[i],
			.memory = -1,
			.parent = -1,
			.inode = -1,
			.born = -1,
		};
		pthread_mutex_init(&all[i].lock, NULL);
		bring_back(&all[i]);
	}
	recount_names();
	atomic_store(&weir_state_board->deferred_most,
		     most < SHARE_MOST ? most : SHARE_MOST);
}

void weir_cradle_rescue(const char *directory)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		struct weir_cradle *unborn = &all[i];

		pthread_mutex_lock(&unborn->lock);
		if (atomic_load(&unborn->kept->live) && unborn->error &&
		    atomic_load(&unborn->kept->stage) == WEIR_STAGE_NAMED)
			weir_cradle_leave(unborn, directory);
		pthread_mutex_unlock(&unborn->lock);
	}
}

void weir_cradle_settle(void)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		/* threads of sessions run already, and close files */
		pthread_mutex_lock(&all[i].lock);
		if (atomic_load(&all[i].kept->live))
			weir_cradle_forget_if_over(&all[i]);
		pthread_mutex_unlock(&all[i].lock);
	}
	weir_cradle_have_tended();
}
