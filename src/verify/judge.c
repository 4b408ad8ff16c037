/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what was told to be written with what is there. */
#include "verify/judge.h"

#include "base/filesystem.h"
#include "trace/layout/digest_layout.h"
#include "verify/reread.h"
#include "verify/told.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct bench {
	struct weir_output *written;
	struct weir_reader *reader;
	struct weir_reread reread;
	char host[256];
};

/* Bits of `whys` and of `doubts`, the gravest first. */
struct reason {
	uint32_t bit;
	const char *text;
};

static const struct reason why_texts[] = {
	{ WEIR_WHY_LOST, "events of a process that wrote it were lost "
			 "(try a larger --buffer)" },
	{ WEIR_WHY_KILLED, "a process that wrote it was killed before it "
			   "could tell" },
	{ WEIR_WHY_CUT, "it was truncated while others wrote" },
	{ WEIR_WHY_ALSO, "HDF5 and other calls wrote to it" },
};

static const struct reason doubt_texts[] = {
	{WEIR_DIGEST_MAPPED, "it was written through memory (mmap)"},
	{WEIR_DIGEST_COPIED, "the kernel copied into it"},
	{WEIR_DIGEST_SHARED, "several wrote at one shared position"},
	{WEIR_DIGEST_RACED, "threads of a process wrote the same bytes at "
			    "once"},
	{WEIR_DIGEST_BUFFERED, "it was overwritten while a stream had bytes "
			       "for it in its buffer"},
	{WEIR_DIGEST_POSITION, "where a call wrote is not known"},
	{WEIR_DIGEST_TYPE, "elements of such a type cannot be followed"},
	{WEIR_DIGEST_WIDE, "it was written as wide characters"},
	{WEIR_DIGEST_BUFFER, "what was written could not be looked at"},
	{WEIR_DIGEST_SHORT, "an asynchronous write was cut short"},
	{WEIR_DIGEST_CROWDED, "too many files were written at once"},
	{WEIR_DIGEST_VIEW, "such a view of the file cannot be followed"},
	{WEIR_DIGEST_TRUNCATED, "it was truncated after it was written"},
	{WEIR_DIGEST_OVERWRITTEN, "it was overwritten, and what was there "
				  "before could not be read"},
};

/* Doubts that say nothing of what was written. */
#define HARMLESS     ((uint32_t)(WEIR_DIGEST_EXISTED | WEIR_DIGEST_COARSE))

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

static const char *pick(const struct reason *list, size_t count, uint32_t bits)
{
	for (size_t i = 0; i < count; i++)
		if (bits & list[i].bit)
			return list[i].text;
	return NULL;
}

static void decide(struct weir_output_object *object,
		   enum weir_output_verdict verdict, const char *why)
{
	object->verdict = verdict;
	object->why = why;
}

/* --- verdicts ----------------------------------------------------------- */

/* The path it has now, which may not be the one it was written by. */
static const char *path_of(const struct bench *bench,
			   const struct weir_output_object *object)
{
	return weir_output_name(bench->written, object->file);
}

static bool is_elsewhere(const struct bench *bench, uint32_t proc)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(bench->reader, proc);

	return node && strcmp(node->host, bench->host);
}

/* A file system that other hosts do not have: then it is not our file. */
static bool is_local(const struct bench *bench, uint32_t proc,
		     const char *path)
{
	const struct weir_procinfo *process =
		weir_reader_process(bench->reader, proc);
	const struct weir_mounts *mounts =
		process ? weir_reader_mounts(bench->reader, process->node)
			: NULL;
	const struct weir_mount *mount =
		mounts ? weir_mounts_of(mounts, path) : NULL;

	return mount && weir_filesystem_is_local(mount->type);
}

/* As the kernel tells files that were opened without one (O_TMPFILE). */
static bool has_no_name(const struct bench *bench, uint32_t file)
{
	static const char sign[] = " (deleted)";
	const char *name = weir_output_name(bench->written, file);
	size_t len = name ? strlen(name) : 0;

	return len >= sizeof(sign) - 1 &&
	       !strcmp(name + len - (sizeof(sign) - 1), sign);
}

/* It cannot be read: whose fault is that? */
static void judge_failure(struct bench *bench,
			  struct weir_output_object *object, int err)
{
	const struct weir_output_file *file =
		&bench->written->files[object->file];
	const char *why = pick(why_texts, LENGTH(why_texts), object->whys);
	uint32_t proc = file->proc;
	struct weir_told told;

	weir_told_sum(object, &told);
	if (!why)
		why = pick(doubt_texts, LENGTH(doubt_texts),
			   told.doubts & WEIR_DIGEST_TYPE);
	if (!why && object->inside && err == -ENOENT && !file->is_opened)
		why = "HDF5 keeps it where only its driver knows";
	if (err == -ENOENT && has_no_name(bench, object->file))
		decide(object, WEIR_GONE, NULL);
	else if (why)
		decide(object, WEIR_UNVERIFIABLE, why);
	else if (err == -EINVAL && !object->inside)
		decide(object, WEIR_NOTHING, NULL);
	else if (is_elsewhere(bench, proc) && err == -ENOENT)
		decide(object, WEIR_UNVERIFIABLE,
		       "it is on another host, and not here");
	else if (err == -EACCES || err == -EPERM)
		decide(object, WEIR_UNVERIFIABLE, "it may not be read");
	else if (err == -ENOENT && file->is_carried)
		decide(object, WEIR_UNVERIFIABLE,
		       "a directory that it was in has another name now");
	else if (err == -ENOENT)
		decide(object, WEIR_DIFFERS,
		       "it is not there, and nobody removed it");
	else if (object->inside)
		decide(object,
		       err == -ENOTSUP ? WEIR_UNVERIFIABLE : WEIR_DIFFERS,
		       object->why);
	else
		decide(object, WEIR_DIFFERS, strerror(-err));
}

/* Each byte was written, and none by two. */
static bool is_covered(const struct weir_output_object *object,
		       const struct weir_told *told)
{
	struct weir_digest once = { 0, 0 };

	weir_digest_cover(&once, 0, object->size);
	return weir_digest_equal(&once, &told->cover);
}

/* Why it cannot be said what has to be there; NULL: it can. */
static const char *why_unclear(const struct weir_output_object *object,
			       const struct weir_told *told)
{
	static const char *const overlaps[] = {
		[WEIR_TOLD_APART] = NULL,
		[WEIR_TOLD_OVERLAPS] = "several processes wrote the same bytes",
		[WEIR_TOLD_UNCLEAR] = "several processes wrote too many pieces "
				      "to say whether they overlap",
	};
	const char *why = pick(why_texts, LENGTH(why_texts), object->whys);

	if (!why && !is_covered(object, told))
		why = overlaps[weir_told_overlap(object)];
	return why ? why
		   : pick(doubt_texts, LENGTH(doubt_texts), told->doubts);
}

/* The sums are not equal, and nothing but that is known yet. */
static void judge_unequal(struct weir_output_object *object,
			  const struct weir_told *told)
{
	const char *why = why_unclear(object, told);

	if (why)
		decide(object, WEIR_UNVERIFIABLE, why);
	else if (object->size < told->end)
		decide(object, WEIR_DIFFERS, "it is shorter than what was "
					     "written");
	else
		decide(object, WEIR_DIFFERS, "its bytes are not those that "
					     "were written");
}

/* Each process's own bytes, so it does not matter what else is there. */
static void judge_spans(struct bench *bench,
			struct weir_output_object *object,
			const struct weir_told *told)
{
	struct weir_reread_sum sum;
	int err = weir_reread_spans(&bench->reread, object, &sum);

	if (err)
		judge_failure(bench, object, err);
	else if (object->size >= told->end &&
		 weir_digest_equal(&sum.found, &told->sum))
		decide(object, WEIR_VERIFIED, NULL);
	else
		judge_unequal(object, told);
}

/* What speaks against knowing where it was written. */
#define BLIND                                                                  \
	(~(uint32_t)(WEIR_DIGEST_EXISTED | WEIR_DIGEST_COARSE |                \
		     WEIR_DIGEST_OVERWRITTEN))

/*
 * Whether elements that nobody wrote have to be what HDF5 fills with. Without a
 * fill value of their own HDF5 leaves them as the file has them, and ROMIO
 * writes between strides what lies in its memory.
 */
static bool is_filled(const struct bench *bench,
		      const struct weir_output_object *object,
		      enum weir_fill fill)
{
	const struct weir_output_file *file =
		&bench->written->files[object->file];

	return fill == WEIR_FILL_SET ||
	       (fill == WEIR_FILL_USUAL && file->is_fresh &&
		!file->has_freed && !file->is_mpi);
}

/* A dataset whose sums are not equal: is it what nobody wrote? */
static void judge_gaps(struct bench *bench, struct weir_output_object *object,
		       const struct weir_told *told, enum weir_fill fill)
{
	bool filled = is_filled(bench, object, fill);

	if (is_covered(object, told) || object->whys || told->doubts & BLIND)
		judge_unequal(object, told);
	else if (filled && !weir_reread_gaps(&bench->reread, object) &&
		 object->gaps.wrong)
		decide(object, WEIR_DIFFERS,
		       "elements that nobody wrote are not the fill value");
	else if (weir_told_is_exact(object))
		judge_spans(bench, object, told);
	else if (filled)
		judge_unequal(object, told);
	else
		decide(object, WEIR_UNVERIFIABLE,
		       "it has no fill value, and not all of where it was "
		       "written is known");
}

/*
 * Where nobody wrote there are zeros; but MPI may have written there whatever
 * was in its buffers, to make one write of several.
 */
static void judge_holes(struct bench *bench,
			struct weir_output_object *object,
			const struct weir_told *told)
{
	bool is_mpi = bench->written->files[object->file].is_mpi;

	if (is_covered(object, told))
		judge_unequal(object, told);
	else if (weir_told_is_exact(object) &&
		 (is_mpi || weir_told_overlap(object)))
		judge_spans(bench, object, told);
	else if (is_mpi)
		decide(object, WEIR_UNVERIFIABLE,
		       "MPI may write between the pieces, and there are too "
		       "many to tell them apart");
	else
		judge_unequal(object, told);
}

static void judge_whole(struct bench *bench,
			struct weir_output_object *object,
			const struct weir_told *told)
{
	struct weir_reread_sum sum;
	int err = weir_reread_all(&bench->reread, object, &sum);

	if (err)
		judge_failure(bench, object, err);
	else if (object->size < told->end)
		judge_unequal(object, told);
	else if (weir_digest_equal(&sum.found, &told->sum))
		decide(object, WEIR_VERIFIED, NULL);
	else if (object->inside)
		judge_gaps(bench, object, told, sum.fill);
	else
		judge_holes(bench, object, told);
}

static bool is_nameless(const struct weir_output_object *object)
{
	return object->inside && !strncmp(object->inside, "/(no ", 5);
}

/* A dataset that was made and that nobody has written to. */
static bool is_made_empty(const struct weir_output_object *object,
			  const struct weir_told *told)
{
	return object->inside && object->count && told->was_empty &&
	       !is_nameless(object) && !strchr(object->inside, '@');
}

static void judge_object(struct bench *bench, struct weir_output_object *object)
{
	const struct weir_output_file *file =
		&bench->written->files[object->file];
	struct weir_told told;

	weir_told_sum(object, &told);
	if (!object->inside && file->is_hdf5 && told.bytes)
		object->whys |= WEIR_WHY_ALSO;
	if (!told.writes && !(told.doubts & ~HARMLESS) && !object->whys &&
	    !is_made_empty(object, &told))
		decide(object, object->is_gone ? WEIR_GONE : WEIR_NOTHING,
		       NULL);
	else if (!file->name)
		decide(object, WEIR_GONE, NULL);
	else if (is_nameless(object))
		decide(object, WEIR_UNVERIFIABLE, "it has no name that is "
						"known");
	else if (told.doubts & WEIR_DIGEST_PIECES)
		decide(object, WEIR_UNVERIFIABLE, "it was written in too many "
						"small pieces");
	else if (is_elsewhere(bench, file->proc) &&
		 is_local(bench, file->proc, path_of(bench, object)))
		decide(object, WEIR_UNVERIFIABLE, "it is on another host's own "
						"disk");
	else if ((file->is_fresh || told.was_empty) &&
		 !(object->whys & WEIR_WHY_ALSO))
		judge_whole(bench, object, &told);
	else if (weir_told_is_exact(object))
		judge_spans(bench, object, &told);
	else
		decide(object, WEIR_UNVERIFIABLE,
		       "it was there before, and not all of where it was "
		       "written is known");
}

void weir_judge_all(struct weir_output *written, struct weir_reader *reader)
{
	struct bench bench = { .written = written, .reader = reader };

	weir_reread_init(&bench.reread, written);
	gethostname(bench.host, sizeof(bench.host) - 1);
	weir_output_settle(written);
	/* All before the first is judged: the process apart has a copy. */
	for (size_t i = 0; i < written->object_count; i++)
		weir_told_merge(&written->objects[i]);
	for (size_t i = 0; i < written->object_count; i++)
		judge_object(&bench, &written->objects[i]);
	weir_reread_fini(&bench.reread);
}
