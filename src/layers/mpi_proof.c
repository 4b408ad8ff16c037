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
#include <sys/stat.h>

#define ROOM	  (4 << 20)
#define MOST_ROOM (1 << 30)

/* Beside what is known of every file. */
struct weir_mpi_proof {
	uint64_t key;
	bool is_followed; /* the view is */
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

static uint64_t key_of(const struct stat *st)
{
	return weir_proof_key(st->st_dev, st->st_ino);
}

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
	struct stat st;

	if (!weir_proof_is_on() || weir_proof_is_covered() ||
	    !weir_layer_may_ask() || strlen(name) >= PATH_MAX ||
	    weir_sys4(SYS_newfstatat, AT_FDCWD, name, &st, 0))
		return;
	proof = get_pages(sizeof(*proof));
	if (!proof)
		return;
	memcpy(proof->path, name, strlen(name) + 1);
	proof->key = key_of(&st);
	see_bytes(proof);
	weir_proof_know(file->handle, proof->key, false);
	if (!st.st_size)
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
static int open_again(const struct weir_mpi_proof *proof)
{
	int fd = (int)weir_sys4(SYS_openat, AT_FDCWD, proof->path,
				O_RDONLY | O_CLOEXEC, 0);
	struct stat st;

	if (fd >= 0 && (weir_sys2(SYS_fstat, fd, &st) ||
			key_of(&st) != proof->key)) {
		weir_sys1(SYS_close, fd);
		return -1;
	}
	return fd;
}

struct old {
	uint32_t handle;
	int fd;
};

static bool take_old(void *with, uint64_t place, uint64_t bytes)
{
	const struct old *old = with;

	weir_proof_old_take(old->handle, old->fd, place, place + bytes, false);
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

/* What other ranks wrote for this one need not be in the file yet. */
static void mind_old(const struct weir_mpi_args *args)
{
	struct weir_mpi_proof *proof = args->file->proof;
	struct old old = { args->file->handle, -1 };
	long size = 0;

	if (!has_written(old.handle, 0) || args->count <= 0 ||
	    weir_mpi_real.type_size(args->type, &size))
		return;
	old.fd = open_again(proof);
	weir_mpi_runs_walk(&proof->view,
			   stretch_of(args, (uint64_t)(size * args->count)),
			   take_old, &old);
	if (old.fd >= 0)
		weir_sys1(SYS_close, old.fd);
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

struct feed {
	uint32_t handle;
	const uint8_t *bytes;
};

static bool feed(void *with, uint64_t place, uint64_t bytes)
{
	struct feed *from = with;

	weir_proof_add(from->handle, place, from->bytes, bytes);
	from->bytes += bytes;
	return true;
}

static void add_row(const struct weir_mpi_args *args, const void *row,
		    uint64_t before, uint64_t bytes)
{
	struct feed from = { args->file->handle, row };
	struct weir_mpi_stretch stretch = stretch_of(args, bytes);

	stretch.at += before;
	weir_mpi_runs_walk(&args->file->proof->view, stretch, feed, &from);
}

/* So many elements at a time as there is room for. */
static bool pack_and_add(const struct weir_mpi_args *args,
			 const struct weir_mpi_shape *shape, uint8_t *room,
			 uint64_t room_bytes, uint64_t bytes)
{
	long each = (long)(room_bytes / (uint64_t)shape->size);
	const uint8_t *from = args->data;
	uint64_t done = 0;

	for (long left = args->count; left > 0 && done < bytes; left -= each) {
		int count = (int)(left < each ? left : each), used = 0;
		uint64_t part = (uint64_t)(count * shape->size);

		if (weir_mpi_real.pack(from, count, args->type, room,
				       (int)room_bytes, &used,
				       weir_mpi_flavour.world) ||
		    (uint64_t)used != part)
			return false;
		if (part > bytes - done)
			part = bytes - done;
		add_row(args, room, done, part);
		done += part;
		from += each * shape->extent;
	}
	return true;
}

static bool add_packed(const struct weir_mpi_args *args,
		       const struct weir_mpi_shape *shape, uint64_t bytes)
{
	uint64_t room_bytes = shape->size > ROOM ? (uint64_t)shape->size : ROOM;
	uint8_t *room;
	bool done;

	if (room_bytes > MOST_ROOM)
		return false;
	room = get_pages(room_bytes);
	if (!room)
		return false;
	done = pack_and_add(args, shape, room, room_bytes, bytes);
	weir_sys2(SYS_munmap, room, room_bytes);
	return done;
}

static void add(const struct weir_mpi_args *args, uint64_t bytes)
{
	struct weir_mpi_shape shape = weir_mpi_shape_measure(args->type);

	if (weir_mpi_shape_is_plain(&shape))
		add_row(args, args->data, 0, bytes);
	else if (!add_packed(args, &shape, bytes))
		weir_proof_doubt(args->file->handle, WEIR_PROOF_TYPE);
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
	add(args, bytes_moved(on, args));
}

/* --- length ------------------------------------------------------------- */

/* One rank may cut the file before the others have come. */
void weir_mpi_proof_resize(const struct weir_mpi_args *args)
{
	struct weir_mpi_proof *proof = args->file ? args->file->proof : NULL;
	uint32_t handle;
	int fd;

	if (!proof || args->off < 0)
		return;
	handle = args->file->handle;
	if (has_written(handle, (uint64_t)args->off)) {
		fd = open_again(proof);
		weir_proof_old_take(handle, fd, (uint64_t)args->off, INT64_MAX,
				    false);
		if (fd >= 0)
			weir_sys1(SYS_close, fd);
		weir_proof_doubt(handle, WEIR_PROOF_TRUNCATED);
	}
	weir_proof_cut(handle, (uint64_t)args->off);
}
