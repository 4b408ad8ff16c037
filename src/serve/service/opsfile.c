/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does ops that concern a whole file. Each may be done once more by the next
 * daemon: so it first does what cannot be undone to the file, then to what is
 * kept.
 */
#include "serve/service/opsfile.h"

#include "serve/deferred/deferred.h"
#include "serve/files/backing.h"
#include "serve/files/directlook.h"
#include "serve/files/fileends.h"
#include "serve/files/filefailures.h"
#include "serve/files/fileflags.h"
#include "serve/files/files.h"
#include "serve/log/chunkreclaim.h"
#include "serve/log/sessionlist.h"
#include "serve/log/sessionopens.h"
#include "serve/session/slotcall.h"
#include "serve/staging/stage.h"
#include "serve/state/setup.h"

#include <fcntl.h>

#define HOW_SYNC   1u
#define HOW_ERRORS 2u

static int error_of(struct weir_file *file)
{
	int err;

	pthread_mutex_lock(&file->lock);
	err = weir_filefailures_error(file);
	if (!err)
		err = file->kept->sync_error;
	pthread_mutex_unlock(&file->lock);
	return err > 0 ? -err : err;
}

static int commit(struct weir_file *file, uint32_t how)
{
	int err = weir_stage_file(file);

	if (!err && how & HOW_SYNC)
		err = weir_files_sync(file);
	if (!err && how & HOW_ERRORS)
		err = error_of(file);
	return err;
}

int weir_opsfile_commit(void *context, const struct weir_op_commit_in *in,
			struct weir_op_commit_out *out,
			struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_files_borrow(in->file, in->turn);
	int err;

	if (!file)
		return 0;
	weir_sessionlist_ingest(file);
	if (!call->may_wait && (in->how & HOW_SYNC || weir_files_records(file)))
		err = WEIR_SLOTCALL_LATER;
	else
		err = commit(file, in->how);
	weir_files_put(file);
	return err;
}

/* The file is locked; its index is cut there already. */
static void discard_from(struct weir_file *file, uint64_t length)
{
	weir_filefailures_settle(file, length, WEIR_OP_OFF_MOST - length,
				 WEIR_FATE_DISCARDED);
	if (!weir_filefailures_error(file)) {
		file->error = 0;
		file->tries = 0;
	}
	if (!file->records)
		file->oldest = 0;
	weir_fileflags_show(file);
}

/* The file is locked. */
static void cut_index(struct weir_file *file, uint64_t length)
{
	file->is_cut = true;
	weir_index_cut(file->index, length);
	file->is_cut = false;
}

/* Nobody can see any more what was written. */
static void drop_all(struct weir_file *file)
{
	pthread_mutex_lock(&file->staging);
	pthread_mutex_lock(&file->lock);
	cut_index(file, 0);
	discard_from(file, 0);
	pthread_mutex_unlock(&file->lock);
	pthread_mutex_unlock(&file->staging);
}

static bool is_last_of_doomed(struct weir_file *file)
{
	bool is;

	pthread_mutex_lock(&file->lock);
	is = file->is_doomed && file->opens == 1;
	pthread_mutex_unlock(&file->lock);
	return is && !weir_directlook_has(file->kept->dev, file->kept->ino);
}

static bool waits_at_close(struct weir_file *file)
{
	if (weir_setup_used->on_close == WEIR_ON_CLOSE_FSYNC)
		return true;
	return weir_setup_used->on_close == WEIR_ON_CLOSE_STORE &&
	       weir_files_records(file);
}

static int store_at_close(struct weir_file *file)
{
	if (is_last_of_doomed(file)) {
		drop_all(file);
		return 0;
	}
	switch (weir_setup_used->on_close) {
	case WEIR_ON_CLOSE_STORE:
		return commit(file, HOW_ERRORS);
	case WEIR_ON_CLOSE_FSYNC:
		return commit(file, HOW_ERRORS | HOW_SYNC);
	case WEIR_ON_CLOSE_LATER:
		break;
	}
	return 0;
}

/* The open is given back, whatever became of its data. */
static void release(struct weir_session *session, uint32_t open,
		    struct weir_file *file)
{
	bool wrote, was_open;

	was_open = weir_sessionopens_forget(session, open, file, &wrote);
	weir_files_put(file);
	if (was_open)
		weir_files_close(file, wrote);
}

static int close_open(struct weir_session *session, uint32_t open,
		      bool may_wait)
{
	struct weir_state_open *kept = &session->kept->opens[open];
	struct weir_file *file;
	bool wrote;
	int err = 0;

	if (!atomic_load(&kept->live))
		return 0;
	if (kept->deferred) {
		err = weir_deferred_close(session, open, may_wait);
		if (err != 1)
			return err;
		err = 0;
	}
	wrote = (kept->flags & O_ACCMODE) != O_RDONLY;
	file = weir_files_borrow_open(kept);
	if (!file)
		return -EIO;
	if (wrote) {
		weir_sessionlist_ingest(file);
		if (!may_wait && waits_at_close(file)) {
			weir_files_put(file);
			return WEIR_SLOTCALL_LATER;
		}
		err = store_at_close(file);
	}
	release(session, open, file);
	return err;
}

int weir_opsfile_close(void *context, const struct weir_op_close_in *in,
		       struct weir_op_close_out *out, struct weir_op_data *data)
{
	struct weir_slotcall *call = context;

	return close_open(call->session, in->open, call->may_wait);
}

void weir_opsfile_end(struct weir_session *session, uint32_t open)
{
	close_open(session, open, true);
}

/* The kernel's time is later than what we know, once all is stored. */
static void tell_time(struct weir_file *file, struct weir_op_extent_out *out)
{
	pthread_mutex_lock(&file->lock);
	if (file->records) {
		out->seconds = (int64_t)(file->changed_wall / 1000000000);
		out->nanoseconds = (uint32_t)(file->changed_wall % 1000000000);
	}
	pthread_mutex_unlock(&file->lock);
}

int weir_opsfile_extent(void *context, const struct weir_op_extent_in *in,
			struct weir_op_extent_out *out,
			struct weir_op_data *data)
{
	struct weir_file *file = weir_files_borrow(in->file, in->turn);
	int err;

	if (!file)
		return -ESTALE;
	weir_sessionlist_ingest(file);
	tell_time(file, out);
	err = weir_fileends_ask(file, &out->size);
	weir_files_put(file);
	return err;
}

static void count_cut(struct weir_file *file)
{
	pthread_mutex_lock(&file->lock);
	file->cuts++;
	pthread_mutex_unlock(&file->lock);
}

/* The file is locked, and nothing in its index straddles the length. */
static int cut(struct weir_file *file, uint64_t length)
{
	int err = weir_backing_truncate(file, length);

	if (err)
		return err;
	cut_index(file, length);
	if (atomic_load(&file->kept->end) > length)
		atomic_store(&file->kept->end, length);
	discard_from(file, length);
	return 0;
}

/* A record comes back whole after a crash: one of which only a part is to be
 * left is stored before. `staging` is held. */
static int cut_when_possible(const struct weir_slotcall *call,
			     struct weir_file *file, uint64_t length)
{
	int err;

	for (;;) {
		weir_sessionlist_ingest(file);
		pthread_mutex_lock(&file->lock);
		if (!weir_index_straddles(file->index, length))
			break;
		pthread_mutex_unlock(&file->lock);
		err = weir_stage_held(file);
		if (err)
			return err;
	}
	err = weir_slotcall_is_abandoned(call) ? -ECANCELED : cut(file, length);
	pthread_mutex_unlock(&file->lock);
	return err;
}

int weir_opsfile_truncate(void *context, const struct weir_op_truncate_in *in,
			  struct weir_op_truncate_out *out,
			  struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_slotcall_borrow(call, in->open, O_WRONLY);
	int err;

	if (!file)
		return -EBADF;
	weir_sessionlist_ingest(file);
	if (!call->may_wait && weir_files_records(file)) {
		weir_files_put(file);
		return WEIR_SLOTCALL_LATER;
	}
	pthread_mutex_lock(&file->staging);
	count_cut(file);
	err = cut_when_possible(call, file, in->length);
	count_cut(file);
	pthread_mutex_unlock(&file->staging);
	weir_files_put(file);
	return err;
}

static void set_flags(struct weir_file *file, bool is_turning,
		      bool is_bypassed)
{
	pthread_mutex_lock(&file->lock);
	file->is_turning = is_turning;
	if (is_bypassed)
		weir_fileflags_bypass(file);
	else
		weir_fileflags_show(file);
	pthread_mutex_unlock(&file->lock);
}

/*
 * First all calls come to us, and what is in memory is stored; then they go to
 * the kernel. At each step a client either sees the flag after it has written,
 * and has it stored, or what it wrote is seen here. What cannot be stored is
 * not left behind for others to write over.
 */
static int bypass(struct weir_file *file)
{
	int err;

	set_flags(file, true, false);
	weir_fileends_wait(file);
	err = weir_stage_file(file);
	if (!err)
		set_flags(file, true, true);
	if (!err)
		err = weir_stage_file(file);
	set_flags(file, false, false);
	return err;
}

int weir_opsfile_bypass(void *context, const struct weir_op_bypass_in *in,
			struct weir_op_bypass_out *out,
			struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_files_borrow(in->file, in->turn);
	int err;

	if (!file)
		return 0;
	weir_sessionlist_ingest(file);
	if (!call->may_wait && weir_files_records(file))
		err = WEIR_SLOTCALL_LATER;
	else
		err = bypass(file);
	weir_files_put(file);
	return err;
}

/* Whether it has no name any more; true: nor anybody who has it open. */
static bool is_lost(struct weir_file *file)
{
	struct weir_backend_extent extent;
	bool is = false;

	if (weir_backing_extent(file, &extent) ||
	    extent.links)
		return false;
	pthread_mutex_lock(&file->lock);
	file->is_doomed = true;
	is = !file->opens;
	pthread_mutex_unlock(&file->lock);
	return is && !weir_directlook_has(file->kept->dev, file->kept->ino);
}

int weir_opsfile_unlinked(void *context, const struct weir_op_unlinked_in *in,
			  struct weir_op_unlinked_out *out,
			  struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_files_borrow(in->file, in->turn);
	int err = 0;

	if (!file)
		return 0;
	if (is_lost(file)) {
		weir_sessionlist_ingest(file);
		if (!call->may_wait && weir_files_records(file))
			err = WEIR_SLOTCALL_LATER;
		else
			drop_all(file);
	}
	weir_files_put(file);
	return err;
}

int weir_opsfile_ask(void *context, const struct weir_op_ask_in *in,
		     struct weir_op_ask_out *out, struct weir_op_data *data)
{
	struct weir_slotcall *call = context;

	if (in->chunks)
		weir_chunkreclaim_idle(call->session);
	return 0;
}
