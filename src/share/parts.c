/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the files of a trace, one for each node, in any state. */
#include "share/parts.h"

#include "base/grow.h"
#include "trace/file/blocks.h"
#include "trace/layout/control_layout.h"
#include "trace/event/dictionary.h"
#include "trace/facts/nodeinfo.h"
#include "trace/read/readfile.h"
#include "trace/read/packaside.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_SUFFIX ".weir"
#define LIVE_SUFFIX ".live"

static void free_part(struct weir_part *part)
{
	free(part->path);
	free(part->live);
	free(part->stem);
}

void weir_parts_fini(struct weir_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		free_part(&parts->list[i]);
	for (size_t i = 0; i < parts->mark_count; i++)
		free(parts->marks[i]);
	free(parts->list);
	free(parts->marks);
	*parts = (struct weir_parts){0};
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len > end_len && !strcmp(text + len - end_len, end);
}

/* Adds DIR/STEM; without a directory the path is as it was given. */
static int add_part(struct weir_parts *parts, const char *base,
		    const char *path)
{
	struct weir_part part = {0};
	const char *name = strrchr(base, '/');
	int err = WEIR_GROW(parts->list, parts->count, parts->room);

	if (err)
		return err;
	part.stem = strdup(name ? name + 1 : base);
	if (path)
		part.path = strdup(path);
	else if (asprintf(&part.path, "%s" FILE_SUFFIX, base) < 0)
		part.path = NULL;
	if (asprintf(&part.live, "%s" LIVE_SUFFIX, base) < 0)
		part.live = NULL;
	if (!part.stem || !part.path || !part.live) {
		free_part(&part);
		return -ENOMEM;
	}
	parts->list[parts->count++] = part;
	return 0;
}

static int add_mark(struct weir_parts *parts, const char *name)
{
	int err = WEIR_GROW(parts->marks, parts->mark_count, parts->mark_room);

	if (err)
		return err;
	parts->marks[parts->mark_count] = strdup(name);
	if (!parts->marks[parts->mark_count])
		return -ENOMEM;
	parts->mark_count++;
	return 0;
}

static bool is_mark(const char *name)
{
	unsigned pid, reason, number;
	char more;

	return sscanf(name, WEIR_CONTROL_MARK "%u-%u-%u%c", &pid, &reason,
		      &number, &more) == 3;
}

static int is_of_trace(const struct dirent *entry)
{
	return ends_with(entry->d_name, FILE_SUFFIX) ||
	       ends_with(entry->d_name, LIVE_SUFFIX) || is_mark(entry->d_name);
}

/* One entry of a directory; HOST.live and HOST.weir are one part. */
static int add_entry(struct weir_parts *parts, const char *dir,
		     const char *name)
{
	const struct weir_part *last =
		parts->count ? &parts->list[parts->count - 1] : NULL;
	size_t len = strlen(name) - strlen(FILE_SUFFIX);
	char *base;
	int err;

	if (is_mark(name))
		return add_mark(parts, name);
	if (last && strlen(last->stem) == len && !memcmp(last->stem, name, len))
		return 0;
	if (asprintf(&base, "%s/%.*s", dir, (int)len, name) < 0)
		return -ENOMEM;
	err = add_part(parts, base, NULL);
	free(base);
	return err;
}

static int find_in_directory(const char *dir, struct weir_parts *parts)
{
	struct dirent **names;
	int n = scandir(dir, &names, is_of_trace, alphasort), err = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!err)
			err = add_entry(parts, dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (!err && !parts->count && !parts->mark_count)
		err = -ENOENT;
	return err;
}

static int find_single_file(const char *path, struct weir_parts *parts)
{
	char *base = strdup(path);
	struct stat st;
	int err;

	if (!base)
		return -ENOMEM;
	if (ends_with(base, FILE_SUFFIX))
		base[strlen(base) - strlen(FILE_SUFFIX)] = 0;
	err = add_part(parts, base, path);
	free(base);
	if (err || stat(path, &st) || st.st_size || !S_ISREG(st.st_mode))
		return err;
	/* In a directory it tells that its writer was stopped at once. */
	return access(parts->list[0].live, F_OK) ? -EBADMSG : 0;
}

int weir_parts_find(const char *trace, struct weir_parts *ret_parts)
{
	struct weir_parts parts = {0};
	struct stat st;
	int err;

	if (stat(trace, &st))
		return -errno;
	err = S_ISDIR(st.st_mode) ? find_in_directory(trace, &parts)
				  : find_single_file(trace, &parts);
	if (err)
		weir_parts_fini(&parts);
	else
		*ret_parts = parts;
	return err;
}

static bool is_raw(const struct weir_block *head)
{
	return head->type == WEIR_BLOCK_CHUNK ||
	       head->type == WEIR_BLOCK_PROFILE || /* until its END comes */
	       (head->type == WEIR_BLOCK_RING &&
		head->flags & WEIR_RING_HANDLES);
}

/* The first block that tells decides: most traces are known at once. */
static int find_state(int fd, enum weir_parts_state *ret_state)
{
	enum weir_parts_state state = WEIR_PARTS_EMPTY;
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	uint64_t count = 0;
	int more;

	weir_blocks_init(&blocks, fd);
	while ((more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		count++;
		if (is_raw(&found.head))
			state = WEIR_PARTS_RAW;
		if (found.head.type != WEIR_BLOCK_EVENTS &&
		    found.head.type != WEIR_BLOCK_END)
			continue;
		state = WEIR_PARTS_PACKED;
		break;
	}
	if (!more)
		more = weir_blocks_close_tail(&blocks);
	if (more >= 0 && !count && blocks.damaged_bytes)
		more = -EBADMSG;
	weir_blocks_fini(&blocks);
	if (more < 0)
		return more;
	*ret_state = state;
	return 0;
}

int weir_parts_open(const struct weir_part *part,
		    struct weir_parts_file *ret_file)
{
	struct weir_parts_file file = {.fd = -1, .state = WEIR_PARTS_EMPTY};
	struct stat st;
	int err = weir_readfile_find(part->path, &file.fd);

	file.has_live = !lstat(part->live, &st);
	if (err == -ENOENT && file.has_live)
		err = 0;
	if (!err && file.fd >= 0)
		err = find_state(file.fd, &file.state);
	/* What was written before its first block is nothing lost. */
	if (err == -EBADMSG && file.fd >= 0 && file.has_live)
		err = 0;
	if (err)
		weir_parts_close(&file);
	else
		*ret_file = file;
	return err;
}

void weir_parts_close(struct weir_parts_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

int weir_parts_open_packed(const struct weir_part *part,
			   struct weir_parts_file *ret_file,
			   struct weir_pack_totals *ret_totals)
{
	struct weir_pack_totals totals = {0};
	struct weir_parts_file file;
	int packed = -1, err = weir_parts_open(part, &file);

	if (err)
		return err;
	if (file.state == WEIR_PARTS_RAW ||
	    (file.state == WEIR_PARTS_EMPTY && file.has_live)) {
		err = weir_packaside_open(&packed);
		if (!err)
			err = weir_packaside_fill(
				file.fd, file.has_live ? part->live : NULL,
				packed, &totals);
		weir_parts_close(&file);
		file.fd = packed;
	}
	if (err) {
		weir_parts_close(&file);
		return err;
	}
	*ret_totals = totals;
	*ret_file = file;
	return 0;
}

/* Tries the texts of one type in turn until `parse` takes one: 0. */
static int find_text(int fd, uint32_t type,
		     int (*parse)(const struct weir_bytes *text, void *to),
		     void *to)
{
	struct weir_blocks_found found;
	struct weir_bytes text = {0};
	struct weir_zip zip = {0};
	struct weir_blocks blocks;
	int more = 1, err = -EBADMSG;

	weir_blocks_init(&blocks, fd);
	while (err == -EBADMSG &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		if (found.head.type != type)
			continue;
		err = weir_blocks_load(fd, &found, &zip, &text);
		if (!err)
			err = parse(&text, to);
	}
	weir_blocks_fini(&blocks);
	weir_bytes_fini(&text);
	weir_zip_fini(&zip);
	if (more < 0)
		return more;
	return err == -EBADMSG ? -ENOENT : err;
}

static int parse_head(const struct weir_bytes *text, void *to)
{
	return weir_nodeinfo_parse(text->data, text->used, to);
}

int weir_parts_host(int fd, struct weir_nodeinfo *ret_info)
{
	return find_text(fd, WEIR_BLOCK_HEAD, parse_head, ret_info);
}

static int parse_dictionary(const struct weir_bytes *text, void *to)
{
	return weir_dictionary_parse(text->data, text->used, to);
}

int weir_parts_dictionary(int fd, struct weir_dictionary **ret_dictionary)
{
	struct weir_dictionary *dictionary = NULL;
	int err = find_text(fd, WEIR_BLOCK_DICT, parse_dictionary, &dictionary);

	if (err && err != -ENOENT)
		return err;
	*ret_dictionary = dictionary;
	return 0;
}
