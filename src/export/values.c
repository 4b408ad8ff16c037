/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments and results in words, by how the dictionary shows them. */
#include "export/values.h"

#include "trace/trace_layout.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct word {
	uint64_t value;
	const char *name;
};

#define WORD(name) { (name), #name }
#define COUNT(words) (sizeof(words) / sizeof(*(words)))

/* O_SYNC and O_TMPFILE have others in them and so come first. */
static const struct word open_words[] = {
	WORD(O_SYNC),      WORD(O_TMPFILE),  WORD(O_CREAT),  WORD(O_EXCL),
	WORD(O_NOCTTY),    WORD(O_TRUNC),    WORD(O_APPEND), WORD(O_NONBLOCK),
	WORD(O_DSYNC),     WORD(O_DIRECT),   WORD(O_DIRECTORY),
	WORD(O_NOFOLLOW),  WORD(O_NOATIME),  WORD(O_CLOEXEC), WORD(O_PATH),
	WORD(O_ASYNC),     { 0100000, "O_LARGEFILE" },
};

static const struct word whence_words[] = {
	WORD(SEEK_SET),  WORD(SEEK_CUR),  WORD(SEEK_END),
	WORD(SEEK_DATA), WORD(SEEK_HOLE),
};

static const struct word fcntl_words[] = {
	WORD(F_DUPFD),      WORD(F_DUPFD_CLOEXEC), WORD(F_GETFD),
	WORD(F_SETFD),      WORD(F_GETFL),         WORD(F_SETFL),
	WORD(F_GETLK),      WORD(F_SETLK),         WORD(F_SETLKW),
	WORD(F_OFD_GETLK),  WORD(F_OFD_SETLK),     WORD(F_OFD_SETLKW),
	WORD(F_GETOWN),     WORD(F_SETOWN),        WORD(F_GETPIPE_SZ),
	WORD(F_SETPIPE_SZ), WORD(F_GETLEASE),      WORD(F_SETLEASE),
	WORD(F_ADD_SEALS),  WORD(F_GET_SEALS),
};

static const struct word falloc_words[] = {
	WORD(FALLOC_FL_KEEP_SIZE),     WORD(FALLOC_FL_PUNCH_HOLE),
	WORD(FALLOC_FL_COLLAPSE_RANGE), WORD(FALLOC_FL_ZERO_RANGE),
	WORD(FALLOC_FL_INSERT_RANGE),  WORD(FALLOC_FL_UNSHARE_RANGE),
};

static void put_number(struct weir_text *out, uint64_t number, int is_signed)
{
	if (is_signed)
		weir_text_signed(out, (int64_t)number);
	else
		weir_text_unsigned(out, number);
}

/* One of several; a number when it is none of them. */
static void show_one(struct weir_text *out, const struct word *words,
		     size_t count, uint64_t number)
{
	for (size_t i = 0; i < count; i++)
		if (words[i].value == number) {
			weir_text_string(out, words[i].name);
			return;
		}
	weir_text_signed(out, (int64_t)number);
}

/* Several joined by '|', and what has no name in hexadecimal. */
static void show_bits(struct weir_text *out, const struct word *words,
		      size_t count, uint64_t number, int some)
{
	for (size_t i = 0; i < count; i++) {
		if ((number & words[i].value) != words[i].value)
			continue;
		if (some++)
			weir_text_char(out, '|');
		weir_text_string(out, words[i].name);
		number &= ~words[i].value;
	}
	if (!number && some)
		return;
	if (some)
		weir_text_char(out, '|');
	weir_text_hex(out, number);
}

static void show_open(struct weir_text *out, uint64_t flags)
{
	static const char *const access[] = {
		"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE",
	};

	weir_text_string(out, access[flags & O_ACCMODE]);
	show_bits(out, open_words, COUNT(open_words),
		  flags & ~(uint64_t)O_ACCMODE, 1);
}

static void show_dirfd(struct weir_text *out, uint64_t number)
{
	if ((int64_t)number == AT_FDCWD)
		weir_text_string(out, "AT_FDCWD");
	else
		weir_text_signed(out, (int64_t)number);
}

void weir_values_show_number(struct weir_text *out, const char *show,
			     uint64_t number, int is_signed)
{
	if (!strcmp(show, "open_flags"))
		show_open(out, number);
	else if (!strcmp(show, "octal"))
		weir_text_octal(out, number);
	else if (!strcmp(show, "hex"))
		weir_text_hex(out, number);
	else if (!strcmp(show, "whence"))
		show_one(out, whence_words, COUNT(whence_words), number);
	else if (!strcmp(show, "fcntl_cmd"))
		show_one(out, fcntl_words, COUNT(fcntl_words), number);
	else if (!strcmp(show, "falloc_mode"))
		show_bits(out, falloc_words, COUNT(falloc_words), number, 0);
	else if (!strcmp(show, "dirfd"))
		show_dirfd(out, number);
	else
		put_number(out, number, is_signed);
}

static void show_vector(struct weir_text *out, struct weir_value *value)
{
	uint64_t base, len, shown = 0;

	weir_text_char(out, '[');
	while (weir_detail_next_pair(value, &base, &len)) {
		if (shown++)
			weir_text_string(out, ", ");
		weir_text_hex(out, base);
		weir_text_char(out, '+');
		weir_text_unsigned(out, len);
	}
	if (shown < value->vector_given)
		weir_text_string(out, shown ? ", ..." : "...");
	weir_text_char(out, ']');
}

/* What people look for; the rest is in the other formats. */
static void show_stat(struct weir_text *out, const struct weir_value *value)
{
	enum { MODE = 2, SIZE = 7 };

	weir_text_string(out, "{mode=");
	weir_text_octal(out, value->stat[MODE]);
	weir_text_string(out, ", size=");
	weir_text_unsigned(out, value->stat[SIZE]);
	weir_text_char(out, '}');
}

void weir_values_show(struct weir_text *out, struct weir_value *value)
{
	switch (value->kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		weir_text_quoted(out, value->text, value->text_len);
		break;
	case WEIR_WIRE_VECTOR:
		show_vector(out, value);
		break;
	case WEIR_WIRE_STAT:
		show_stat(out, value);
		break;
	case WEIR_WIRE_PAIR:
		weir_text_char(out, '[');
		weir_text_signed(out, (int64_t)value->pair[0]);
		weir_text_string(out, ", ");
		weir_text_signed(out, (int64_t)value->pair[1]);
		weir_text_char(out, ']');
		break;
	default:
		weir_values_show_number(out, value->kind->show, value->number,
					value->is_signed);
	}
}

static void json_vector(struct weir_text *out, struct weir_value *value)
{
	uint64_t base, len;
	int some = 0;

	weir_text_char(out, '[');
	while (weir_detail_next_pair(value, &base, &len)) {
		weir_text_string(out, some++ ? ",[" : "[");
		weir_text_unsigned(out, base);
		weir_text_char(out, ',');
		weir_text_unsigned(out, len);
		weir_text_char(out, ']');
	}
	weir_text_char(out, ']');
}

static void json_stat(struct weir_text *out, const struct weir_value *value)
{
	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		weir_text_string(out, i ? ",\"" : "{\"");
		weir_text_string(out, weir_detail_stat_names[i]);
		weir_text_string(out, "\":");
		put_number(out, value->stat[i], weir_detail_stat_is_time(i));
	}
	weir_text_char(out, '}');
}

void weir_values_json(struct weir_text *out, struct weir_value *value)
{
	switch (value->kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		weir_text_json(out, value->text, value->text_len);
		break;
	case WEIR_WIRE_VECTOR:
		json_vector(out, value);
		break;
	case WEIR_WIRE_STAT:
		json_stat(out, value);
		break;
	case WEIR_WIRE_PAIR:
		weir_text_char(out, '[');
		weir_text_signed(out, (int64_t)value->pair[0]);
		weir_text_char(out, ',');
		weir_text_signed(out, (int64_t)value->pair[1]);
		weir_text_char(out, ']');
		break;
	default:
		put_number(out, value->number, value->is_signed);
	}
}
