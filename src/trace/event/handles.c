/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows what a process's handles stand for: descriptor and file name. */
#include "trace/event/handles.h"

#include "base/grow.h"
#include "base/varint.h"
#include "trace/event/detail.h"
#include "trace/event/pathjoin.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer chains of directories are taken for damage. */
#define MOST_BASES 64

struct weir_handles_entry {
	char *path; /* as given; NULL once resolved or when it has none */
	size_t path_len;
	uint32_t base;
	uint32_t file;
	int32_t fd;
	uint8_t resolved;
	uint8_t is_dup;
};

void weir_handles_fini(struct weir_handles *handles)
{
	for (uint32_t i = 0; i < handles->count; i++)
		free(handles->entries[i].path);
	free(handles->entries);
	weir_map_fini(&handles->index);
	weir_bytes_fini(&handles->scratch);
}

static struct weir_handles_entry *find_entry(const struct weir_handles *handles,
					     uint32_t handle)
{
	uint64_t at = weir_map_get(&handles->index, handle);

	return at ? &handles->entries[at - 1] : NULL;
}

static int add_entry(struct weir_handles *handles, uint32_t handle,
		     const struct weir_handles_entry *entry,
		     const uint8_t *path)
{
	struct weir_handles_entry *to;

	if (WEIR_GROW(handles->entries, handles->count, handles->room))
		return -ENOMEM;
	to = &handles->entries[handles->count];
	*to = *entry;
	to->path = malloc(entry->path_len + 1);
	if (!to->path)
		return -ENOMEM;
	if (entry->path_len)
		memcpy(to->path, path, entry->path_len);
	if (weir_map_put(&handles->index, handle, handles->count + 1)) {
		free(to->path);
		return -ENOMEM;
	}
	handles->count++;
	return 0;
}

static int learn_call(struct weir_handles *handles,
		      const struct weir_event *event,
		      const struct weir_call *call)
{
	struct weir_handles_entry entry = { .fd = (int32_t)event->ret };
	struct weir_value path = { 0 };

	if (call && weir_detail_first_path(event, call, &path)) {
		entry.base = (uint32_t)path.number;
		entry.path_len = path.text_len;
	}
	return add_entry(handles, event->handle, &entry, path.text);
}

/* handle, fd + 1, origin, base, mode, dev, ino, flags, path */
static int learn_note(struct weir_handles *handles,
		      const struct weir_event *event)
{
	enum { HANDLE, FD, ORIGIN, BASE, NUMBERS = 8, LENGTH = NUMBERS };
	const uint8_t *at = event->detail;
	struct weir_handles_entry entry;
	size_t left = event->detail_len;
	uint64_t got[NUMBERS + 1];

	for (int i = 0; i <= NUMBERS; i++) {
		size_t n = weir_varint_get(at, left, &got[i]);

		if (!n)
			return 0;
		at += n;
		left -= n;
	}
	entry = (struct weir_handles_entry){
		.fd = (int32_t)got[FD] - 1,
		/* of a pipe it tells the end */
		.base = got[ORIGIN] == WEIR_ORIGIN_PIPE ? 0 :
							  (uint32_t)got[BASE],
		.path_len = got[LENGTH] < left ? got[LENGTH] : left,
		.is_dup = got[ORIGIN] == WEIR_ORIGIN_DUP,
	};
	if (!got[HANDLE] || find_entry(handles, (uint32_t)got[HANDLE]))
		return 0;
	return add_entry(handles, (uint32_t)got[HANDLE], &entry, at);
}

int weir_handles_learn(struct weir_handles *handles,
		       const struct weir_event *event,
		       const struct weir_call *call)
{
	if (event->call == WEIR_NOTE_HANDLE)
		return learn_note(handles, event);
	if (!(event->flags & WEIR_EVENT_NEWHANDLE) || !event->handle ||
	    event->flags & (WEIR_EVENT_FAILED | WEIR_EVENT_ENTERED) ||
	    find_entry(handles, event->handle))
		return 0;
	return learn_call(handles, event, call);
}

static int needs_base(const struct weir_handles_entry *entry)
{
	return entry->base && !entry->resolved &&
	       (!entry->path_len || entry->path[0] != '/');
}

int weir_handles_knows(struct weir_handles *handles, uint32_t handle)
{
	if (handle & WEIR_HANDLE_BARE)
		return 1;
	for (int i = 0; handle && i < MOST_BASES; i++) {
		const struct weir_handles_entry *entry =
			find_entry(handles, handle);

		if (!entry)
			return 0;
		handle = needs_base(entry) ? entry->base : 0;
	}
	return 1;
}

/* Numbers a path as seen from a directory whose own number is known. */
static int number_path(struct weir_handles *handles, uint32_t base_file,
		       struct weir_path path, uint32_t *ret_file)
{
	struct weir_path base = { 0 };
	int err;

	base.text = weir_names_get(handles->names, base_file, &base.len);
	if (!path.len) {
		*ret_file = base_file;
		return 0;
	}
	err = weir_pathjoin_make(base, path, &handles->scratch);
	return err ? err : weir_names_add(handles->names,
					  handles->scratch.data,
					  handles->scratch.used, ret_file);
}

static int resolve_one(struct weir_handles *handles,
		       struct weir_handles_entry *entry)
{
	const struct weir_handles_entry *base =
		entry->base ? find_entry(handles, entry->base) : NULL;
	struct weir_path path = { entry->path, entry->path_len };
	int err;

	if (entry->is_dup && base)
		path.len = 0;
	err = number_path(handles, base ? base->file : 0, path, &entry->file);
	if (err)
		return err;
	free(entry->path);
	entry->path = NULL;
	entry->path_len = 0;
	entry->resolved = 1;
	return 0;
}

/* Bases first, from the outermost in; a ring is cut at MOST_BASES. */
static int resolve(struct weir_handles *handles,
		   struct weir_handles_entry *entry)
{
	struct weir_handles_entry *chain[MOST_BASES];
	int n = 0, err = 0;

	while (entry && !entry->resolved && n < MOST_BASES) {
		chain[n++] = entry;
		entry = needs_base(entry) ? find_entry(handles, entry->base)
					  : NULL;
	}
	while (!err && n)
		err = resolve_one(handles, chain[--n]);
	return err;
}

static int apply_path(struct weir_handles *handles, struct weir_event *event,
		      const struct weir_call *call)
{
	struct weir_handles_entry *base;
	struct weir_value path;
	int err = 0;

	if (!call || !call->has_path ||
	    !weir_detail_first_path(event, call, &path))
		return 0;
	base = find_entry(handles, (uint32_t)path.number);
	if (base)
		err = resolve(handles, base);
	if (err)
		return err;
	return number_path(handles, base ? base->file : 0,
			   (struct weir_path){ (const char *)path.text,
					       path.text_len },
			   &event->file);
}

/* A descriptor whose file nobody knew: the number itself is in the handle. */
static void apply_bare(struct weir_event *event)
{
	event->fd = (int32_t)(event->handle << 1) >> 1;
	event->handle = 0;
}

int weir_handles_apply(struct weir_handles *handles, struct weir_event *event,
		       const struct weir_call *call)
{
	struct weir_handles_entry *entry = find_entry(handles, event->handle);
	int err;

	event->fd = -1;
	event->file = 0;
	if (event->handle & WEIR_HANDLE_BARE) {
		apply_bare(event);
		return 0;
	}
	if (!event->handle)
		return apply_path(handles, event, call);
	if (!entry)
		return 0;
	err = entry->resolved ? 0 : resolve(handles, entry);
	event->fd = entry->fd;
	event->file = entry->file;
	return err;
}
