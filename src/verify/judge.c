/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what was told to be written with what is there. */
#include "verify/judge.h"

#include "base/filesystem.h"
#include "trace/proof_layout.h"
#include "verify/apart.h"
#include "verify/source.h"
#include "verify/told.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct bench {
	struct weir_output *written;
	struct weir_reader *reader;
	struct weir_apart apart; /* reads what is in HDF5's files, */
	struct weir_source_hdf5 *hdf5;	 /* with this, which only it has */
	char host[256];
};

/* What the process apart is asked, and what it answers. */
struct question {
	uint64_t object;
	bool of_spans;
};

struct answer {
	int err;
	const char *why; /* a text of the program, so the same in both */
	uint64_t size;
	struct weir_digest found;
};

_Static_assert(sizeof(struct question) <= WEIR_APART_BYTES &&
		       sizeof(struct answer) <= WEIR_APART_BYTES, "messages");

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
	{ WEIR_PROOF_MAPPED, "it was written through memory (mmap)" },
	{ WEIR_PROOF_COPIED, "the kernel copied into it" },
	{ WEIR_PROOF_SHARED, "several wrote at one shared position" },
	{ WEIR_PROOF_POSITION, "where a call wrote is not known" },
	{ WEIR_PROOF_TYPE, "elements of such a type cannot be followed" },
	{ WEIR_PROOF_WIDE, "it was written as wide characters" },
	{ WEIR_PROOF_BUFFER, "what was written could not be looked at" },
	{ WEIR_PROOF_SHORT, "an asynchronous write was cut short" },
	{ WEIR_PROOF_CROWDED, "too many files were written at once" },
	{ WEIR_PROOF_VIEW, "such a view of the file cannot be followed" },
	{ WEIR_PROOF_TRUNCATED, "it was truncated after it was written" },
	{ WEIR_PROOF_OVERWRITTEN, "it was overwritten, and what was there "
				  "before could not be read" },
};

/* Doubts that say nothing of what was written. */
#define HARMLESS ((uint32_t)(WEIR_PROOF_EXISTED | WEIR_PROOF_COARSE))

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

/* --- sums of what is there -------------------------------------------- */

/* Of all bytes, or for each process of those that it wrote. */
struct sum {
	const struct weir_output_object *only; /* NULL: of all */
	struct weir_apart *apart; /* NULL: we are not apart */
	struct weir_digest found;
};

static void add(struct weir_digest *to, int sign, uint64_t position,
		struct weir_span of, const uint8_t *bytes)
{
	const uint8_t *from = bytes + (of.from - position);

	if (sign > 0)
		weir_digest_add(to, of.from, from, of.to - of.from);
	else
		weir_digest_take(to, of.from, from, of.to - of.from);
}

/* The first span that ends behind the position. */
static size_t find_span(const struct weir_spans *spans, uint64_t position)
{
	size_t low = 0, high = spans->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->list[middle].to <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_spans(struct sum *sum, const struct weir_spans *spans,
		       int sign, struct weir_span all, const uint8_t *bytes)
{
	for (size_t i = find_span(spans, all.from);
	     i < spans->count && spans->list[i].from < all.to; i++) {
		struct weir_span part = spans->list[i];

		part.from = part.from < all.from ? all.from : part.from;
		part.to = part.to > all.to ? all.to : part.to;
		add(&sum->found, sign, all.from, part, bytes);
	}
}

static void take(void *context, int sign, uint64_t position, const void *bytes,
		 size_t size)
{
	struct sum *sum = context;
	struct weir_span all = { position, position + size };

	if (sum->apart)
		weir_apart_beat(sum->apart);
	if (!sum->only) {
		add(&sum->found, sign, position, all, bytes);
		return;
	}
	for (size_t i = 0; i < sum->only->count; i++)
		take_spans(sum, &sum->only->told[i].spans, sign, all, bytes);
}

static const char *path_of(const struct bench *bench,
			   const struct weir_output_object *object)
{
	return weir_output_name(bench->written, object->file);
}

/* In the process apart. */
static void scan_inside(void *context, const void *asked, void *answered)
{
	struct bench *bench = context;
	const struct question *question = asked;
	struct answer *answer = answered;
	struct weir_output_object *object =
		&bench->written->objects[question->object];
	struct sum sum = { .only = question->of_spans ? object : NULL,
			   .apart = &bench->apart };
	struct weir_sink sink = { take, &sum };

	answer->why = "there is no HDF5 library to read it with";
	answer->err = -ENOTSUP;
	if (!bench->hdf5)
		bench->hdf5 = weir_source_hdf5_new();
	if (!bench->hdf5)
		return;
	answer->err = weir_source_hdf5_scan(bench->hdf5,
					    path_of(bench, object),
					    object->inside, &sink,
					    &answer->size);
	answer->why = weir_source_hdf5_fault(bench->hdf5);
	answer->found = sum.found;
}

static int ask_apart(struct bench *bench, struct weir_output_object *object,
		     struct sum *sum)
{
	char asked[WEIR_APART_BYTES] = { 0 }, answered[WEIR_APART_BYTES];
	struct question question = {
		.object = (uint64_t)(object - bench->written->objects),
		.of_spans = sum->only != NULL,
	};
	struct answer answer;
	int err;

	memcpy(asked, &question, sizeof(question));
	err = weir_apart_ask(&bench->apart, asked, answered);
	memcpy(&answer, answered, sizeof(answer));
	if (err) {
		object->why = err == -ETIME ? "HDF5 does not come to an end "
					      "with reading it" :
					      "HDF5 dies of reading it";
		return -EBADMSG;
	}
	object->why = answer.why;
	object->size = answer.size;
	sum->found = answer.found;
	return answer.err;
}

/* 0; the errors of sources. */
static int scan(struct bench *bench, struct weir_output_object *object,
		struct sum *sum)
{
	struct weir_sink sink = { take, sum };

	if (access(path_of(bench, object), F_OK))
		return -errno;
	if (object->inside)
		return ask_apart(bench, object, sum);
	return weir_source_file(path_of(bench, object), &sink, &object->size);
}

/* --- verdicts ----------------------------------------------------------- */

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
			   told.doubts & WEIR_PROOF_TYPE);
	if (!why && object->inside && err == -ENOENT && !file->is_opened)
		why = "HDF5 keeps it where only its driver knows";
	if (why)
		decide(object, WEIR_UNPROVABLE, why);
	else if (err == -EINVAL && !object->inside)
		decide(object, WEIR_NOTHING, NULL);
	else if (is_elsewhere(bench, proc) && err == -ENOENT)
		decide(object, WEIR_UNPROVABLE,
		       "it is on another host, and not here");
	else if (err == -EACCES || err == -EPERM)
		decide(object, WEIR_UNPROVABLE, "it may not be read");
	else if (err == -ENOENT)
		decide(object, WEIR_DIFFERS,
		       "it is not there, and nobody removed it");
	else if (object->inside)
		decide(object, err == -ENOTSUP ? WEIR_UNPROVABLE : WEIR_DIFFERS,
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

/* The sums are not equal, and nothing but that is known yet. */
static void judge_unequal(struct weir_output_object *object,
			  const struct weir_told *told)
{
	const char *why = pick(why_texts, LENGTH(why_texts), object->whys);

	if (!why)
		why = pick(doubt_texts, LENGTH(doubt_texts), told->doubts);
	if (why)
		decide(object, WEIR_UNPROVABLE, why);
	else if (object->size < told->end)
		decide(object, WEIR_DIFFERS, "it is shorter than what was "
					     "written");
	else if (!is_covered(object, told) && weir_told_overlaps(object))
		decide(object, WEIR_UNPROVABLE,
		       "several processes wrote the same bytes");
	else
		decide(object, WEIR_DIFFERS, "its bytes are not those that "
					     "were written");
}

/* Each process's own bytes, so it does not matter what else is there. */
static void judge_spans(struct bench *bench,
			struct weir_output_object *object,
			const struct weir_told *told)
{
	struct sum sum = { .only = object };
	int err = scan(bench, object, &sum);

	if (err)
		judge_failure(bench, object, err);
	else if (object->size >= told->end &&
		 weir_digest_equal(&sum.found, &told->sum))
		decide(object, WEIR_PROVEN, NULL);
	else
		judge_unequal(object, told);
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
		 (is_mpi || weir_told_overlaps(object)))
		judge_spans(bench, object, told);
	else if (is_mpi)
		decide(object, WEIR_UNPROVABLE,
		       "MPI may write between the pieces, and there are too "
		       "many to tell them apart");
	else
		judge_unequal(object, told);
}

static void judge_whole(struct bench *bench,
			struct weir_output_object *object,
			const struct weir_told *told)
{
	struct sum sum = { .only = NULL };
	int err = scan(bench, object, &sum);

	if (err)
		judge_failure(bench, object, err);
	else if (object->size < told->end)
		judge_unequal(object, told);
	else if (weir_digest_equal(&sum.found, &told->sum))
		decide(object, WEIR_PROVEN, NULL);
	else
		judge_holes(bench, object, told);
}

static void judge(struct bench *bench, struct weir_output_object *object)
{
	const struct weir_output_file *file =
		&bench->written->files[object->file];
	struct weir_told told;

	weir_told_sum(object, &told);
	if (!object->inside && file->is_hdf5 && told.bytes)
		object->whys |= WEIR_WHY_ALSO;
	if (!told.writes && !(told.doubts & ~HARMLESS) && !object->whys)
		decide(object, object->is_gone ? WEIR_GONE : WEIR_NOTHING,
		       NULL);
	else if (!file->name)
		decide(object, WEIR_GONE, NULL);
	else if (object->inside && !strncmp(object->inside, "/(no ", 5))
		decide(object, WEIR_UNPROVABLE, "it has no name that is "
						"known");
	else if (is_elsewhere(bench, file->proc) &&
		 is_local(bench, file->proc, path_of(bench, object)))
		decide(object, WEIR_UNPROVABLE, "it is on another host's own "
						"disk");
	else if ((file->is_fresh || told.was_empty) &&
		 !(object->whys & WEIR_WHY_ALSO))
		judge_whole(bench, object, &told);
	else if (weir_told_is_exact(object))
		judge_spans(bench, object, &told);
	else
		decide(object, WEIR_UNPROVABLE,
		       "it was there before, and not all of where it was "
		       "written is known");
}

void weir_judge_all(struct weir_output *written, struct weir_reader *reader)
{
	struct bench bench = { .written = written, .reader = reader };

	bench.apart.work = scan_inside;
	bench.apart.context = &bench;
	gethostname(bench.host, sizeof(bench.host) - 1);
	weir_output_settle(written);
	/* All before the first is judged: the process apart has a copy. */
	for (size_t i = 0; i < written->object_count; i++)
		weir_told_merge(&written->objects[i]);
	for (size_t i = 0; i < written->object_count; i++)
		judge(&bench, &written->objects[i]);
	weir_apart_fini(&bench.apart);
}
