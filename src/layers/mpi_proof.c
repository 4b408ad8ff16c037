/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank writes by MPI-IO, for proof. */
#include "layers/mpi_proof.h"

#include "base/sys.h"
#include "capture/proof.h"
#include "layers/mpi_real.h"
#include "layers/mpi_runs.h"
#include "layers/mpi_shape.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM	  (4 << 20)
#define MOST_ROOM (1 << 30)

/* Beside what is known of every file. */
struct weir_mpi_proof {
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
static void see_bytes(struct weir_mpi_proof *proof)
{
	weir_mpi_runs_free(&proof->view);
	proof->disp = 0;
	proof->etype = 1;
	proof->is_followed = weir_mpi_runs_make(weir_mpi_flavour.byte,
						&proof->view);
}

void weir_mpi_proof_open(struct weir_mpi_file *file, const char *name)
{
	struct weir_mpi_proof *proof;
	struct weir_proof_file there;

	if (!weir_proof_is_on() || weir_proof_is_covered() ||
	    !weir_layer_may_ask() || strlen(name) >= PATH_MAX ||
	    weir_proof_file_look(AT_FDCWD, name, &there))
		return;
	proof = get_pages(sizeof(*proof));
	if (!proof)
		return;
	memcpy(proof->path, name, strlen(name) + 1);
	proof->key = there.key;
	see_bytes(proof);
	weir_proof_know(file->handle, proof->key, false);
	if (!there.size)
		weir_proof_trust(file->handle, WEIR_PROOF_EXISTED);
	file->proof = proof;
}

void weir_mpi_proof_close(struct weir_mpi_file *file)
{
	struct weir_mpi_proof *proof = file ? file->proof : NULL;

	if (!proof)
		return;
	weir_proof_tell(file->handle);
	file->proof = NULL;
	weir_mpi_runs_free(&proof->view);
	weir_sys2(SYS_munmap, proof, sizeof(*proof));
}

void weir_mpi_proof_view(const struct weir_mpi_args *args)
{
	struct weir_mpi_proof *proof = args->file ? args->file->proof : NULL;

	if (!proof)
		return;
	weir_mpi_runs_free(&proof->view);
	proof->disp = args->off;
	proof->is_followed =
		args->off >= 0 && args->rep && !strcmp(args->rep, "native") &&
		!weir_mpi_real.type_size(args->etype, &proof->etype) &&
		weir_mpi_runs_make(args->filetype, &proof->view);
}

/* --- before ------------------------------------------------------------- */

/* For a moment; the name may by now be that of another file. */
static int open_again(const void *of)
{
	const struct weir_mpi_proof *proof = of;
	int fd = (int)weir_sys4(SYS_openat, AT_FDCWD, proof->path,
				O_RDONLY | O_CLOEXEC, 0);
	struct weir_proof_file file;

	if (fd >= 0 && (weir_proof_file_look(fd, "", &file) ||
			file.key != proof->key)) {
		weir_sys1(SYS_close, fd);
		return -1;
	}
	return fd;
}

static bool learn_old(void *with, uint64_t place, uint64_t bytes)
{
	weir_proof_old_learn(with, place, place + bytes);
	return true;
}

static bool has_written(uint32_t handle, uint64_t from)
{
	uint64_t at, bytes;

	return weir_proof_find(handle, from, INT64_MAX - from, &at, &bytes);
}

static struct weir_mpi_stretch stretch_of(const struct weir_mpi_args *args,
					  uint64_t bytes)
{
	const struct weir_mpi_proof *proof = args->file->proof;

	return (struct weir_mpi_stretch){
		.disp = proof->disp,
		.at = (uint64_t)(args->off * proof->etype),
		.bytes = bytes,
	};
}

/*
 * Only what is part of a larger piece is read. What other ranks store for this
 * one, in a collective call, need not be in the file yet.
 */
static void mind_old(const struct weir_mpi_args *args)
{
	struct weir_mpi_proof *proof = args->file->proof;
	struct weir_proof_old old;
	long size = 0;

	if (!has_written(args->file->handle, 0) || args->count <= 0 ||
	    weir_proof_doubts(args->file->handle, WEIR_PROOF_PIECES) ||
	    weir_mpi_real.type_size(args->type, &size))
		return;
	weir_proof_old_begin_closed(&old, args->file->handle, open_again,
				    proof);
	weir_mpi_runs_walk(&proof->view,
			   stretch_of(args, (uint64_t)(size * args->count)),
			   learn_old, &old);
	if (old.has_read && proof->is_late)
		weir_proof_doubt(old.handle, WEIR_PROOF_OVERWRITTEN);
	weir_proof_old_end(&old);
}

static bool is_proven(const struct weir_mpi_args *args)
{
	return args->data && args->file && args->file->proof;
}

void weir_mpi_proof_before(const struct weir_mpi_args *args)
{
	if (!is_proven(args))
		return;
	weir_proof_let_through(args->shared);
	if (!args->shared && args->file->proof->is_followed && args->off >= 0)
		mind_old(args);
}

/* --- after -------------------------------------------------------------- */

/* What a call writes, piece by piece; the last may become longer. */
struct feed {
	const struct weir_mpi_args *args;
	struct weir_proof_piece piece;
	const uint8_t *bytes;
	uint64_t done;
	bool is_over; /* there were too many */
};

static void put(struct feed *feed)
{
	feed->is_over = !weir_proof_put(feed->args->file->handle, &feed->piece);
}

static bool feed(void *with, uint64_t place, uint64_t bytes)
{
	struct feed *from = with;
	struct weir_proof_piece *piece = &from->piece;

	if (piece->bytes && piece->position + piece->bytes != place) {
		put(from);
		*piece = (struct weir_proof_piece){ .how = WEIR_PROOF_FURTHER };
	}
	if (!piece->bytes)
		piece->position = place;
	weir_proof_extend(piece, from->bytes, bytes);
	from->bytes += bytes;
	return !from->is_over;
}

/* The next bytes of the call. */
static void add_row(struct feed *to, const void *row, uint64_t bytes)
{
	struct weir_mpi_stretch stretch = stretch_of(to->args, bytes);

	stretch.at += to->done;
	to->bytes = row;
	weir_mpi_runs_walk(&to->args->file->proof->view, stretch, feed, to);
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
		add_row(to, room, part);
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

static void add(const struct weir_mpi_args *args, uint64_t bytes)
{
	struct weir_mpi_shape shape = weir_mpi_shape_measure(args->type);
	struct feed to = { .args = args };

	if (weir_mpi_shape_is_plain(&shape))
		add_row(&to, args->data, bytes);
	else if (!add_packed(&to, &shape, bytes))
		weir_proof_doubt(args->file->handle, WEIR_PROOF_TYPE);
	put(&to);
}

/* Of an operation that is only begun, all counts. */
static uint64_t bytes_moved(const struct weir_layer *on,
			    const struct weir_mpi_args *args)
{
	bool is_whole = args->request || args->split || on->args.ret < 0;

	if (is_whole || (uint64_t)on->args.ret >= on->args.size)
		return on->args.size;
	weir_proof_doubt(args->file->handle, WEIR_PROOF_SHORT);
	return (uint64_t)on->args.ret;
}

void weir_mpi_proof_after(const struct weir_layer *on,
			  const struct weir_mpi_args *args)
{
	uint32_t handle;

	if (!is_proven(args))
		return;
	weir_proof_let_through(false);
	handle = args->file->handle;
	if (args->shared || !on->args.size)
		return;
	if (on->args.failed) {
		weir_proof_doubt(handle, WEIR_PROOF_SHORT);
		return;
	}
	if (!args->file->proof->is_followed || args->off < 0) {
		weir_proof_doubt(handle, WEIR_PROOF_VIEW);
		return;
	}
	if (!args->placed && !args->turn)
		weir_proof_doubt(handle, WEIR_PROOF_SHARED);
	args->file->proof->is_late |= args->collective || args->request;
	add(args, bytes_moved(on, args));
}

/* --- length ------------------------------------------------------------- */

/* One rank may cut the file before the others have come. */
void weir_mpi_proof_resize(const struct weir_mpi_args *args)
{
	struct weir_mpi_proof *proof = args->file ? args->file->proof : NULL;
	struct weir_proof_old old;
	uint32_t handle;

	if (!proof || args->off < 0)
		return;
	handle = args->file->handle;
	if (has_written(handle, (uint64_t)args->off))
		weir_proof_doubt(handle, WEIR_PROOF_TRUNCATED);
	weir_proof_old_begin_closed(&old, handle, open_again, proof);
	weir_proof_old_learn(&old, (uint64_t)args->off, INT64_MAX);
	weir_proof_old_end(&old);
	weir_proof_cut(handle, (uint64_t)args->off);
}
