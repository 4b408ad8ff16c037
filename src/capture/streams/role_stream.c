/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of calls on streams; buffers: role_settle.c. */
#include "capture/streams/role_stream.h"

#include "base/sys.h"
#include "gate/confined.h"
#include "spec/calls.h"

#include <stdio.h>
#include <sys/stat.h>

static bool may_edit(const struct weir_pass *pass)
{
	return !pass->thread->vforks;
}

/* Streams need a description to keep their book by, even of pipes. */
static uint64_t make_description(int fd, uint64_t entry)
{
	uint32_t ofd = weir_ofd_new(fd, WEIR_OFD_NOSEEK, false);

	return weir_fdmap_offer(fd, entry,
				entry | weir_fdmap_entry(0, ofd, false));
}

uint64_t weir_role_meet(struct weir_thread *t, const struct weir_stream *s,
			uint32_t *ret_handle)
{
	uint64_t entry = 0;

	*ret_handle = 0;
	if (!s)
		return 0;
	if (weir_stream_fd(s) < 0) {
		*ret_handle = weir_stream_recall(s);
		if (!*ret_handle)
			*ret_handle = weir_role_bare(-1);
		return 0;
	}
	if (!t->vforks) {
		entry = weir_fdmap_get(s->fd);
		entry = entry ? make_description(s->fd, entry)
			      : weir_fdnames_identify(t, s->fd);
		if (weir_fdmap_ofd(entry))
			weir_stream_meet_book(weir_fdmap_ofd(entry), s);
	}
	*ret_handle = entry ? weir_fdmap_handle(entry) : weir_role_bare(s->fd);
	return entry;
}

/* --- calls that only move the buffer ----------------------------------- */

static const struct weir_role_flow idle = { .asks = true };

void weir_role_buffer_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_buffer_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_leave_stream(pass, args, idle);
}

void weir_role_scan_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_scan_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = { .reads = true, .unsure = true };

	weir_role_leave_stream(pass, args, flow);
}

void weir_role_write_entry_before(struct weir_pass *pass,
				  struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_write_entry_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = { .puts = true,
				       .unsure = true,
				       .asks = true };

	weir_role_leave_stream(pass, args, flow);
}

void weir_role_unget_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_unget_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = { .got = -args->moved, .asks = true };

	flow.unsure = args->stream->flags & WEIR_STREAM_PUTTING;
	weir_role_leave_stream(pass, args, flow);
}

/* The kernel hears nothing of it: the stream is where the kernel is. */
void weir_role_purge_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_purge_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	struct weir_role_flow flow = idle;

	if (pass->uses_position) {
		pass->ahead &= ~WEIR_STREAM_TURNED;
		flow.put = weir_stream_pending(s) - pass->pending;
		flow.got = pass->ahead - weir_stream_ahead(s);
	}
	weir_role_leave_stream(pass, args, flow);
}

/* --- position ----------------------------------------------------------- */

void weir_role_fseek_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	bool turned = s->flags & WEIR_STREAM_BACKUP;

	pass->filled =
		(uint64_t)((turned ? s->save_end : s->read_end) - s->buf_base);
	pass->offset = s->offset;
	weir_role_enter_stream(pass, args);
}

/*
 * libc reads the block of the new place, unless it is in the buffer already:
 * then neither the buffer changed nor where libc believes the kernel to be.
 */
static uint64_t filled_by_seek(const struct weir_pass *pass,
			       const struct weir_stream *s)
{
	uint64_t filled = (uint64_t)(s->read_end - s->buf_base);

	if (s->offset == pass->offset && filled == pass->filled &&
	    !pass->pending && s->read_ptr < s->read_end)
		return 0;
	return filled;
}

/* Whether libc did not know where the kernel was, having flushed first. */
static bool is_lost(const struct weir_pass *pass, const struct weir_stream *s)
{
	if (!pass->pending)
		return pass->offset < 0;
	return s->flags & WEIR_STREAM_APPENDS ||
	       (pass->offset < 0 && !pass->ahead);
}

/*
 * If the block ends before the new place, what was read of it is given up
 * and nothing shows that there was a read. How much follows from the file's
 * size.
 */
static uint64_t missed_by_seek(const struct weir_pass *pass,
			       const struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	uint64_t room = (uint64_t)(s->buf_end - s->buf_base);
	uint64_t block = (uint64_t)s->offset & ~(room - 1);
	uint64_t part = (uint64_t)s->offset - block;
	struct stat st;

	if (s->flags & WEIR_STREAM_NO_READS || s->read_end != s->buf_base ||
	    s->offset < 0 || !part || part > room || weir_confined)
		return 0;
	if (args->call == WEIR_CALL_FSEEK && args->flags == SEEK_CUR &&
	    is_lost(pass, s))
		return 0; /* it went from where it was, without reading */
	if (weir_sys2(SYS_fstat, s->fd, &st) || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size <= block ||
	    (uint64_t)st.st_size >= (uint64_t)s->offset)
		return 0;
	return (uint64_t)st.st_size - block;
}

void weir_role_fseek_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = { .asks = true };

	if (!pass->uses_position) {
		weir_observe_record(pass, args);
		return;
	}
	flow.sought = !args->failed;
	if (flow.sought && weir_stream_is_plain(args->stream)) {
		flow.filled = filled_by_seek(pass, args->stream);
		flow.missed = missed_by_seek(pass, args);
	}
	weir_role_settle(pass, args, flow);
}

void weir_role_ftell_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

/* An appending stream goes to the end of the file to know where it is. */
void weir_role_ftell_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = idle;

	flow.unsure =
		pass->uses_position &&
		(pass->entered & WEIR_OFD_UNKNOWN ||
		 (pass->pending && args->stream->flags & WEIR_STREAM_APPENDS));
	flow.reads = flow.unsure;
	weir_role_leave_stream(pass, args, flow);
}

void weir_role_stray_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

/* It may have gone anywhere before it wrote. */
void weir_role_stray_after(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_role_flow flow = {
		.puts = true, .unsure = true, .asks = true, .sought = true
	};

	weir_role_leave_stream(pass, args, flow);
}

/* --- what inline functions have put --------------------------------------- */

void weir_role_digest_pending(const struct weir_pass *pass,
			      const struct weir_stream *s, uint64_t entry)
{
	struct weir_digesting_call call = {
		.entry = entry,
		.entered = atomic_load(
			&weir_ofd_table[weir_fdmap_ofd(entry)].word),
		.pending = weir_stream_pending(s),
		.ahead = weir_stream_ahead(s),
		.handle = weir_fdmap_handle(entry),
		.fd = s->fd,
		.why = pass->why | (uint8_t)weir_fdmap_why(entry),
		.stream = (struct weir_stream *)(uintptr_t)s,
	};

	if (weir_digesting_wants(pass))
		weir_digest_stream(&call);
}

/* --- all streams ------------------------------------------------------- */

/* libc's list of open streams, and the lock that it takes to walk it. */
extern struct weir_stream *_IO_list_all;
extern void _IO_list_lock(void);
extern void _IO_list_unlock(void);

typedef void visit(const struct weir_pass *pass, const struct weir_stream *s,
		   uint64_t entry);

/* Visit those with a descriptor and a name; the thread must be BUSY. */
static void visit_streams(const struct weir_pass *pass, visit *do_visit)
{
	_IO_list_lock();
	for (const struct weir_stream *s = _IO_list_all; s; s = s->chain) {
		uint64_t entry;

		if (weir_stream_fd(s) < 0 || !weir_stream_is_plain(s))
			continue;
		entry = weir_fdmap_get(s->fd);
		if (!entry && weir_stream_pending(s))
			entry = weir_fdnames_find(pass->thread, s->fd);
		if (entry && !weir_fdmap_ofd(entry))
			entry = make_description(s->fd, entry);
		if (weir_fdmap_ofd(entry))
			do_visit(pass, s, entry);
	}
	_IO_list_unlock();
}

/* What inline functions have put since the last call belongs in the book. */
static void visit_before_flush(const struct weir_pass *pass,
			       const struct weir_stream *s, uint64_t entry)
{
	struct weir_stream_book *book =
		&weir_stream_books[weir_fdmap_ofd(entry)];
	uint64_t booked = atomic_load(&book->pending);
	uint64_t pending = weir_stream_pending(s);

	weir_role_digest_pending(pass, s, entry);
	weir_stream_meet_book(weir_fdmap_ofd(entry), s);
	if (atomic_load(&book->owner) == (uintptr_t)s && pending > booked)
		atomic_compare_exchange_strong(&book->pending, &booked,
					       pending);
}

void weir_role_fflush_before(struct weir_pass *pass, struct weir_args *args)
{
	if (args->stream) {
		weir_role_enter_stream(pass, args);
		return;
	}
	pass->handle = 0;
	if (may_edit(pass)) {
		pass->thread->state = WEIR_THREAD_BUSY;
		visit_streams(pass, visit_before_flush);
		weir_thread_done(pass->thread);
	}
	weir_observe_start(pass, args);
}

/* Streams that were read are where the program was, as far as they can. */
static void visit_after_close(const struct weir_pass *pass,
			      const struct weir_stream *s, uint64_t entry)
{
	weir_role_catch_up(pass, s, entry);
	atomic_fetch_or(&weir_ofd_table[weir_fdmap_ofd(entry)].word,
			WEIR_OFD_UNKNOWN);
}

void weir_role_fflush_after(struct weir_pass *pass, struct weir_args *args)
{
	if (args->stream) {
		weir_role_leave_stream(pass, args, idle);
		return;
	}
	if (may_edit(pass))
		visit_streams(pass, args->call == WEIR_CALL_FCLOSEALL
					    ? visit_after_close
					    : weir_role_catch_up);
	weir_observe_record(pass, args);
}

/* --- the end ------------------------------------------------------------ */

static void visit_at_end(const struct weir_pass *pass,
			 const struct weir_stream *s, uint64_t entry)
{
	uint32_t ofd = weir_fdmap_ofd(entry);
	uint64_t pending = weir_stream_pending(s);
	struct weir_pass flush =
		weir_record_child(pass, weir_fdmap_handle(entry));
	struct weir_args args = {
		.call = WEIR_CALL_STREAM_FLUSH,
		.size = pending,
		.ret = (int64_t)pending,
	};
	uint64_t word;

	weir_role_digest_pending(pass, s, entry);
	weir_role_catch_up(pass, s, entry);
	if (!pending)
		return;
	word = atomic_load(&weir_ofd_table[ofd].word);
	args.has_off = !(word & (WEIR_OFD_UNKNOWN | WEIR_OFD_INSIDES)) &&
		       !(s->flags & WEIR_STREAM_APPENDS);
	args.off = (int64_t)((word & WEIR_OFD_POSITION) - weir_stream_ahead(s));
	flush.why |= weir_fdmap_why(entry);
	flush.flags |= WEIR_EVENT_RETSIZE;
	weir_record_derive(&flush, &args);
}

void weir_role_end_streams(void)
{
	struct weir_pass pass;

	if (!weir_threadlife_begin((uintptr_t)__builtin_frame_address(0)) ||
	    !weir_observe_enter(&pass) || !may_edit(&pass))
		return;
	pass.thread->state = WEIR_THREAD_BUSY;
	pass.start = pass.end = weir_tick_now();
	pass.depth = weir_thread_depth(pass.thread) - 1;
	visit_streams(&pass, visit_at_end);
	weir_thread_done(pass.thread);
}
