/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names in a mount as HEAD has it. */
#include "share/mask/maskmount.h"

#include "trace/facts/mounts.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define MOST_TYPE 64

/* fuse.sshfs, binfmt_misc: anything else could hide a name. */
static int is_type(const char *type)
{
	const char *c = type;

	while (isalnum((unsigned char)*c) || (*c && strchr("._-", *c)))
		c++;
	return !*c && c != type && c - type <= MOST_TYPE;
}

static int put_masked_mount(const struct weir_mount *mount,
			    struct weir_props *to)
{
	struct weir_bytes value = {0};
	int err = weir_mounts_write(mount, &value);

	err = err ?: weir_props_add(to, WEIR_MOUNTS_LINE, value.data,
				    value.used);
	weir_bytes_fini(&value);
	return err;
}

static int put_hidden(const struct weir_mask *mask,
		      const struct weir_mount *mount, struct weir_props *to)
{
	struct weir_bytes point = {0}, source = {0};
	struct weir_mount hidden = *mount;
	int err;

	err = weir_mask_path(mask, mount->point, strlen(mount->point), &point);
	err = err ?: weir_mask_source(mask, mount->source,
				      strlen(mount->source), &source);
	err = err ?: weir_bytes_add(&point, "", 1);
	err = err ?: weir_bytes_add(&source, "", 1);
	hidden.point = (const char *)point.data;
	hidden.source = (const char *)source.data;
	err = err ?: put_masked_mount(&hidden, to);
	hidden.point = mount->point;
	if (!err && weir_mask_keeps_below(mask, mount->point))
		err = put_masked_mount(&hidden, to);
	weir_bytes_fini(&point);
	weir_bytes_fini(&source);
	return err;
}

int weir_maskmount_write(const struct weir_mask *mask,
			 const struct weir_props_line *line,
			 struct weir_props *to)
{
	struct weir_bytes text = {0};
	struct weir_mount mount;
	int err = weir_bytes_reserve(&text, line->value_len + 1);

	if (err)
		return err;
	weir_props_value(line, (char *)text.data, line->value_len + 1);
	err = weir_mounts_read((char *)text.data, &mount);
	if (!err && !is_type(mount.type))
		err = -EBADMSG;
	err = err ?: put_hidden(mask, &mount, to);
	weir_bytes_fini(&text);
	return err;
}
