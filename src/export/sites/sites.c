/* SPDX-License-Identifier: BSD-3-Clause */
/* Names where in the program calls were made. */
#include "export/sites/sites.h"

#include "base/grow.h"
#include "base/varint.h"
#include "export/sites/dwarf.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES  64
#define MOST_OBJECTS (1u << 20)
#define CACHE	     8192

/* A file of code, whichever processes have it. */
struct image {
	char *path, *build;
	struct weir_dwarf *dwarf;
	int err;
	bool is_open; /* or was tried */
};

/* Code of an image in a process, since an instant. */
struct object {
	uint64_t base, low, high;
	uint64_t since;
	uint32_t proc, image;
};

struct place {
	uint32_t image; /* + 1; 0: an empty place */
	uint64_t offset;
	struct weir_dwarf_place found;
};

struct weir_sites {
	struct image *images;
	uint32_t image_count;
	size_t image_room;
	struct object *objects; /* by process, then in the order of time */
	uint32_t object_count;
	size_t object_room;
	uint64_t sites;
	struct place cache[CACHE];
};

static int find_image(struct weir_sites *sites, const char *path,
		      const char *build, uint32_t *ret_image)
{
	struct image *image;
	uint32_t i = sites->image_count;

	while (i--) {
		if (!strcmp(sites->images[i].path, path) &&
		    !strcmp(sites->images[i].build, build)) {
			*ret_image = i;
			return 0;
		}
	}
	if (WEIR_GROW(sites->images, sites->image_count, sites->image_room))
		return -ENOMEM;
	image = &sites->images[sites->image_count];
	*image = (struct image){ .path = strdup(path), .build = strdup(build) };
	*ret_image = sites->image_count++;
	return image->path && image->build ? 0 : -ENOMEM;
}

/* What an event of the call `object` says. */
struct told {
	char path[4097], build[129];
	uint64_t base, low, high;
};

static void copy_text(char *to, size_t room, const struct weir_value *value)
{
	size_t len = value->text_len < room ? value->text_len : room - 1;

	memcpy(to, value->text, len);
	to[len] = 0;
}

static void take_site_value(struct told *told, const struct weir_value *value)
{
	if (!strcmp(value->name, "path") && value->text)
		copy_text(told->path, sizeof(told->path), value);
	else if (!strcmp(value->name, "build") && value->text)
		copy_text(told->build, sizeof(told->build), value);
	else if (!strcmp(value->name, "base"))
		told->base = value->number;
	else if (!strcmp(value->name, "low"))
		told->low = value->number;
	else if (!strcmp(value->name, "high"))
		told->high = value->number;
}

static int add_object(struct weir_sites *sites, const struct weir_event *event,
		      const struct weir_call *call)
{
	struct told told = { .path = "" };
	struct weir_detail detail;
	struct weir_value value;
	uint32_t image;
	int err;

	if (sites->object_count >= MOST_OBJECTS)
		return 0;
	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value))
		if (value.given)
			take_site_value(&told, &value);
	err = find_image(sites, told.path, told.build, &image);
	if (err)
		return err;
	if (WEIR_GROW(sites->objects, sites->object_count, sites->object_room))
		return -ENOMEM;
	sites->objects[sites->object_count++] = (struct object){
		.base = told.base,
		.low = told.low,
		.high = told.high,
		.since = event->start,
		.proc = event->proc,
		.image = image,
	};
	return 0;
}

static int by_process(const void *one, const void *other)
{
	const struct object *a = one, *b = other;

	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	return a->since < b->since ? -1 : a->since > b->since;
}

static int collect(struct weir_sites *sites, struct weir_reader *reader)
{
	struct weir_event event;
	int more, err = 0;

	while (!err && (more = weir_reader_next(reader, &event)) != 0) {
		const struct weir_call *call;

		if (more < 0)
			return more;
		call = weir_reader_call(reader, &event);
		if (call && weir_call_is(call, WEIR_MEANS_CODE))
			err = add_object(sites, &event, call);
	}
	if (sites->object_count)
		qsort(sites->objects, sites->object_count,
		      sizeof(*sites->objects), by_process);
	return err;
}

int weir_sites_new(const char *path, struct weir_sites **ret_sites)
{
	struct weir_sites *sites = calloc(1, sizeof(*sites));
	struct weir_reader *reader;
	int err = sites ? weir_reader_open(path, &reader) : -ENOMEM;

	if (err)
		goto free_sites;
	err = collect(sites, reader);
	weir_reader_close(reader);
	if (err)
		goto free_sites;
	*ret_sites = sites;
	return 0;
free_sites:
	weir_sites_free(sites);
	return err;
}

void weir_sites_free(struct weir_sites *sites)
{
	if (!sites)
		return;
	for (uint32_t i = 0; i < sites->image_count; i++) {
		weir_dwarf_close(sites->images[i].dwarf);
		free(sites->images[i].path);
		free(sites->images[i].build);
	}
	free(sites->images);
	free(sites->objects);
	free(sites);
}

uint64_t weir_sites_count(const struct weir_sites *sites)
{
	return sites->sites;
}

const char *weir_sites_trouble(const struct weir_sites *sites, uint32_t n,
			       int *ret_err)
{
	for (uint32_t i = 0; i < sites->image_count; i++) {
		if (!sites->images[i].err || n--)
			continue;
		*ret_err = sites->images[i].err;
		return sites->images[i].path;
	}
	return NULL;
}

/* The latest that was told of this address when the event was over. */
static const struct object *find_object(const struct weir_sites *sites,
					const struct weir_event *event,
					uint64_t address)
{
	uint32_t low = 0, high = sites->object_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (sites->objects[middle].proc <= event->proc)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- && sites->objects[low].proc == event->proc) {
		const struct object *object = &sites->objects[low];

		if (object->since <= event->start + event->dur &&
		    address >= object->low && address < object->high)
			return object;
	}
	return NULL;
}

static const struct weir_dwarf_place *
find_code_place(struct weir_sites *sites, uint32_t which, uint64_t offset)
{
	struct image *image = &sites->images[which];
	struct place *place =
		&sites->cache[(offset * 31 + which) % CACHE];

	if (place->image == which + 1 && place->offset == offset)
		return &place->found;
	if (!image->is_open) {
		image->is_open = true;
		image->err = weir_dwarf_open(image->path, image->build,
					     &image->dwarf);
	}
	*place = (struct place){ .image = which + 1, .offset = offset };
	if (image->dwarf)
		weir_dwarf_find(image->dwarf, offset, &place->found);
	return &place->found;
}

/* The chain of an event; how many. */
static uint32_t unfold(const struct weir_event *event, uint64_t *chain)
{
	uint32_t left = weir_detail_site_bytes(event), n = 0;
	const uint8_t *at = event->detail + event->detail_len - left;
	uint64_t address = 0, number;

	for (left -= left > 0; left && n < MOST_FRAMES; n++) {
		size_t bytes = weir_varint_get(at, left, &number);

		if (!bytes)
			break;
		at += bytes;
		left -= (uint32_t)bytes;
		address += (uint64_t)weir_varint_unzigzag(number);
		chain[n] = address;
	}
	return n;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether a path ends with these components. */
static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), wanted = strlen(end);

	return length >= wanted && !strcmp(path + length - wanted, end) &&
	       (length == wanted || path[length - wanted - 1] == '/');
}

bool weir_sites_is_at(struct weir_sites *sites, const struct weir_event *event,
		      const char *file, uint64_t from, uint64_t to)
{
	uint64_t chain[MOST_FRAMES];
	uint32_t n = unfold(event, chain);

	for (uint32_t i = 0; i < n; i++) {
		const struct object *object =
			find_object(sites, event, chain[i] - 1);
		const struct weir_dwarf_place *place;

		if (!object)
			continue;
		place = find_code_place(sites, object->image,
					chain[i] - 1 - object->base);
		if (place->file && place->line > 0 &&
		    (uint64_t)place->line >= from &&
		    (uint64_t)place->line <= to &&
		    ends_with(place->file, file))
			return true;
	}
	return false;
}

static void put_safe(struct weir_text *out, const char *text)
{
	weir_text_safe(out, text, strlen(text));
}

/* The call stands before what it returns to. */
static void put_frame(struct weir_sites *sites, struct weir_text *out,
		      const struct weir_event *event, uint64_t address)
{
	const struct object *object = find_object(sites, event, address - 1);
	const struct weir_dwarf_place *place;

	if (!object) {
		weir_text_hex(out, address);
		return;
	}
	place = find_code_place(sites, object->image,
				address - 1 - object->base);
	if (place->function)
		put_safe(out, place->function);
	if (place->file) {
		weir_text_string(out, place->function ? " (" : "(");
		put_safe(out, last_part(place->file));
		weir_text_char(out, ':');
		weir_text_signed(out, place->line);
		weir_text_char(out, ')');
		return;
	}
	weir_text_string(out, place->function ? " (" : "(");
	put_safe(out, last_part(sites->images[object->image].path));
	weir_text_char(out, '+');
	weir_text_hex(out, address - object->base);
	weir_text_char(out, ')');
}

void weir_sites_put_text(struct weir_sites *sites, struct weir_text *out,
			 const struct weir_event *event)
{
	uint64_t chain[MOST_FRAMES];
	uint32_t n = unfold(event, chain);

	sites->sites += n != 0;
	for (uint32_t i = 0; i < n; i++) {
		weir_text_string(out, i ? " < " : " at ");
		put_frame(sites, out, event, chain[i]);
	}
}

static void put_pair(struct weir_text *out, const char *key, const char *text)
{
	if (!text)
		return;
	weir_text_string(out, key);
	weir_text_json(out, text, strlen(text));
}

static void put_json_frame(struct weir_sites *sites, struct weir_text *out,
			   const struct weir_event *event, uint64_t address)
{
	const struct object *object = find_object(sites, event, address - 1);
	const struct weir_dwarf_place *place;

	weir_text_string(out, "{\"address\":");
	weir_text_unsigned(out, address);
	if (object) {
		place = find_code_place(sites, object->image,
					address - 1 - object->base);
		put_pair(out, ",\"object\":",
			 sites->images[object->image].path);
		weir_text_string(out, ",\"offset\":");
		weir_text_unsigned(out, address - object->base);
		put_pair(out, ",\"function\":", place->function);
		put_pair(out, ",\"file\":", place->file);
		if (place->file) {
			weir_text_string(out, ",\"line\":");
			weir_text_signed(out, place->line);
		}
	}
	weir_text_char(out, '}');
}

void weir_sites_put_json(struct weir_sites *sites, struct weir_text *out,
			 const struct weir_event *event)
{
	uint64_t chain[MOST_FRAMES];
	uint32_t n = unfold(event, chain);

	if (!n)
		return;
	sites->sites++;
	weir_text_string(out, ",\"site\":[");
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			weir_text_char(out, ',');
		put_json_frame(sites, out, event, chain[i]);
	}
	weir_text_char(out, ']');
}
