/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names and owners in the detail of an event. */
#include "share/mask/maskdetail.h"

#include "base/varint.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/*
 * A detail on its way. It is read to the letter, not by weir_detail_next():
 * what is written must be read by that to the same end, also of a detail
 * that is cut in the middle of a value.
 */
struct way {
	const struct weir_mask *mask;
	const uint8_t *at;
	size_t left;
	struct weir_bytes *to;
	struct weir_bytes text; /* scratch */
};

/* Not an error: the detail ends here. */
#define ENDED 1

/* Numbers that tell who or where, by the names of kinds and fields. */
static const struct {
	const char *name;
	enum weir_mask_number what;
} telling[] = {
	{"uid", WEIR_MASK_UID},	 {"owner", WEIR_MASK_UID},
	{"gid", WEIR_MASK_GID},	 {"group", WEIR_MASK_GID},
	{"ino", WEIR_MASK_INO},	 {"dev", WEIR_MASK_DEV},
	{"rdev", WEIR_MASK_DEV}, {"fsid", WEIR_MASK_DEV},
};

static uint64_t hide(const struct way *way, const char *name, size_t len,
		     uint64_t number)
{
	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++)
		if (len == strlen(telling[i].name) &&
		    !memcmp(name, telling[i].name, len))
			return weir_mask_number(way->mask, telling[i].what,
						number);
	return number;
}

static int get_detail_number(struct way *way, uint64_t *ret_number)
{
	size_t n = weir_varint_get(way->at, way->left, ret_number);

	way->at += n;
	way->left -= n;
	return n ? 0 : ENDED;
}

static int pass_number(struct way *way)
{
	uint64_t number = 0;
	int err = get_detail_number(way, &number);

	return err ? err : weir_bytes_add_varint(way->to, number);
}

static int pass_numbers(struct way *way, uint64_t count)
{
	int err = 0;

	for (uint64_t i = 0; !err && i < count; i++)
		err = pass_number(way);
	return err;
}

/* A plain number; whose it is tells the argument's name. */
static int pass_named(struct way *way, const struct weir_argument *argument)
{
	uint64_t number = 0;
	int err = get_detail_number(way, &number);

	if (err)
		return err;
	number = hide(way, argument->name, strlen(argument->name), number);
	return weir_bytes_add_varint(way->to, number);
}

/* How a stream is opened (r+b) names nothing. */
static int is_mode(const struct weir_kind *kind, const uint8_t *text,
		   size_t len)
{
	if (!kind || strcmp(kind->name, "fmode") || len > 6)
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!text[i] || !strchr("rwabxecm+", text[i]))
			return 0;
	return 1;
}

/* Shapes and extents are texts made of numbers. */
static int has_only_numbers(const struct weir_kind *kind, const uint8_t *text,
			    size_t len)
{
	if (!kind || strcmp(kind->show, "plain"))
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!text[i] || !strchr("0123456789x+*,.", text[i]))
			return 0;
	return 1;
}

/* The type of a file system is a word, or a number. */
static int is_word(const struct weir_kind *kind, const uint8_t *text,
		   size_t len)
{
	if (!kind || strcmp(kind->name, "fstype") || len > 16)
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!islower(text[i]) && !isdigit(text[i]))
			return 0;
	return 1;
}

static int is_layout(const struct weir_kind *kind)
{
	return kind && !strcmp(kind->show, "layout");
}

/* A text that is cut is passed on as far as it goes. kind may be NULL. */
static int pass_text(struct way *way, const struct weir_kind *kind)
{
	uint64_t len = 0;
	int err = get_detail_number(way, &len), is_cut;

	if (err)
		return err;
	is_cut = len > way->left;
	if (is_cut)
		len = way->left;
	way->text.used = 0;
	if (is_mode(kind, way->at, len) ||
	    has_only_numbers(kind, way->at, len) || is_word(kind, way->at, len))
		err = weir_bytes_add(&way->text, way->at, len);
	else if (is_layout(kind))
		err = weir_mask_layout(way->mask, way->at, len, &way->text);
	else
		err = weir_mask_path(way->mask, way->at, len, &way->text);
	way->at += len;
	way->left -= len;
	if (!err)
		err = weir_bytes_add_varint(way->to, way->text.used);
	if (!err)
		err = weir_bytes_add(way->to, way->text.data, way->text.used);
	return err ? err : is_cut ? ENDED : 0;
}

/* Where memory is tells nothing of files, and much of a machine. */
static int drop_number(struct way *way)
{
	uint64_t number = 0;
	int err = get_detail_number(way, &number);

	return err ? err : weir_bytes_add_varint(way->to, 0);
}

static int is_memory(const struct weir_kind *kind)
{
	return !strcmp(kind->name, "into") || !strcmp(kind->name, "from") ||
	       !strcmp(kind->name, "base");
}

static int pass_vector(struct way *way, const struct weir_kind *kind)
{
	int is_of_memory = !strcmp(kind->show, "vector");
	uint64_t shown = 0;
	int err = pass_number(way);

	if (!err)
		err = get_detail_number(way, &shown);
	if (!err)
		err = weir_bytes_add_varint(way->to, shown);
	for (; !err && shown; shown--) {
		err = is_of_memory ? drop_number(way) : pass_number(way);
		err = err ? err : pass_number(way);
	}
	return err;
}

/* Before what may not be filled: 1 when it is, 0, or -errno. */
static int pass_filled(struct way *way, int *ret_filled)
{
	uint64_t filled = 0;
	int err = get_detail_number(way, &filled);

	*ret_filled = !err && filled;
	return err ? err : weir_bytes_add_varint(way->to, filled);
}

static int pass_stat(struct way *way)
{
	int filled, err = pass_filled(way, &filled);

	for (int i = 0; !err && filled && i < WEIR_DETAIL_STAT_FIELDS; i++) {
		const char *name = weir_detail_stat_names[i];
		uint64_t number = 0;

		err = get_detail_number(way, &number);
		if (!err)
			err = weir_bytes_add_varint(
				way->to, hide(way, name, strlen(name), number));
	}
	return err;
}

static int pass_field(struct way *way, const char *name, size_t len)
{
	uint64_t number = 0;
	int err = get_detail_number(way, &number);

	if (err)
		return err;
	number = hide(way, name, len, (uint64_t)weir_varint_unzigzag(number));
	return weir_bytes_add_varint(way->to,
				     weir_varint_zigzag((int64_t)number));
}

/* Fields are told as NAME/NAME:SHOW/$TEXT. */
static int pass_record(struct way *way, const struct weir_kind *kind)
{
	const char *name = kind->show;
	int filled, err = pass_filled(way, &filled);

	while (!err && filled && *name) {
		if (*name == '$')
			err = pass_text(way, NULL);
		else
			err = pass_field(way, name, strcspn(name, ":/"));
		name += strcspn(name, "/");
		name += *name == '/';
	}
	return err;
}

static int pass_pair(struct way *way)
{
	int filled, err = pass_filled(way, &filled);

	return err ? err : filled ? pass_numbers(way, 2) : 0;
}

static int pass_value(struct way *way, const struct weir_argument *argument)
{
	int err;

	switch (argument->kind->wire) {
	case WEIR_WIRE_UNSIGNED:
	case WEIR_WIRE_SIGNED:
	case WEIR_WIRE_OPTIONAL:
		return is_memory(argument->kind) ? drop_number(way)
						 : pass_named(way, argument);
	case WEIR_WIRE_STRING:
		return pass_text(way, argument->kind);
	case WEIR_WIRE_PATH:
		err = pass_number(way);
		return err ? err : pass_text(way, argument->kind);
	case WEIR_WIRE_VECTOR:
		return pass_vector(way, argument->kind);
	case WEIR_WIRE_STAT:
		return pass_stat(way);
	case WEIR_WIRE_HANDLE:
		return pass_numbers(way, 2);
	case WEIR_WIRE_PAIR:
		return pass_pair(way);
	case WEIR_WIRE_RECORD:
		return pass_record(way, argument->kind);
	case WEIR_WIRE_NONE:
		return 0;
	}
	return ENDED; /* a wire of a later version */
}

int weir_maskdetail_write(const struct weir_mask *mask,
			  const struct weir_event *event,
			  const struct weir_call *call, struct weir_bytes *to)
{
	uint32_t site = weir_detail_site_bytes(event);
	struct way way = {
		.mask = mask,
		.at = event->detail,
		.left = event->detail_len - site,
		.to = to,
	};
	int err = 0;

	for (uint32_t i = 0; call && !err && i < call->argument_count; i++)
		if (call->arguments[i].kind->place == WEIR_PLACE_DETAIL)
			err = pass_value(&way, &call->arguments[i]);
	weir_bytes_fini(&way.text);
	if (err >= 0 && site) /* addresses: no names */
		err = weir_bytes_add(to, event->detail + event->detail_len -
						 site, site);
	return err < 0 ? err : way.left != 0;
}
