/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what is in files and objects now, and sums it up. */
#include "verify/reread.h"

#include "verify/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What the process apart is asked, and what it answers. */
enum asked { OF_ALL, OF_SPANS, OF_GAPS };

struct question {
	uint64_t object;
	enum asked of;
};

struct answer {
	int err;
	const char *why; /* a text of the program, so the same in both */
	uint64_t size;
	struct weir_digest found;
	enum weir_fill fill;
	struct weir_gaps gaps;
};

_Static_assert(sizeof(struct question) <= WEIR_APART_BYTES &&
		       sizeof(struct answer) <= WEIR_APART_BYTES,
	       "messages");

/* --- sums of what is there -------------------------------------------- */

/* Of all bytes, or for each process of those that it wrote. */
struct sum {
	const struct weir_output_object *only; /* NULL: of all */
	struct weir_apart *apart;	       /* NULL: we are not apart */
	struct weir_digest found;
};

static void add_signed(struct weir_digest *to, int sign, uint64_t position,
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
		add_signed(&sum->found, sign, all.from, part, bytes);
	}
}

static void take_bytes(void *context, int sign, uint64_t position,
		       const void *bytes, size_t size)
{
	struct sum *sum = context;
	struct weir_span all = {position, position + size};

	if (sum->apart)
		weir_apart_beat(sum->apart);
	if (!sum->only) {
		add_signed(&sum->found, sign, position, all, bytes);
		return;
	}
	for (size_t i = 0; i < sum->only->count; i++)
		take_spans(sum, &sum->only->told[i].spans, sign, all, bytes);
}

/* --- what nobody wrote ------------------------------------------------ */

struct search {
	struct weir_apart *apart;
	struct weir_spans written; /* by anybody */
	struct weir_gaps found;
};

static bool is_filler(const struct weir_elements *e, uint64_t index)
{
	const uint8_t *element = e->bytes + index * e->size;

	if (e->fill)
		return !memcmp(element, e->fill, e->size);
	return !*element && !memcmp(element, element + 1, e->size - 1);
}

static void note_wrong(struct weir_gaps *gaps, uint64_t element)
{
	if (!gaps->wrong++)
		gaps->first = element;
	gaps->last = element;
}

/* Elements of which no byte was written. */
static void see_elements(void *context, uint64_t first,
			 const struct weir_elements *e)
{
	struct search *search = context;
	const struct weir_spans *written = &search->written;
	size_t at = find_span(written, first * e->size);

	weir_apart_beat(search->apart);
	for (uint64_t i = 0; i < e->count; i++) {
		uint64_t from = (first + i) * e->size;

		while (at < written->count && written->list[at].to <= from)
			at++;
		if ((at == written->count ||
		     written->list[at].from >= from + e->size) &&
		    !is_filler(e, i))
			note_wrong(&search->found, first + i);
	}
}

static const char *path_of(const struct weir_reread *reread,
			   const struct weir_output_object *object)
{
	return weir_output_name(reread->written, object->file);
}

/* In the process apart. */
static int scan_gaps(struct weir_reread *reread,
		     struct weir_output_object *object, struct answer *answer)
{
	struct search search = {.apart = &reread->apart};
	struct weir_sink sink = {.see = see_elements, .context = &search};
	int err = 0;

	for (size_t i = 0; !err && i < object->count; i++)
		err = weir_spans_unite(&search.written, &object->told[i].spans);
	if (!err)
		err = weir_source_hdf5_scan(
			reread->hdf5, path_of(reread, object), object->inside,
			&sink, &answer->size);
	answer->gaps = search.found;
	weir_spans_fini(&search.written);
	return err;
}

static int scan_sums(struct weir_reread *reread,
		     struct weir_output_object *object, enum asked of,
		     struct answer *answer)
{
	struct sum sum = {.only = of == OF_SPANS ? object : NULL,
			  .apart = &reread->apart};
	struct weir_sink sink = {.take = take_bytes, .context = &sum};
	int err = weir_source_hdf5_scan(reread->hdf5, path_of(reread, object),
					object->inside, &sink, &answer->size);

	answer->found = sum.found;
	return err;
}

static void scan_inside(void *context, const void *asked, void *answered)
{
	struct weir_reread *reread = context;
	const struct question *question = asked;
	struct answer *answer = answered;
	struct weir_output_object *object =
		&reread->written->objects[question->object];

	answer->why = "there is no HDF5 library to read it with";
	answer->err = -ENOTSUP;
	if (!reread->hdf5)
		reread->hdf5 = weir_source_hdf5_new();
	if (!reread->hdf5)
		return;
	answer->err = question->of == OF_GAPS
			      ? scan_gaps(reread, object, answer)
			      : scan_sums(reread, object, question->of, answer);
	answer->why = weir_source_hdf5_fault(reread->hdf5);
	answer->fill = weir_source_hdf5_fill(reread->hdf5);
}

static int ask_apart(struct weir_reread *reread,
		     struct weir_output_object *object, enum asked of,
		     struct weir_reread_sum *ret)
{
	char asked[WEIR_APART_BYTES] = {0}, answered[WEIR_APART_BYTES];
	struct question question = {
		.object = (uint64_t)(object - reread->written->objects),
		.of = of,
	};
	struct answer answer;
	int err;

	memcpy(asked, &question, sizeof(question));
	err = weir_apart_ask(&reread->apart, asked, answered);
	memcpy(&answer, answered, sizeof(answer));
	if (err) {
		object->why = err == -ETIME ? "HDF5 does not come to an end "
					      "with reading it"
					    : "HDF5 dies of reading it";
		return -EBADMSG;
	}
	object->why = answer.why;
	object->size = answer.size;
	object->gaps = answer.gaps;
	ret->found = answer.found;
	ret->fill = answer.fill;
	return answer.err;
}

static int reread_file(struct weir_reread *reread,
		       struct weir_output_object *object, enum asked of,
		       struct weir_reread_sum *ret)
{
	struct sum sum = {.only = of == OF_SPANS ? object : NULL};
	struct weir_sink sink = {.take = take_bytes, .context = &sum};
	int err =
		weir_source_file(path_of(reread, object), &sink, &object->size);

	*ret = (struct weir_reread_sum){.found = sum.found};
	return err;
}

static int reread_object(struct weir_reread *reread,
			 struct weir_output_object *object, enum asked of,
			 struct weir_reread_sum *ret)
{
	if (access(path_of(reread, object), F_OK))
		return -errno;
	return object->inside ? ask_apart(reread, object, of, ret)
			      : reread_file(reread, object, of, ret);
}

int weir_reread_all(struct weir_reread *reread,
		    struct weir_output_object *object,
		    struct weir_reread_sum *ret)
{
	return reread_object(reread, object, OF_ALL, ret);
}

int weir_reread_spans(struct weir_reread *reread,
		      struct weir_output_object *object,
		      struct weir_reread_sum *ret)
{
	return reread_object(reread, object, OF_SPANS, ret);
}

int weir_reread_gaps(struct weir_reread *reread,
		     struct weir_output_object *object)
{
	struct weir_reread_sum none;

	return ask_apart(reread, object, OF_GAPS, &none);
}

void weir_reread_init(struct weir_reread *reread, struct weir_output *written)
{
	*reread = (struct weir_reread){.written = written};
	reread->apart.work = scan_inside;
	reread->apart.context = reread;
}

void weir_reread_fini(struct weir_reread *reread)
{
	weir_apart_fini(&reread->apart);
}
