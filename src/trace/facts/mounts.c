/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what was mounted on a host, and finds the mount of a file. */
#include "trace/facts/mounts.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_mounts_fini(struct weir_mounts *mounts)
{
	for (uint32_t i = 0; i < mounts->count; i++)
		free((void *)(uintptr_t)mounts->list[i].type); /* all three */
	free(mounts->list);
	*mounts = (struct weir_mounts){0};
}

static int are_same_mount(const struct weir_mount *a,
			  const struct weir_mount *b)
{
	return !strcmp(a->point, b->point) && !strcmp(a->type, b->type) &&
	       !strcmp(a->source, b->source);
}

static int has_mount(const struct weir_mounts *mounts,
		     const struct weir_mount *mount)
{
	for (uint32_t i = 0; i < mounts->count; i++)
		if (are_same_mount(&mounts->list[i], mount))
			return 1;
	return 0;
}

/* The texts one behind the other, in one allocation. */
static int copy_mount(const struct weir_mount *from, struct weir_mount *to)
{
	const size_t type = strlen(from->type) + 1;
	const size_t point = strlen(from->point) + 1;
	const size_t source = strlen(from->source) + 1;
	char *text = malloc(type + point + source);

	if (!text)
		return -ENOMEM;
	to->type = memcpy(text, from->type, type);
	to->point = memcpy(text + type, from->point, point);
	to->source = memcpy(text + type + point, from->source, source);
	return 0;
}

int weir_mounts_add(struct weir_mounts *mounts, const struct weir_mount *mount)
{
	int err;

	if (has_mount(mounts, mount))
		return 0;
	if (mounts->count == WEIR_MOUNTS_MOST ||
	    strlen(mount->type) + strlen(mount->point) +
			    strlen(mount->source) > WEIR_MOUNTS_LONGEST) {
		mounts->untold++;
		return 0;
	}
	err = WEIR_GROW(mounts->list, mounts->count, mounts->room);
	err = err ?: copy_mount(mount, &mounts->list[mounts->count]);
	if (!err)
		mounts->count++;
	return err;
}

static int is_octal(char c)
{
	return c >= '0' && c <= '7';
}

void weir_mounts_unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    is_octal(text[2]) && is_octal(text[3])) {
			*to = (char)((text[1] - '0') << 6 |
				     (text[2] - '0') << 3 | (text[3] - '0'));
			text += 3;
		} else {
			*to = *text;
		}
		to += !!*to; /* no NUL belongs there */
	}
	*to = 0;
}

static int write_escaped(struct weir_bytes *to, const char *text)
{
	int err = 0;

	for (; !err && *text; text++) {
		if (*text == ' ')
			err = weir_bytes_add(to, "\\040", 4);
		else if (*text == '\\')
			err = weir_bytes_add(to, "\\134", 4);
		else
			err = weir_bytes_add(to, text, 1);
	}
	return err;
}

int weir_mounts_write(const struct weir_mount *mount, struct weir_bytes *to)
{
	int err = write_escaped(to, mount->type);

	err = err ?: weir_bytes_add(to, " ", 1);
	err = err ?: write_escaped(to, mount->point);
	err = err ?: weir_bytes_add(to, " ", 1);
	return err ?: write_escaped(to, mount->source);
}

int weir_mounts_read(char *text, struct weir_mount *ret_mount)
{
	char *point = strchr(text, ' ');
	char *source = point ? strchr(point + 1, ' ') : NULL;

	if (!source || point == text || point[1] != '/' ||
	    strchr(source + 1, ' '))
		return -EBADMSG;
	*point++ = 0;
	*source++ = 0;
	weir_mounts_unescape(text);
	weir_mounts_unescape(point);
	weir_mounts_unescape(source);
	*ret_mount = (struct weir_mount){text, point, source};
	return 0;
}

static int take_mount_line(const struct weir_props_line *line,
			   struct weir_mounts *mounts)
{
	struct weir_mount mount;
	char *text;
	int err;

	if (weir_props_is(line, WEIR_MOUNTS_UNTOLD) &&
	    weir_props_number(line, &mounts->untold))
		mounts->untold = 0;
	if (!weir_props_is(line, WEIR_MOUNTS_LINE))
		return 0;
	text = malloc(line->value_len + 1);
	if (!text)
		return -ENOMEM;
	weir_props_value(line, text, line->value_len + 1);
	err = weir_mounts_read(text, &mount);
	err = err ? 0 : weir_mounts_add(mounts, &mount);
	free(text);
	return err;
}

int weir_mounts_parse(const void *text, size_t size,
		      struct weir_mounts *mounts)
{
	struct weir_props_walk walk;
	struct weir_props_line line;
	int err = 0;

	weir_props_start(&walk, text, size);
	while (!err && weir_props_next(&walk, &line))
		err = take_mount_line(&line, mounts);
	return err;
}

int weir_mounts_put(const struct weir_mounts *mounts,
		    struct weir_props *props)
{
	struct weir_bytes value = {0};
	int err = 0;

	for (uint32_t i = 0; !err && i < mounts->count; i++) {
		value.used = 0;
		err = weir_mounts_write(&mounts->list[i], &value);
		err = err ?: weir_props_add(props, WEIR_MOUNTS_LINE,
					    value.data, value.used);
	}
	if (!err && mounts->untold)
		err = weir_props_add_number(props, WEIR_MOUNTS_UNTOLD,
					    mounts->untold);
	weir_bytes_fini(&value);
	return err;
}

/* How much of the path the point is; 0: it does not lie below. "/" is 1. */
static size_t covered(const char *path, const char *point)
{
	size_t len = strlen(point);

	if (len == 1)
		return 1;
	return !strncmp(path, point, len) && (!path[len] || path[len] == '/')
		       ? len
		       : 0;
}

const struct weir_mount *weir_mounts_of(const struct weir_mounts *mounts,
					const char *path)
{
	static const char memfd[] = "/memfd:"; /* the kernel's own */
	const struct weir_mount *best = NULL;
	size_t most = 1;

	if (*path != '/' || !strncmp(path, memfd, sizeof(memfd) - 1))
		return NULL;
	for (uint32_t i = 0; i < mounts->count; i++) {
		size_t len = covered(path, mounts->list[i].point);

		if (len < most)
			continue;
		most = len;
		best = &mounts->list[i];
	}
	return best;
}
