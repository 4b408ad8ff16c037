/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the files of a trace by mount. */
#include "share/filemounts.h"

#include "base/grow.h"
#include "base/varint.h"
#include "trace/read/readshelf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_filemounts_fini(struct weir_filemounts *to)
{
	weir_names_fini(&to->mounts);
	weir_names_fini(&to->seen);
	free(to->files);
	*to = (struct weir_filemounts){0};
}

static int grow_to_mounts(struct weir_filemounts *to)
{
	return WEIR_GROW_ZEROED(to->files, to->mounts.count, to->room);
}

/* No type has a space in it: what is before the first one is the type. */
static int number_mount(struct weir_filemounts *to,
			const struct weir_mount *mount, uint32_t *ret_number)
{
	struct weir_bytes text = {0};
	int err = weir_bytes_add(&text, mount->type,
				 strcspn(mount->type, " "));

	err = err ?: weir_bytes_add(&text, " ", 1);
	err = err ?: weir_bytes_add(&text, mount->point, strlen(mount->point));
	err = err ?: weir_names_add(&to->mounts, text.data, text.used,
				    ret_number);
	weir_bytes_fini(&text);
	return err ?: grow_to_mounts(to);
}

static int count_file(struct weir_filemounts *to,
		      const struct weir_mounts *mounts, uint32_t file)
{
	const struct weir_mount *mount;
	uint32_t number = 0;
	size_t len = 0;
	int err;

	mount = weir_mounts_of(mounts, weir_names_get(&to->seen, file, &len));
	if (!mount)
		return 0;
	err = number_mount(to, mount, &number);
	if (!err)
		to->files[number - 1]++;
	return err;
}

int weir_filemounts_see_name(struct weir_filemounts *to, const char *name,
			     size_t len)
{
	uint32_t number;

	to->seen.most = WEIR_READSHELF_NAMES;
	return weir_names_add(&to->seen, name, len, &number);
}

int weir_filemounts_see(struct weir_filemounts *to,
			const struct weir_bytes *names)
{
	const uint8_t *at = names->data;
	size_t left = names->used, n;
	uint64_t len;
	int err = 0;

	while (!err && left) {
		n = weir_varint_get(at, left, &len);
		if (!n || len > left - n)
			return -EBADMSG;
		err = weir_filemounts_see_name(to, (const char *)at + n, len);
		at += n + len;
		left -= n + len;
	}
	return err;
}

int weir_filemounts_settle(struct weir_filemounts *to,
			   const struct weir_mounts *mounts)
{
	uint32_t number;
	int err = 0;

	for (uint32_t i = 0; !err && i < mounts->count; i++)
		err = number_mount(to, &mounts->list[i], &number);
	while (!err && mounts->count && to->settled < to->seen.count)
		err = count_file(to, mounts, ++to->settled);
	return err;
}

const char *weir_filemounts_get(const struct weir_filemounts *of,
				uint32_t number, size_t *ret_type_len,
				const char **ret_point)
{
	size_t len;
	const char *text = weir_names_get(&of->mounts, number, &len);

	*ret_type_len = strcspn(text, " ");
	*ret_point = text + *ret_type_len + 1;
	return text;
}
