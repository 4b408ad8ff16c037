/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares what the files know that follow what happens to files. */
#include "verify/following.h"

#include <errno.h>
#include <string.h>

bool weir_following_argument(const struct weir_following *f, const char *name,
			     struct weir_value *ret_value)
{
	struct weir_detail detail;

	weir_detail_start(&detail, f->event, f->call);
	while (weir_detail_next(&detail, ret_value))
		if (!strcmp(ret_value->name, name))
			return ret_value->given;
	return false;
}

bool weir_following_given(const struct weir_following *f, uint8_t argument,
			  struct weir_value *ret_value)
{
	return argument &&
	       weir_following_argument(
		       f, f->call->arguments[argument - 1].name, ret_value);
}

int64_t weir_following_file(struct weir_following *f)
{
	size_t len;
	const char *name = weir_reader_name(f->reader, f->event->file, &len);
	const char *inside = name ? weir_output_inside(name, len) : NULL;

	if (!name || !len || *name != '/')
		return -ENOENT;
	return weir_output_file(f->written, name,
				inside ? (size_t)(inside - name) - 1 : len);
}

/* What is in the file: where the handle stands, and a name from there on. */
static int path_inside(struct weir_following *f, char sign)
{
	size_t len;
	const char *name = weir_reader_name(f->reader, f->event->file, &len);
	const char *inside = name ? weir_output_inside(name, len) : NULL;
	struct weir_value text;
	int err = 0;

	if (!weir_following_given(f, f->call->means.name, &text) || !text.text)
		return -ENOENT;
	f->path.used = 0;
	if (inside && (sign == '@' || text.text[0] != '/'))
		err = weir_bytes_add(&f->path, inside,
				     len - (size_t)(inside - name));
	else if (sign == '@')
		err = weir_bytes_add(&f->path, "/", 1);
	if (!err && (sign == '@' || text.text[0] != '/'))
		err = weir_bytes_add(&f->path, &sign, 1);
	if (!err)
		err = weir_bytes_add(&f->path, text.text, text.text_len);
	return err ? err : weir_bytes_add(&f->path, "", 1);
}

int weir_following_hdf5_remove(struct weir_following *f)
{
	char sign = weir_call_has(f->call, WEIR_TRAIT_ATTRIBUTE) ? '@' : '/';
	int64_t file = weir_following_file(f);
	int err = file < 0 ? (int)file : path_inside(f, sign);

	if (!err)
		weir_output_remove_inside(f->written, (uint32_t)file,
					  (char *)f->path.data);
	return err == -ENOENT ? 0 : err;
}
