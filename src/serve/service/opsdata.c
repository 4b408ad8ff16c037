/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves data for clients: reads of what is not all stored, writes through, and
 * appends.
 */
#include "serve/service/opsdata.h"

#include "base/clock.h"
#include "serve/files/backing.h"
#include "serve/files/fileends.h"
#include "serve/files/files.h"
#include "serve/log/freespace.h"
#include "serve/log/ingest.h"
#include "serve/log/sessionlist.h"
#include "serve/session/slotcall.h"
#include "serve/staging/stage.h"

#include <fcntl.h>
#include <string.h>

/* A read on its way through a file. */
struct reading {
	struct weir_file *file;
	unsigned char *to;
	uint64_t at, end;
	bool is_missed; /* something came from the file system */
};

/* Bytes that the index has from here on, one piece after the other. */
static void copy_pieces(struct reading *read, struct weir_index_piece *piece,
			bool *ret_found)
{
	while (*ret_found && piece->offset == read->at) {
		memcpy(read->to, piece->bytes, piece->length);
		read->to += piece->length;
		read->at += piece->length;
		*ret_found = read->at < read->end &&
			     weir_index_find(read->file->index, read->at,
					     read->end, piece);
	}
}

/*
 * All of one gap. What is not in the index when it was looked at is in the
 * file, or a hole: so the file is read after that. True in *ret_is_end: it ends
 * here.
 */
static int fill_gap(struct reading *read, uint64_t end, bool is_hole,
		    bool *ret_is_end)
{
	while (read->at < end) {
		int64_t got = weir_backing_read(read->file, read->to,
						end - read->at, read->at);

		if (got < 0)
			return (int)got;
		if (!got && !is_hole) {
			*ret_is_end = true;
			return 0;
		}
		if (!got) { /* what follows was written beyond the end */
			got = (int64_t)(end - read->at);
			memset(read->to, 0, (size_t)got);
		}
		read->to += got;
		read->at += (uint64_t)got;
	}
	return 0;
}

static int compose(struct reading *read)
{
	struct weir_index_piece piece;
	bool is_end = false;
	int err = 0;

	while (!err && !is_end && read->at < read->end) {
		bool found, is_hole;
		uint64_t next;

		pthread_mutex_lock(&read->file->lock);
		found = weir_index_find(read->file->index, read->at, read->end,
					&piece);
		copy_pieces(read, &piece, &found);
		next = found ? piece.offset : read->end;
		is_hole = weir_index_end(read->file->index) >= next;
		pthread_mutex_unlock(&read->file->lock);
		if (read->at < next) {
			read->is_missed = true;
			err = fill_gap(read, next, is_hole, &is_end);
		}
	}
	return err;
}

/* Whether the kernel has all: nothing of it is in memory, nor is anything
 * behind it that would make the file longer than the kernel knows. */
static bool is_clean(struct weir_file *file, uint64_t from, uint64_t end)
{
	struct weir_index_piece piece;
	struct weir_backend_extent extent;
	bool in_range, is_behind;

	pthread_mutex_lock(&file->lock);
	in_range = weir_index_find(file->index, from, end, &piece);
	is_behind = weir_index_end(file->index) > from;
	pthread_mutex_unlock(&file->lock);
	if (in_range || !is_behind)
		return !in_range;
	return !weir_backing_extent(file, &extent) &&
	       extent.size >= 0 && (uint64_t)extent.size >= end;
}

/* What the kernel has is not what is to be read. */
static bool is_served(void)
{
	return weir_backends_used->flags & WEIR_BACKEND_READS;
}

/* The plug-in, which may take long, is not asked. */
static bool is_at_hand(struct weir_file *file,
		       const struct weir_op_read_in *in)
{
	uint64_t at = in->offset, end = in->offset + in->length;
	struct weir_index_piece piece;

	pthread_mutex_lock(&file->lock);
	while (at < end && weir_index_find(file->index, at, end, &piece) &&
	       piece.offset == at)
		at += piece.length;
	pthread_mutex_unlock(&file->lock);
	return at == end;
}

static int read_from_file(struct weir_file *file,
			  const struct weir_op_read_in *in,
			  struct weir_op_read_out *out,
			  struct weir_op_data *data)
{
	struct reading read = {
		.file = file,
		.to = data->bytes,
		.at = in->offset,
		.end = in->offset + in->length,
	};
	int err;

	atomic_fetch_add(&weir_state->reads, 1);
	if (!is_served() && is_clean(file, read.at, read.end)) {
		out->clean = 1;
		return 0;
	}
	err = compose(&read);
	if (err)
		return err;
	if (!read.is_missed)
		atomic_fetch_add(&weir_state->hits, 1);
	out->got = (uint32_t)(read.at - in->offset);
	data->answer = out->got;
	return 0;
}

int weir_opsdata_read(void *context, const struct weir_op_read_in *in,
		      struct weir_op_read_out *out, struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_slotcall_borrow(call, in->open, O_RDONLY);
	int err;

	if (!file)
		return -EBADF;
	weir_sessionlist_ingest(file);
	if (is_served() && !call->may_wait && !is_at_hand(file, in))
		err = WEIR_SLOTCALL_LATER;
	else
		err = read_from_file(file, in, out, data);
	weir_files_put(file);
	return err;
}

static bool is_in_memory(struct weir_file *file, uint64_t from, uint64_t end)
{
	struct weir_index_piece piece;
	bool is;

	pthread_mutex_lock(&file->lock);
	is = weir_index_find(file->index, from, end, &piece);
	pthread_mutex_unlock(&file->lock);
	return is;
}

/* Bytes that went out, or -errno if none did. */
static int64_t put_through(struct weir_file *file, uint64_t offset,
			   const struct weir_op_data *data)
{
	uint32_t done = 0;

	while (done < data->size) {
		struct iovec part = { data->bytes + done, data->size - done };
		int64_t put = weir_backing_write(file, &part, 1,
						 offset + done);

		if (put <= 0)
			return done ? done : put ? put : -EIO;
		done += (uint32_t)put;
		atomic_fetch_add(&weir_state->requests_out, 1);
		atomic_fetch_add(&weir_state->bytes_out, (uint64_t)put);
	}
	atomic_fetch_add(&weir_state->requests_in, 1);
	atomic_fetch_add(&weir_state->bytes_in, done);
	return done;
}

/* Older bytes in memory go first, or they would come over these later. */
static int write_at(const struct weir_slotcall *call, struct weir_file *file,
		    uint64_t offset, const struct weir_op_data *data,
		    uint32_t *ret_done)
{
	int64_t done;
	int err;

	if (is_in_memory(file, offset, offset + data->size)) {
		err = weir_stage_file(file);
		if (err)
			return err;
	}
	if (weir_slotcall_is_abandoned(call))
		return -ECANCELED;
	done = put_through(file, offset, data);
	if (done < 0)
		return (int)done;
	*ret_done = (uint32_t)done;
	return 0;
}

static int write_behind_end(struct weir_slotcall *call, struct weir_file *file,
			    const struct weir_op_data *data,
			    struct weir_op_write_out *out)
{
	struct weir_fileends_claim claim = {
		.total = data->size,
		.promise = &call->session->kept->appends[call->slot],
		.is_again = call->is_again,
	};
	int err = weir_fileends_give(file, &claim, &out->offset);

	if (err)
		return err;
	err = write_at(call, file, out->offset, data, &out->done);
	if (err || out->done < data->size)
		weir_fileends_return(file, out->offset + out->done,
				     data->size - out->done);
	weir_fileends_done(file);
	return err;
}

static bool is_tight(struct weir_file *file)
{
	bool is;

	pthread_mutex_lock(&file->lock);
	is = file->is_tight;
	pthread_mutex_unlock(&file->lock);
	return is;
}

/* What failed has its own times. */
static void store_if_beside(struct weir_file *file, void *arg)
{
	const struct weir_file *tight = arg;
	bool may_fit;

	pthread_mutex_lock(&file->lock);
	may_fit = file->records && !file->error;
	pthread_mutex_unlock(&file->lock);
	if (may_fit && file->kept->dev == tight->kept->dev)
		weir_stage_file(file);
}

static bool takes_long(struct weir_file *file,
		       const struct weir_op_write_in *in, uint32_t size)
{
	return in->flags & O_DSYNC || is_tight(file) ||
	       is_in_memory(file, in->offset, in->offset + size);
}

static int write_through(struct weir_slotcall *call, struct weir_file *file,
			 const struct weir_op_write_in *in,
			 struct weir_op_data *data,
			 struct weir_op_write_out *out)
{
	int err = 0;

	/* the room that is left is for what was acknowledged before */
	if (is_tight(file))
		weir_files_each(store_if_beside, file);
	if (in->flags & O_DSYNC)
		err = weir_stage_file(file);
	if (err)
		return err;
	out->offset = in->offset;
	if (in->flags & O_APPEND)
		err = write_behind_end(call, file, data, out);
	else
		err = write_at(call, file, in->offset, data, &out->done);
	if (!err && in->flags & O_DSYNC)
		err = weir_files_sync(file);
	return err;
}

int weir_opsdata_write(void *context, const struct weir_op_write_in *in,
		       struct weir_op_write_out *out, struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct weir_file *file = weir_slotcall_borrow(call, in->open, O_WRONLY);
	int err;

	if (!file)
		return -EBADF;
	weir_sessionlist_ingest(file);
	if (!call->may_wait && takes_long(file, in, data->size))
		err = WEIR_SLOTCALL_LATER;
	else
		err = write_through(call, file, in, data, out);
	weir_files_put(file);
	weir_freespace_look();
	return err;
}

/* A record that its client has filled in, and waits for its place. */
struct filled {
	struct weir_session *session;
	const struct weir_op_append_in *in;
	struct weir_session_head *head;
	struct weir_session_record *record;
	struct weir_session_record copy;
};

static bool is_in_reach(const struct filled *filled)
{
	const struct weir_op_append_in *in = filled->in;

	return in->chunk < filled->session->chunks && !(in->place % 8) &&
	       in->place < WEIR_SESSION_CHUNK &&
	       WEIR_SESSION_CHUNK - in->place >= sizeof(filled->copy);
}

/* `taking` is held. */
static int check_filled(struct filled *filled, const struct weir_file *file)
{
	const struct weir_op_append_in *in = filled->in;
	struct weir_session *session = filled->session;
	uint32_t left = WEIR_SESSION_CHUNK - in->place -
			(uint32_t)sizeof(filled->copy);

	if (!(atomic_load(&session->out[in->chunk / 64]) >> in->chunk % 64 &
	      1) ||
	    atomic_load(&filled->head->phase) != WEIR_CHUNK_TAKEN)
		return -EINVAL;
	memcpy(&filled->copy, filled->record, sizeof(filled->copy));
	if (!filled->copy.length || filled->copy.length > left ||
	    filled->copy.length > in->total ||
	    filled->copy.file != file->place ||
	    filled->copy.turn != file->turn)
		return -EINVAL;
	return 0;
}

/* 1: an earlier daemon has counted it already. */
static int look_at_filled(struct filled *filled, const struct weir_file *file)
{
	struct weir_session *session = filled->session;
	uint32_t used;
	int err;

	pthread_mutex_lock(&session->taking);
	err = check_filled(filled, file);
	used = atomic_load(&filled->head->used);
	pthread_mutex_unlock(&session->taking);
	if (err || used == filled->in->place)
		return err;
	return used > filled->in->place ? 1 : -EINVAL;
}

static int count_filled(struct filled *filled, uint64_t offset)
{
	struct weir_session *session = filled->session;
	uint32_t place = filled->in->place;
	int err = -EINVAL;

	pthread_mutex_lock(&session->taking);
	if (atomic_load(&filled->head->used) == place) {
		filled->record->offset = offset;
		filled->record->stamp = weir_clock_ns(CLOCK_MONOTONIC);
		atomic_store(&filled->head->used,
			     place + weir_session_record_size(
					     filled->copy.length));
		weir_ingest_chunk(session, filled->in->chunk);
		err = 0;
	}
	pthread_mutex_unlock(&session->taking);
	return err;
}

static int append_record(struct weir_slotcall *call, struct weir_file *file,
			 struct filled *filled, uint64_t *ret_offset)
{
	struct weir_fileends_claim claim = {
		.total = filled->in->total,
		.promise = &call->session->kept->appends[call->slot],
		.is_again = call->is_again,
	};
	int err = look_at_filled(filled, file);

	if (err == 1) {
		*ret_offset = filled->copy.offset;
		return 0;
	}
	if (!err)
		err = weir_fileends_give(file, &claim, ret_offset);
	if (err)
		return err;
	err = count_filled(filled, *ret_offset);
	weir_fileends_done(file);
	return err;
}

int weir_opsdata_append(void *context, const struct weir_op_append_in *in,
			struct weir_op_append_out *out,
			struct weir_op_data *data)
{
	struct weir_slotcall *call = context;
	struct filled filled = { .session = call->session, .in = in };
	struct weir_file *file;
	int err;

	if (!is_in_reach(&filled))
		return -EINVAL;
	filled.head = &call->session->heads[in->chunk];
	filled.record = (void *)(weir_session_chunk_at(call->session,
						       in->chunk) +
				 in->place);
	file = weir_slotcall_borrow(call, in->open, O_WRONLY);
	if (!file)
		return -EBADF;
	weir_sessionlist_ingest(file);
	err = append_record(call, file, &filled, &out->offset);
	weir_files_put(file);
	return err;
}
