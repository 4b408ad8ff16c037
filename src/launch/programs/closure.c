/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the libraries that the loader would load for a program. */
#include "launch/programs/closure.h"

#include "launch/programs/elf.h"
#include "launch/programs/ldcache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usual[] = "/lib64:/usr/lib64:/lib:/usr/lib";

struct search {
	struct weir_closure *closure;
	struct weir_ldcache cache;
	size_t asking; /* the item whose needs are looked for */
	char run_path[PATH_MAX];
	char needed[256], found[PATH_MAX];
};

static int read_elf(const char *path, struct weir_elf *elf)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int err = fd < 0 ? -errno : weir_elf_read(fd, elf);

	if (err && fd >= 0)
		close(fd);
	return err;
}

/* The loader passes over what is of another architecture. */
static bool try_path(struct search *s, const char *path)
{
	struct weir_elf elf;
	bool ours;

	if (read_elf(path, &elf))
		return false;
	ours = weir_elf_is_ours(&elf);
	close(elf.fd);
	if (ours && path != s->found)
		snprintf(s->found, sizeof(s->found), "%s", path);
	return ours;
}

/* An entry of a search path with $ORIGIN replaced; false: it does not fit. */
static bool expand(const char *own, const char *entry, size_t length,
		   char to[PATH_MAX])
{
	static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
	const char *slash = strrchr(own, '/');
	int used = 0;

	for (int i = 0; i < 2; i++) {
		size_t word = strlen(origins[i]);

		if (length < word || strncmp(entry, origins[i], word))
			continue;
		used = snprintf(to, PATH_MAX, "%.*s",
				slash ? (int)(slash - own) : 1,
				slash ? own : ".");
		entry += word;
		length -= word;
	}
	if (used >= PATH_MAX)
		return false;
	used += snprintf(to + used, (size_t)(PATH_MAX - used), "%.*s",
			 (int)length, entry);
	return used < PATH_MAX;
}

/* A list of directories that was found in the file `own`. */
static bool try_list(struct search *s, const char *list, const char *own)
{
	char dir[PATH_MAX], path[PATH_MAX + sizeof(s->needed)];

	while (list && *list) {
		size_t length = strcspn(list, ":;");

		if (length && expand(own, list, length, dir)) {
			s->closure->is_sure &= !strchr(dir, '$');
			snprintf(path, sizeof(path), "%s/%s", dir, s->needed);
			if (try_path(s, path))
				return true;
		}
		list += length + (list[length] != '\0');
	}
	return false;
}

/* DT_RPATH of who asks, of who needs that, and so on to the program. */
static bool try_ancestors(struct search *s)
{
	const struct weir_closure_item *items = s->closure->items;
	size_t i = s->asking;

	while (!try_list(s, items[i].rpath, items[i].path)) {
		if (!i)
			return false;
		i = items[i].needed_by;
	}
	return true;
}

static bool try_cache(struct search *s)
{
	const char *path;

	for (unsigned n = 0;
	     (path = weir_ldcache_find(&s->cache, s->needed, n)); n++) {
		if (try_path(s, path))
			return true;
	}
	return false;
}

static bool find_library(struct search *s)
{
	const char *own = s->closure->items[s->asking].path;

	if (strchr(s->needed, '/'))
		return try_path(s, s->needed);
	return (!*s->run_path && try_ancestors(s)) ||
	       try_list(s, getenv("LD_LIBRARY_PATH"), own) ||
	       try_list(s, s->run_path, own) || try_cache(s) ||
	       try_list(s, usual, own);
}

static int add_item(struct weir_closure *closure, const char *name,
		    const char *path, size_t needed_by)
{
	struct weir_closure_item *item = &closure->items[closure->count];

	if (closure->count == WEIR_CLOSURE_MOST)
		return -E2BIG;
	item->needed_by = needed_by;
	item->name = strdup(name);
	item->path = path ? strdup(path) : NULL;
	closure->count++;
	return item->name && (item->path || !path) ? 0 : -ENOMEM;
}

static bool has_library(const struct weir_closure *closure, const char *name)
{
	for (size_t i = 1; i < closure->count; i++) {
		if (!strcmp(closure->items[i].name, name))
			return true;
	}
	return false;
}

/* DT_RUNPATH counts for its file alone, and hides DT_RPATH. */
static int read_run_paths(struct search *s, const struct weir_elf *elf)
{
	struct weir_closure_item *item = &s->closure->items[s->asking];
	char path[PATH_MAX];

	s->run_path[0] = '\0';
	if (!weir_elf_text(elf, DT_RUNPATH, 0, s->run_path, PATH_MAX) ||
	    weir_elf_text(elf, DT_RPATH, 0, path, PATH_MAX))
		return 0;
	item->rpath = strdup(path);
	return item->rpath ? 0 : -ENOMEM;
}

static int add_needs(struct search *s)
{
	const char *path = s->closure->items[s->asking].path;
	struct weir_elf elf;
	int err = path ? read_elf(path, &elf) : -ENOENT;

	if (err)
		return 0;
	err = read_run_paths(s, &elf);
	for (unsigned n = 0;
	     !err && !weir_elf_text(&elf, DT_NEEDED, n, s->needed,
				    sizeof(s->needed)); n++) {
		if (!has_library(s->closure, s->needed))
			err = add_item(s->closure, s->needed,
				       find_library(s) ? s->found : NULL,
				       s->asking);
	}
	close(elf.fd);
	return err;
}

int weir_closure_make(const char *path, struct weir_closure *ret_closure)
{
	struct search s = {.closure = ret_closure};
	int err;

	memset(ret_closure, 0, sizeof(*ret_closure));
	ret_closure->is_sure = true;
	weir_ldcache_open(&s.cache);
	err = add_item(ret_closure, path, path, 0);
	for (; !err && s.asking < ret_closure->count; s.asking++)
		err = add_needs(&s);
	weir_ldcache_close(&s.cache);
	if (err == -E2BIG) {
		ret_closure->is_sure = false;
		return 0;
	}
	if (err)
		weir_closure_fini(ret_closure);
	return err;
}

void weir_closure_fini(struct weir_closure *closure)
{
	for (size_t i = 0; i < closure->count; i++) {
		free(closure->items[i].name);
		free(closure->items[i].path);
		free(closure->items[i].rpath);
	}
	closure->count = 0;
}

const struct weir_closure_item *
weir_closure_find(const struct weir_closure *closure, const char *beginning)
{
	for (size_t i = 1; i < closure->count; i++) {
		if (!strncmp(closure->items[i].name, beginning,
			     strlen(beginning)))
			return &closure->items[i];
	}
	return NULL;
}

bool weir_closure_locate(const char *name, char ret_path[PATH_MAX])
{
	struct weir_closure_item nobody = {.path = "./"};
	struct weir_closure none = {.items = {nobody}, .count = 1};
	struct search s = {.closure = &none};
	bool found;

	snprintf(s.needed, sizeof(s.needed), "%s", name);
	weir_ldcache_open(&s.cache);
	found = find_library(&s);
	weir_ldcache_close(&s.cache);
	if (found)
		strcpy(ret_path, s.found);
	return found;
}
