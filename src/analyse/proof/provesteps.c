/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what ranks do with shared HDF5 files, step by step, and where. */
#include "analyse/proof/provesteps.h"

#include "analyse/calls/collective.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/varint.h"
#include "trace/event/detail.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"
#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <string.h>

/* Code of a file in a process, since an instant. */
struct object {
	uint64_t base, low, high, since;
	uint32_t proc;
	char name[256]; /* last component of its path */
};

/* A name of the trace, looked at once. */
struct look {
	uint32_t shared; /* file + 1; 0: of none */
	bool is_wanted;
};

struct gather {
	struct weir_provesteps *steps;
	struct weir_reader *reader;
	const struct weir_provesteps_filter *filter;
	struct object *objects;
	size_t object_count, object_room;
	struct weir_map looks; /* name to place in the list + 1 */
	struct look *look;
	size_t look_count, look_room;
};

void weir_provesteps_fini(struct weir_provesteps *steps)
{
	for (size_t i = 0; i < steps->file_count; i++) {
		free(steps->files[i].name);
		free(steps->files[i].procs);
	}
	free(steps->files);
	free(steps->sites);
	free(steps->list);
	*steps = (struct weir_provesteps){0};
}

static void take_last_part(char name[256], const struct weir_value *path)
{
	const char *text = (const char *)path->text;
	const char *slash = memrchr(text, '/', path->text_len);
	const char *from = slash ? slash + 1 : text;

	snprintf(name, 256, "%.*s", (int)(text + path->text_len - from), from);
}

static int add_object(struct gather *g, const struct weir_event *event,
		      const struct weir_call *call)
{
	struct object object = { .since = event->start, .proc = event->proc };
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!strcmp(value.name, "path") && value.text)
			take_last_part(object.name, &value);
		else if (!strcmp(value.name, "base"))
			object.base = value.number;
		else if (!strcmp(value.name, "low"))
			object.low = value.number;
		else if (!strcmp(value.name, "high"))
			object.high = value.number;
	}
	if (WEIR_GROW(g->objects, g->object_count, g->object_room))
		return -ENOMEM;
	g->objects[g->object_count++] = object;
	return 0;
}

static bool has_proc(const struct weir_provefile *file, uint32_t proc)
{
	for (size_t i = 0; i < file->count; i++)
		if (file->procs[i] == proc)
			return true;
	return false;
}

static int find_shared_file(struct gather *g, const char *name, size_t len,
			    uint32_t *ret_file)
{
	struct weir_provesteps *steps = g->steps;

	for (size_t i = 0; i < steps->file_count; i++) {
		if (strlen(steps->files[i].name) == len &&
		    !memcmp(steps->files[i].name, name, len)) {
			*ret_file = (uint32_t)i;
			return 0;
		}
	}
	return -ENOENT;
}

/* A rank opens a file together with others. */
static int share(struct gather *g, const struct weir_event *event)
{
	struct weir_provesteps *steps = g->steps;
	struct weir_provefile *file;
	size_t len = 0;
	const char *name = weir_reader_name(g->reader, event->file, &len);
	uint32_t at;

	if (!name)
		return 0;
	if (find_shared_file(g, name, len, &at)) {
		if (WEIR_GROW(steps->files, steps->file_count,
			      steps->file_room))
			return -ENOMEM;
		at = (uint32_t)steps->file_count;
		steps->files[at] = (struct weir_provefile){
			.name = strndup(name, len),
		};
		if (!steps->files[at].name)
			return -ENOMEM;
		steps->file_count++;
	}
	file = &steps->files[at];
	if (has_proc(file, event->proc))
		return 0;
	if (WEIR_GROW(file->procs, file->count, file->room))
		return -ENOMEM;
	file->procs[file->count++] = event->proc;
	return 0;
}

/* FILE:/DATASET; NULL: it is not in a dataset. */
static const char *find_dataset(const char *name)
{
	const char *found = NULL;

	for (const char *at = name; (at = strstr(at, ":/")); at++)
		found = at;
	return found;
}

static struct look judge_name(struct gather *g, const char *name)
{
	const char *dataset = find_dataset(name);
	size_t len = dataset ? (size_t)(dataset - name) : strlen(name);
	struct look look = {0};
	uint32_t file;

	if (find_shared_file(g, name, len, &file))
		return look;
	look.shared = file + 1;
	look.is_wanted = dataset &&
			 g->filter->wants(g->filter->about,
					  g->steps->files[file].name,
					  dataset + 1);
	return look;
}

static int look_at_object(struct gather *g, uint32_t number,
			  struct look *ret_look)
{
	uint64_t at = weir_map_get(&g->looks, number);
	const char *name;
	char *text;
	size_t len = 0;

	if (at) {
		*ret_look = g->look[at - 1];
		return 0;
	}
	*ret_look = (struct look){0};
	name = weir_reader_name(g->reader, number, &len);
	text = name ? strndup(name, len) : NULL;
	if (!text)
		return name ? -ENOMEM : 0;
	*ret_look = judge_name(g, text);
	free(text);
	if (!ret_look->shared) /* it may be opened later */
		return 0;
	if (WEIR_GROW(g->look, g->look_count, g->look_room))
		return -ENOMEM;
	g->look[g->look_count++] = *ret_look;
	return weir_map_put(&g->looks, number, g->look_count);
}

/* Where the call returns to: the first of the chain. */
static uint64_t address_of(const struct weir_event *event)
{
	uint32_t bytes = weir_detail_site_bytes(event);
	uint64_t number;

	if (bytes < 2 ||
	    !weir_varint_get(event->detail + event->detail_len - bytes,
			     bytes - 1, &number))
		return 0;
	return (uint64_t)weir_varint_unzigzag(number);
}

enum kind { NOTHING, OPENS, TRANSFERS, TOGETHER };

/* Which calls of HDF5 all ranks of a file make, as its manual has it. */
static enum kind kind_of(const struct weir_call *call)
{
	if (strcmp(call->layer ? call->layer : "", "hdf5"))
		return NOTHING;
	if (weir_call_is(call, WEIR_MEANS_OPEN) && call->has_path)
		return OPENS;
	if (weir_call_is(call, WEIR_MEANS_READ) ||
	    weir_call_is(call, WEIR_MEANS_WRITE))
		return TRANSFERS;
	return weir_call_has(call, WEIR_TRAIT_TOGETHER) ? TOGETHER : NOTHING;
}

/* How a transfer was asked for; -1: its file is not shared. */
static int asked(const struct weir_event *event, const struct weir_call *call)
{
	struct weir_detail detail;
	struct weir_value value;
	int found = -1;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value))
		if (value.given && !strcmp(value.name, "asked"))
			found = (int)value.number;
	return found;
}

static uint64_t hash_call(const struct weir_event *event,
			  const struct weir_call *call)
{
	uint64_t parts[2] = {
		weir_hash_bytes(call->name, strlen(call->name)), event->file,
	};

	return weir_hash_numbers(parts, sizeof(parts));
}

static int add_step(struct gather *g, const struct weir_event *event,
		    const struct weir_provestep *step)
{
	struct weir_provesteps *steps = g->steps;

	if (WEIR_GROW(steps->list, steps->count, steps->room))
		return -ENOMEM;
	steps->list[steps->count] = *step;
	steps->list[steps->count].start = weir_reader_real(g->reader, event);
	steps->list[steps->count].proc = event->proc;
	steps->list[steps->count].thread = event->thread;
	steps->list[steps->count++].name = event->file;
	return 0;
}

static int take_transfer(struct gather *g, const struct weir_event *event,
			 const struct weir_call *call, const struct look *look)
{
	struct weir_provestep step = {
		.what = hash_call(event, call),
		.shared = look->shared - 1,
	};
	int mode = asked(event, call);

	if (mode < 0 || (!mode && !look->is_wanted))
		return 0;
	if (!mode) {
		step.site = 1; /* which one is found out later */
		step.address = address_of(event);
		g->steps->nowhere += !step.address;
		g->steps->files[step.shared].is_wanted = true;
	}
	return add_step(g, event, &step);
}

static void read_messages(const struct weir_event *event,
			  const struct weir_call *call,
			  struct weir_provemessages *ret)
{
	const struct {
		const char *name;
		uint64_t *to;
	} numbers[] = {
		{ "direct", &ret->direct }, { "balance", &ret->balance },
		{ "together", &ret->together }, { "doubts", &ret->doubts },
		{ "followed", &ret->is_followed },
	};
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value))
		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			if (value.given && !strcmp(value.name, numbers[i].name))
				*numbers[i].to = value.number;
}

/* They are told below the call that they belong to: the thread's last. */
static void take_messages(struct gather *g, const struct weir_event *event,
			  const struct weir_call *call)
{
	for (size_t i = g->steps->count; i--;) {
		struct weir_provestep *step = &g->steps->list[i];

		if (step->proc != event->proc ||
		    step->thread != event->thread)
			continue;
		if (step->name == event->file && !step->has_messages) {
			read_messages(event, call, &step->messages);
			step->has_messages = true;
		}
		return;
	}
}

static int take_event(struct gather *g, const struct weir_event *event,
		      const struct weir_call *call)
{
	enum kind kind = kind_of(call);
	struct look look;
	uint64_t key;
	int err = 0;

	if (kind == NOTHING || event->depth)
		return 0;
	if (kind == OPENS && weir_collective_told(event, call, &key))
		err = share(g, event);
	err = err ?: look_at_object(g, event->file, &look);
	if (err || !look.shared)
		return err;
	if (kind == TRANSFERS)
		return take_transfer(g, event, call, &look);
	return add_step(g, event, &(struct weir_provestep){
		.what = hash_call(event, call), .shared = look.shared - 1 });
}

static int read_events(struct gather *g)
{
	struct weir_event event;
	int more = 0, err = 0;

	while (!err && (more = weir_reader_next(g->reader, &event)) > 0) {
		const struct weir_call *call =
			weir_reader_call(g->reader, &event);

		if (!call)
			continue;
		if (weir_call_is(call, WEIR_MEANS_CODE))
			err = add_object(g, &event, call);
		else if (weir_call_is(call, WEIR_MEANS_MESSAGES))
			take_messages(g, &event, call);
		else
			err = take_event(g, &event, call);
	}
	return err ?: more;
}

/* The latest that was told of the address; an address returned to is behind. */
static const struct object *find_object(const struct gather *g,
					const struct weir_provestep *step)
{
	for (size_t i = g->object_count; i--;) {
		const struct object *object = &g->objects[i];

		if (object->proc == step->proc &&
		    step->address > object->low &&
		    step->address <= object->high)
			return object;
	}
	return NULL;
}

static int name_site(struct gather *g, struct weir_provestep *step)
{
	struct weir_provesteps *steps = g->steps;
	const struct object *object = find_object(g, step);
	uint64_t offset = object ? step->address - object->base : 0;
	const char *name = object ? object->name : "";

	for (size_t i = 0; i < steps->site_count; i++) {
		if (steps->sites[i].offset == offset &&
		    !strcmp(steps->sites[i].object, name)) {
			step->site = (uint32_t)i + 1;
			return 0;
		}
	}
	if (WEIR_GROW(steps->sites, steps->site_count, steps->site_room))
		return -ENOMEM;
	steps->sites[steps->site_count] = (struct weir_provesite){
		.offset = offset,
		.is_bad = !object,
	};
	strcpy(steps->sites[steps->site_count].object, name);
	step->site = (uint32_t)++steps->site_count;
	return 0;
}

static int by_process(const void *one, const void *other)
{
	const struct weir_provestep *a = one, *b = other;

	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

int weir_provesteps_gather(struct weir_provesteps *steps,
			   struct weir_reader *reader,
			   const struct weir_provesteps_filter *filter)
{
	struct gather g = {
		.steps = steps, .reader = reader, .filter = filter,
	};
	int err = read_events(&g);

	for (size_t i = 0; !err && i < steps->count; i++)
		if (steps->list[i].site)
			err = name_site(&g, &steps->list[i]);
	if (steps->count)
		qsort(steps->list, steps->count, sizeof(*steps->list),
		      by_process);
	free(g.objects);
	free(g.look);
	weir_map_fini(&g.looks);
	return err;
}
