/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests what is written to datasets and attributes. */
#include "layers/hdf5/hdf5_digest.h"

#include "base/sys.h"
#include "capture/digests/digests.h"
#include "layers/hdf5/hdf5_kind.h"
#include "layers/hdf5/hdf5_runs.h"
#include "spec/calls.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define SPECIAL 2 /* ids that mean a selection: H5S_ALL, H5S_BLOCK, … */
#define SCRATCH (UINT64_C(1) << 20)
#define PIECES	512
#define OLD	(UINT64_C(64) << 20) /* the most that is read back */

/* Elements on their way into the file's type; one write at a time. */
static struct {
	atomic_flag is_used;
	uint8_t bytes[SCRATCH], behind[SCRATCH];
	uint8_t filler[1 << 16];
	struct weir_hdf5_run pieces[PIECES];
} scratch;

struct work {
	const struct weir_hdf5_digest *digest;
	uint32_t handle;
	struct weir_hdf5_kind kind;
	struct weir_hdf5_runs file, memory;
	uint64_t fillers;		 /* elements in scratch.filler */
	uint64_t piece_count, held;	 /* elements in scratch.bytes */
	struct weir_digests_piece piece; /* the last, which may become longer */
	bool is_over;			 /* there were too many */
};

static void doubt(const struct weir_hdf5_object *object, uint32_t doubts)
{
	weir_digests_doubt(object->handle, doubts);
}

/* --- objects ---------------------------------------------------------- */

static bool is_making(uint16_t call)
{
	static const uint16_t calls[] = {
		WEIR_CALL_H5DCREATE1,
		WEIR_CALL_H5DCREATE2,
		WEIR_CALL_H5DCREATE_ANON,
		WEIR_CALL_H5DCREATE_ASYNC,
		WEIR_CALL_H5ACREATE1,
		WEIR_CALL_H5ACREATE2,
		WEIR_CALL_H5ACREATE_BY_NAME,
		WEIR_CALL_H5ACREATE_ASYNC,
		WEIR_CALL_H5ACREATE_BY_NAME_ASYNC,
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (call == calls[i])
			return true;
	return false;
}

static bool has_bytes(const struct weir_hdf5_object *object)
{
	return object->type == WEIR_HDF5_DATASET ||
	       object->type == object->library->attribute_type;
}

/* Those without a name are told apart by their ids. */
static uint64_t object_key(const struct weir_hdf5_object *object)
{
	uint64_t id = object->anonymous ? (uint64_t)object->id : 0;

	return (object->name ^ id << 1) | 1;
}

void weir_hdf5_digest_open(struct weir_hdf5_object *object, uint16_t call)
{
	if (!weir_digests_is_on() || !has_bytes(object) || object->is_summed)
		return;
	object->is_summed = true;
	weir_digests_know(object->handle, object_key(object), is_making(call));
}

void weir_hdf5_digest_rename(const struct weir_hdf5_object *object,
			     uint32_t old)
{
	if (weir_digests_is_on() && object->is_summed)
		weir_digests_rename(old, object->handle, object_key(object));
}

void weir_hdf5_digest_give_up(struct weir_hdf5_object *object)
{
	if (weir_digests_is_on() && object)
		doubt(object, WEIR_DIGEST_TYPE);
}

void weir_hdf5_digest_close(struct weir_hdf5_object *object)
{
	if (weir_digests_is_on() && object && object->is_summed)
		weir_digests_tell(object->handle);
}

/* Numbers of elements stay as long as only the first dimension grows. */
void weir_hdf5_digest_extend(struct weir_hdf5_object *object)
{
	uint64_t first;

	if (!weir_digests_is_on() || !object || !object->is_shaped)
		return;
	first = object->summed[0];
	if (!weir_hdf5_object_learn(object) || object->rank < 1 ||
	    object->rank > WEIR_HDF5_RANK || object->dims[0] < first ||
	    memcmp(object->dims + 1, object->summed + 1,
		   sizeof(*object->dims) * (size_t)(object->rank - 1)))
		doubt(object, WEIR_DIGEST_TRUNCATED);
}

static void note_shape(struct weir_hdf5_object *object)
{
	if (object->type != WEIR_HDF5_DATASET || object->rank < 1 ||
	    object->rank > WEIR_HDF5_RANK)
		return;
	if (object->is_shaped)
		weir_hdf5_digest_extend(object);
	object->is_shaped = true;
	memcpy(object->summed, object->dims, sizeof(object->summed));
}

/* --- one write -------------------------------------------------------- */

static uint64_t elements_of(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	long space = lib->attribute_space(object->id);
	long points = space < 0 ? 0 : lib->select_points(space);

	if (space >= 0)
		lib->space_close(space);
	return points > 0 ? (uint64_t)points : 0;
}

static bool start_file(struct work *w)
{
	const struct weir_hdf5_digest *p = w->digest;
	struct weir_hdf5_object *object = p->object;
	uint64_t all;

	if (object->type == WEIR_HDF5_DATASET) {
		if (!weir_hdf5_object_learn(object))
			return false;
		return (!p->select || p->select > SPECIAL) &&
		       weir_hdf5_runs_start(&w->file, object->library,
					    p->select, object->dims,
					    object->rank);
	}
	all = elements_of(object);
	return weir_hdf5_runs_start(&w->file, object->library, 0, &all, 1);
}

/* Without a selection of its own, memory is like the file. */
static bool start_memory(struct work *w)
{
	const struct weir_hdf5_digest *p = w->digest;

	if (p->memory <= 0 || p->object->type != WEIR_HDF5_DATASET) {
		w->memory = w->file;
		return true;
	}
	return p->memory > SPECIAL &&
	       weir_hdf5_runs_start(&w->memory, p->object->library, p->memory,
				    NULL, -1);
}

static bool is_transformed(const struct work *w)
{
	char some[2];

	return w->digest->list > 0 &&
	       w->kind.tools->list_transform(w->digest->list, some,
					     sizeof(some)) > 0;
}

static void prepare_filler(struct work *w)
{
	if (!w->kind.has_fill)
		return;
	w->fillers = sizeof(scratch.filler) / w->kind.element;
	for (uint64_t i = 0; i < w->fillers; i++)
		memcpy(scratch.filler + i * w->kind.element, w->kind.fill,
		       w->kind.element);
}

/* What the filler would have been there does not count, by its bytes. */
static void take_filler(const struct work *w, struct weir_digests_piece *piece)
{
	uint64_t whole = w->fillers * w->kind.element;
	uint64_t from = piece->position, bytes = piece->bytes;

	while (w->kind.has_fill && bytes) {
		uint64_t at = from % w->kind.element;
		uint64_t part = bytes < whole - at ? bytes : whole - at;

		weir_digest_take(&piece->sum, from, scratch.filler + at, part);
		from += part;
		bytes -= part;
	}
}

static void put_piece(struct work *w)
{
	take_filler(w, &w->piece);
	w->is_over = !weir_digests_put(w->handle, &w->piece, 1);
	w->piece = (struct weir_digests_piece){ .how = WEIR_DIGESTS_FURTHER };
}

/* Elements that follow the last make its piece longer. */
static void add_elements(struct work *w, struct weir_hdf5_run run,
			 const uint8_t *bytes)
{
	uint64_t position = run.first * w->kind.element;

	if (w->piece.bytes && w->piece.position + w->piece.bytes != position)
		put_piece(w);
	if (!w->piece.bytes)
		w->piece.position = position;
	weir_digests_extend(&w->piece, bytes, run.count * w->kind.element);
}

/* What was gathered becomes elements as the file has them. */
static bool convert(struct work *w)
{
	uint64_t at = 0;

	if (!w->held)
		return true;
	memset(scratch.behind, 0, w->held * w->kind.element);
	if (w->kind.tools->convert(w->digest->type, w->kind.packed, w->held,
				   scratch.bytes, scratch.behind, 0) < 0)
		return false;
	for (uint64_t i = 0; i < w->piece_count && !w->is_over; i++) {
		add_elements(w, scratch.pieces[i],
			     scratch.bytes + at * w->kind.element);
		at += scratch.pieces[i].count;
	}
	w->held = w->piece_count = 0;
	return true;
}

/*
 * HDF5 converts in place, and elements may become larger by that: as many are
 * gathered as the scratch memory holds of the larger of both forms.
 */
static bool gather_elements(struct work *w, struct weir_hdf5_run run,
			    const uint8_t *bytes)
{
	uint64_t size = w->kind.in_memory;
	uint64_t larger = size > w->kind.element ? size : w->kind.element;
	uint64_t room = SCRATCH / larger;

	if (!room)
		return false;
	while (run.count) {
		uint64_t part = run.count;

		if ((w->held == room || w->piece_count == PIECES) &&
		    !convert(w))
			return false;
		part = part < room - w->held ? part : room - w->held;
		memcpy(scratch.bytes + w->held * size, bytes, part * size);
		scratch.pieces[w->piece_count++] =
			(struct weir_hdf5_run){ run.first, part };
		w->held += part;
		run.first += part;
		run.count -= part;
		bytes += part * size;
	}
	return true;
}

/*
 * Selections in file and memory have the same number of elements, but are cut
 * into runs differently: each step takes what both runs have left.
 */
static bool add_all(struct work *w)
{
	struct weir_hdf5_run file = { 0, 0 }, memory = { 0, 0 };
	bool fine = true;

	while (fine && !w->is_over &&
	       (file.count || weir_hdf5_runs_next(&w->file, &file))) {
		struct weir_hdf5_run run = file;
		const uint8_t *bytes = w->digest->data;

		if (!memory.count && !weir_hdf5_runs_next(&w->memory, &memory))
			return false;
		if (memory.count < run.count)
			run.count = memory.count;
		bytes += memory.first * w->kind.in_memory;
		if (w->kind.is_same)
			add_elements(w, run, bytes);
		else
			fine = gather_elements(w, run, bytes);
		file.first += run.count;
		file.count -= run.count;
		memory.first += run.count;
		memory.count -= run.count;
	}
	if (!fine || !convert(w))
		return false;
	put_piece(w);
	return true;
}

static bool start_work(struct work *w, const struct weir_hdf5_digest *digest)
{
	w->digest = digest;
	w->handle = digest->object->handle;
	w->fillers = w->piece_count = w->held = 0;
	w->piece = (struct weir_digests_piece){ .bytes = 0 };
	w->is_over = false;
	if (!weir_hdf5_kind_meet(&w->kind, digest->object, digest->type) ||
	    is_transformed(w) || !start_file(w))
		return false;
	prepare_filler(w);
	return true;
}

/* --- what is overwritten --------------------------------------------- */

/* Elements of the selection, if some have to be read; else 0. */
static uint64_t count_old(struct work *w)
{
	struct weir_hdf5_run run;
	uint64_t element = w->kind.element, all = 0, from, bytes;
	bool any = false;

	while (weir_hdf5_runs_next(&w->file, &run)) {
		all += run.count;
		any = any ||
		      weir_digests_blind(w->handle, run.first * element,
					 run.count * element, &from, &bytes);
	}
	return any ? all : 0;
}

static bool read_old(const struct work *w, uint64_t count, void *old)
{
	const struct weir_hdf5_digest *p = w->digest;
	const struct weir_hdf5_tools *tools = w->kind.tools;
	long space;
	int status;

	if (p->object->type != WEIR_HDF5_DATASET)
		return tools->attribute_read(p->object->id, w->kind.packed,
					     old) >= 0;
	space = tools->space_simple(1, &count, NULL);
	if (space < 0)
		return false;
	status = tools->dataset_read(p->object->id, w->kind.packed, space,
				     p->select, 0, old);
	p->object->library->space_close(space);
	return status >= 0;
}

/* HDF5 has read the elements one behind the other, in the selection's order. */
static void learn_old(struct work *w, const uint8_t *old)
{
	uint64_t element = w->kind.element, from, bytes;
	struct weir_hdf5_run run;

	while (weir_hdf5_runs_next(&w->file, &run)) {
		uint64_t begin = run.first * element, at = begin;
		uint64_t end = begin + run.count * element;

		for (; at < end && weir_digests_blind(w->handle, at, end - at,
						      &from, &bytes);
		     at = from + bytes) {
			struct weir_digests_piece part = { .position = from };

			weir_digests_extend(&part, old + (from - begin), bytes);
			take_filler(w, &part);
			weir_digests_learn(w->handle, &part);
		}
		old += end - begin;
	}
}

/* Where others write too, to read might be to wait for them. */
static void mind_old(struct work *w)
{
	const struct weir_hdf5_digest *p = w->digest;
	uint64_t count, bytes;
	void *old;

	if (weir_digests_doubts(w->handle, WEIR_DIGEST_PIECES))
		return;
	count = count_old(w);
	bytes = count * w->kind.element;
	if (!count || p->is_later || bytes > OLD ||
	    (p->object->crowd && p->object->type == WEIR_HDF5_DATASET) ||
	    !start_file(w))
		return;
	old = (void *)weir_sys6(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((uintptr_t)old > -(uintptr_t)4096)
		return;
	if (read_old(w, count, old))
		learn_old(w, old);
	weir_sys2(SYS_munmap, old, bytes);
}

/* --- the doors -------------------------------------------------------- */

static bool is_digested(const struct weir_hdf5_digest *digest)
{
	return weir_digests_is_on() && digest->object &&
	       digest->object->handle && has_bytes(digest->object) &&
	       digest->data;
}

/*
 * The scratch memory is one for all threads: a program that writes by two at
 * once gets a doubt, and no thread ever waits for another.
 */
void weir_hdf5_digest_before(const struct weir_hdf5_digest *digest)
{
	struct weir_hdf5_object *object = digest->object;
	struct weir_hdf5_hush hush;
	struct work w;

	if (!is_digested(digest))
		return;
	weir_hdf5_digest_open(object, 0);
	if (atomic_flag_test_and_set(&scratch.is_used)) {
		doubt(object, WEIR_DIGEST_CROWDED);
		return;
	}
	weir_hdf5_hush(object->library, &hush);
	if (start_work(&w, digest))
		mind_old(&w);
	weir_hdf5_kind_leave(&w.kind);
	weir_hdf5_unhush(object->library, &hush);
	atomic_flag_clear(&scratch.is_used);
}

void weir_hdf5_digest_after(const struct weir_hdf5_digest *digest, bool failed)
{
	struct weir_hdf5_object *object = digest->object;
	struct weir_hdf5_hush hush;
	struct work w;

	if (!is_digested(digest))
		return;
	weir_hdf5_digest_open(object, 0);
	if (failed || atomic_flag_test_and_set(&scratch.is_used)) {
		doubt(object, WEIR_DIGEST_CROWDED);
		return;
	}
	weir_hdf5_hush(object->library, &hush);
	if (!start_work(&w, digest) || !start_memory(&w) || !add_all(&w))
		doubt(object, WEIR_DIGEST_TYPE);
	else
		note_shape(object);
	weir_hdf5_kind_leave(&w.kind);
	weir_hdf5_unhush(object->library, &hush);
	atomic_flag_clear(&scratch.is_used);
}
