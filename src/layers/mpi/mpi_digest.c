/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests what a rank writes by MPI-IO. */
#include "layers/mpi/mpi_digest.h"

#include "base/sys.h"
#include "capture/digests/digests.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_runs.h"
#include "layers/mpi/mpi_shape.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM	  (4 << 20)
#define MOST_ROOM (1 << 30)
#define AT_ONCE	  32 /* taking the lock for each would cost as much */

/* Beside what is known of every file. */
struct weir_mpi_digest {
	uint64_t key;
	bool is_followed; /* the view is */
	bool is_late;	  /* calls have returned before all was stored */
	long disp, etype;
	struct weir_mpi_runs view;
	char path[PATH_MAX];
};

static void *get_pages(size_t bytes)
{
	long at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return weir_sys_failed(at) ? NULL : (void *)at;
}

/* --- files -------------------------------------------------------------- */

/* Every file begins with a view of plain bytes. */
static void see_bytes(struct weir_mpi_digest *digest)
{
	weir_mpi_runs_free(&digest->view);
	digest->disp = 0;
	digest->etype = 1;
	digest->is_followed =
		weir_mpi_runs_make(weir_mpi_flavour.byte, &digest->view);
}

/*
 * Each rank looks at the file by itself: its key is the same in all, so that
 * their digests are added up. An empty file need not be doubted: nothing that
 * anybody wrote before can be in it.
 */
void weir_mpi_digest_open(struct weir_mpi_file *file, const char *name)
{
	struct weir_mpi_digest *digest;
	struct weir_digest_file there;

	if (!weir_digests_is_on() || weir_digests_is_covered() ||
	    !weir_layer_may_ask() || strlen(name) >= PATH_MAX ||
	    weir_digest_file_look(AT_FDCWD, name, &there))
		return;
	digest = get_pages(sizeof(*digest));
	if (!digest)
		return;
	memcpy(digest->path, name, strlen(name) + 1);
	digest->key = there.key;
	see_bytes(digest);
	weir_digests_know(file->handle, digest->key, false);
	if (!there.size)
		weir_digests_trust(file->handle, WEIR_DIGEST_EXISTED);
	file->digest = digest;
}

void weir_mpi_digest_close(struct weir_mpi_file *file)
{
	struct weir_mpi_digest *digest = file ? file->digest : NULL;

	if (!digest)
		return;
	weir_digests_tell(file->handle);
	file->digest = NULL;
	weir_mpi_runs_free(&digest->view);
	weir_sys2(SYS_munmap, digest, sizeof(*digest));
}

void weir_mpi_digest_view(const struct weir_mpi_args *args)
{
	struct weir_mpi_digest *digest = args->file ? args->file->digest : NULL;

	if (!digest)
		return;
	weir_mpi_runs_free(&digest->view);
	digest->disp = args->off;
	digest->is_followed =
		args->off >= 0 && args->rep && !strcmp(args->rep, "native") &&
		!weir_mpi_real.type_size(args->etype, &digest->etype) &&
		weir_mpi_runs_make(args->filetype, &digest->view);
}

/* --- before ------------------------------------------------------------- */

/* For a moment; the name may by now be that of another file. */
static int open_again(const void *of)
{
	const struct weir_mpi_digest *digest = of;
	int fd = (int)weir_sys4(SYS_openat, AT_FDCWD, digest->path,
				O_RDONLY | O_CLOEXEC, 0);
	struct weir_digest_file file;

	if (fd >= 0 &&
	    (weir_digest_file_look(fd, "", &file) || file.key != digest->key)) {
		weir_sys1(SYS_close, fd);
		return -1;
	}
	return fd;
}

/* What a call is about to overwrite. */
struct doomed {
	struct weir_digest_old old;
	struct weir_digests_range ranges[AT_ONCE];
	uint32_t count;
};

static void learn_old(struct doomed *doomed)
{
	weir_digest_old_learn(&doomed->old, doomed->ranges, doomed->count);
	doomed->count = 0;
}

static bool add_old(void *with, uint64_t place, uint64_t bytes)
{
	struct doomed *doomed = with;

	doomed->ranges[doomed->count++] =
		(struct weir_digests_range){ place, place + bytes };
	if (doomed->count == AT_ONCE)
		learn_old(doomed);
	return true;
}

static bool has_written(uint32_t handle, uint64_t from)
{
	uint64_t at, bytes;

	return weir_digests_find(handle, from, INT64_MAX - from, &at, &bytes);
}

static struct weir_mpi_stretch stretch_of(const struct weir_mpi_args *args,
					  uint64_t bytes)
{
	const struct weir_mpi_digest *digest = args->file->digest;

	return (struct weir_mpi_stretch){
		.disp = digest->disp,
		.at = (uint64_t)(args->off * digest->etype),
		.bytes = bytes,
	};
}

/*
 * Only what is part of a larger piece is read. What other ranks store for this
 * one, in a collective call, need not be in the file yet.
 */
static void mind_old(const struct weir_mpi_args *args)
{
	struct weir_mpi_digest *digest = args->file->digest;
	struct doomed doomed;
	long size = 0;

	if (!has_written(args->file->handle, 0) || args->count <= 0 ||
	    weir_digests_doubts(args->file->handle, WEIR_DIGEST_PIECES) ||
	    weir_mpi_real.type_size(args->type, &size))
		return;
	doomed.count = 0;
	weir_digest_old_begin_closed(&doomed.old, args->file->handle,
				     open_again, digest);
	weir_mpi_runs_walk(&digest->view,
			   stretch_of(args, (uint64_t)(size * args->count)),
			   add_old, &doomed);
	learn_old(&doomed);
	if (doomed.old.has_read && digest->is_late)
		weir_digests_doubt(args->file->handle, WEIR_DIGEST_OVERWRITTEN);
	weir_digest_old_end(&doomed.old);
}

static bool is_digested(const struct weir_mpi_args *args)
{
	return args->data && args->file && args->file->digest;
}

void weir_mpi_digest_before(const struct weir_mpi_args *args)
{
	if (!is_digested(args))
		return;
	weir_digests_let_through(args->shared);
	if (!args->shared && args->file->digest->is_followed && args->off >= 0)
		mind_old(args);
}

/* --- after -------------------------------------------------------------- */

/* What a call writes, piece by piece; the last may become longer. */
struct feed {
	const struct weir_mpi_args *args;
	struct weir_digests_piece pieces[AT_ONCE];
	uint32_t count; /* that are whole */
	const uint8_t *bytes;
	uint64_t done;
	bool is_over; /* there were too many */
};

static void put_pieces(struct feed *feed)
{
	if (feed->count)
		feed->is_over |= !weir_digests_put(feed->args->file->handle,
						   feed->pieces, feed->count);
	feed->count = 0;
}

static void start_piece(struct feed *feed, int how)
{
	feed->pieces[feed->count] = (struct weir_digests_piece){ .how = how };
}

static void end_piece(struct feed *feed)
{
	if (feed->pieces[feed->count].bytes)
		feed->count++;
	if (feed->count == AT_ONCE)
		put_pieces(feed);
	start_piece(feed, WEIR_DIGESTS_FURTHER);
}

static bool feed(void *with, uint64_t place, uint64_t bytes)
{
	struct feed *from = with;
	struct weir_digests_piece *piece = &from->pieces[from->count];

	if (piece->bytes && piece->position + piece->bytes != place) {
		end_piece(from);
		piece = &from->pieces[from->count];
	}
	if (!piece->bytes)
		piece->position = place;
	weir_digests_extend(piece, from->bytes, bytes);
	from->bytes += bytes;
	return !from->is_over;
}

/* The next bytes of the call. */
static void add_bytes(struct feed *to, const void *row, uint64_t bytes)
{
	struct weir_mpi_stretch stretch = stretch_of(to->args, bytes);

	stretch.at += to->done;
	to->bytes = row;
	weir_mpi_runs_walk(&to->args->file->digest->view, stretch, feed, to);
	to->done += bytes;
}

/* So many elements at a time as there is room for. */
static bool pack_and_add(struct feed *to, const struct weir_mpi_shape *shape,
			 uint8_t *room, uint64_t room_bytes, uint64_t bytes)
{
	const struct weir_mpi_args *args = to->args;
	long each = (long)(room_bytes / (uint64_t)shape->size);
	const uint8_t *from = args->data;

	for (long left = args->count;
	     left > 0 && to->done < bytes && !to->is_over; left -= each) {
		int count = (int)(left < each ? left : each), used = 0;
		uint64_t part = (uint64_t)(count * shape->size);

		if (weir_mpi_real.pack(from, count, args->type, room,
				       (int)room_bytes, &used,
				       weir_mpi_flavour.world) ||
		    (uint64_t)used != part)
			return false;
		if (part > bytes - to->done)
			part = bytes - to->done;
		add_bytes(to, room, part);
		from += each * shape->extent;
	}
	return true;
}

static bool add_packed(struct feed *to, const struct weir_mpi_shape *shape,
		       uint64_t bytes)
{
	uint64_t room_bytes = shape->size > ROOM ? (uint64_t)shape->size : ROOM;
	uint8_t *room;
	bool done;

	if (room_bytes > MOST_ROOM)
		return false;
	room = get_pages(room_bytes);
	if (!room)
		return false;
	done = pack_and_add(to, shape, room, room_bytes, bytes);
	weir_sys2(SYS_munmap, room, room_bytes);
	return done;
}

static void add_call(const struct weir_mpi_args *args, uint64_t bytes)
{
	struct weir_mpi_shape shape = weir_mpi_shape_measure(args->type);
	struct feed to;

	to.args = args;
	to.count = 0;
	to.done = 0;
	to.is_over = false;
	start_piece(&to, 0);
	if (weir_mpi_shape_is_plain(&shape))
		add_bytes(&to, args->data, bytes);
	else if (!add_packed(&to, &shape, bytes))
		weir_digests_doubt(args->file->handle, WEIR_DIGEST_TYPE);
	end_piece(&to);
	put_pieces(&to);
}

/* Of an operation that is only begun, all counts. */
static uint64_t bytes_moved(const struct weir_layer *on,
			    const struct weir_mpi_args *args)
{
	bool is_whole = args->request || args->split || on->args.ret < 0;

	if (is_whole || (uint64_t)on->args.ret >= on->args.size)
		return on->args.size;
	weir_digests_doubt(args->file->handle, WEIR_DIGEST_SHORT);
	return (uint64_t)on->args.ret;
}

/*
 * Collective and non-blocking writes may reach the file after the call: what is
 * read of it from now on may be older than what was written.
 */
void weir_mpi_digest_after(const struct weir_layer *on,
			   const struct weir_mpi_args *args)
{
	uint32_t handle;

	if (!is_digested(args))
		return;
	weir_digests_let_through(false);
	handle = args->file->handle;
	if (args->shared || !on->args.size)
		return;
	if (on->args.failed) {
		weir_digests_doubt(handle, WEIR_DIGEST_SHORT);
		return;
	}
	if (!args->file->digest->is_followed || args->off < 0) {
		weir_digests_doubt(handle, WEIR_DIGEST_VIEW);
		return;
	}
	if (!args->placed && !args->turn)
		weir_digests_doubt(handle, WEIR_DIGEST_SHARED);
	args->file->digest->is_late |= args->collective || args->request;
	add_call(args, bytes_moved(on, args));
}

/* --- length ------------------------------------------------------------- */

/* One rank may cut the file before the others have come. */
void weir_mpi_digest_resize(const struct weir_mpi_args *args)
{
	struct weir_mpi_digest *digest = args->file ? args->file->digest : NULL;
	struct weir_digests_range rest = { 0, INT64_MAX };
	struct weir_digest_old old;
	uint32_t handle;

	if (!digest || args->off < 0)
		return;
	handle = args->file->handle;
	if (has_written(handle, (uint64_t)args->off))
		weir_digests_doubt(handle, WEIR_DIGEST_TRUNCATED);
	weir_digest_old_begin_closed(&old, handle, open_again, digest);
	rest.from = (uint64_t)args->off;
	weir_digest_old_learn(&old, &rest, 1);
	weir_digest_old_end(&old);
	weir_digests_cut(handle, (uint64_t)args->off);
}
