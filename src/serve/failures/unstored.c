/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what could not be stored, to people and programs. */
#include "serve/failures/unstored.h"

#include "base/text.h"
#include "base/whole.h"
#include "serve/failures/failures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RANGES_TOLD 20 /* of a file, to people */

static const char *const fates[] = {
	[WEIR_FATE_OPEN] = "open",
	[WEIR_FATE_RESOLVED] = "resolved",
	[WEIR_FATE_DISCARDED] = "discarded",
	[WEIR_FATE_RESCUED] = "rescued",
};

struct matches {
	const char *path; /* "": any */
	uint64_t count;
};

static bool is_of_path(const struct weir_state_failure *entry, void *arg)
{
	const struct matches *matches = arg;

	return !matches->path[0] || !strcmp(matches->path, entry->path);
}

static void count_match(const struct weir_state_failure *entry, void *arg)
{
	struct matches *matches = arg;

	if (entry->fate == WEIR_FATE_OPEN && is_of_path(entry, matches))
		matches->count++;
}

uint64_t weir_unstored_matching(const char *path)
{
	struct matches matches = { .path = path };

	weir_failures_each(count_match, &matches);
	return matches.count;
}

uint32_t weir_unstored_count(void)
{
	return (uint32_t)weir_unstored_matching("");
}

void weir_unstored_forget(const char *path)
{
	struct matches matches = { .path = path };
	struct weir_failures_end end = { .is_meant = is_of_path,
				       .arg = &matches,
				       .fate = WEIR_FATE_DISCARDED };

	weir_failures_close(&end);
}

static const char *name_of_error(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "EIO";
}

static void put_json_string(struct weir_text *text, const char *key,
			    const char *string)
{
	weir_text_format(text, "\"%s\":", key);
	weir_text_json(text, string, strlen(string));
}

static void put_json_number(struct weir_text *text, const char *key,
			    uint64_t number)
{
	weir_text_format(text, "\"%s\":", key);
	weir_text_unsigned(text, number);
	weir_text_char(text, ',');
}

struct list {
	struct weir_text text;
	uint64_t count;
};

static void put_entry(const struct weir_state_failure *entry, void *arg)
{
	struct list *list = arg;
	struct weir_text *text = &list->text;

	weir_text_string(text, list->count++ ? ",\n{" : "\n{");
	put_json_string(text, "path", entry->path);
	weir_text_char(text, ',');
	put_json_number(text, "offset", entry->offset);
	put_json_number(text, "length", entry->length);
	put_json_string(text, "error", name_of_error(entry->error));
	weir_text_char(text, ',');
	put_json_number(text, "tries", entry->tries);
	put_json_number(text, "when", entry->when);
	put_json_string(text, "fate", fates[entry->fate]);
	if (entry->fate == WEIR_FATE_RESCUED) {
		weir_text_char(text, ',');
		put_json_string(text, "rescue", entry->rescue);
	}
	weir_text_char(text, '}');
}

static int write_json(int fd)
{
	struct list list = { 0 };
	int err = weir_text_init(&list.text, fd);

	if (err)
		return err;
	weir_text_string(&list.text, "{\"weir_errors\":1,\"entries\":[");
	weir_failures_each(put_entry, &list);
	weir_text_string(&list.text, "]}\n");
	err = weir_text_flush(&list.text);
	weir_text_fini(&list.text);
	return err;
}

static char *read_whole(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);

	return size < 0 ? NULL : weir_whole_copy(fd, (size_t)size, 0);
}

/* What somebody writes to a file, to be freed; NULL: no memory. */
static char *text_of(int (*write_it)(int fd))
{
	int fd = memfd_create("weir-errors", MFD_CLOEXEC);
	char *text = NULL;

	if (fd < 0)
		return NULL;
	if (!write_it(fd))
		text = read_whole(fd);
	close(fd);
	return text;
}

char *weir_unstored_json(void)
{
	return text_of(write_json);
}

/* Lines for people; those of one file follow each other. */
struct lines {
	struct weir_text text;
	const struct weir_state_failure *last;
	uint64_t ranges, more, bytes; /* of its file: told, not told */
};

static void begin_line(struct lines *lines)
{
	const char *path = lines->last->path;

	weir_text_safe(&lines->text, path, strlen(path));
	weir_text_string(&lines->text, ": ");
}

/* One that was never created is left as it is to be. */
static void print_rescue(struct lines *lines)
{
	const char *name = lines->last->rescue;
	bool is_whole = lines->last->file >= WEIR_BOARD_FILES;

	begin_line(lines);
	weir_text_string(&lines->text, is_whole ?
			 "all of it is in " : "kept for `weir serve recover ");
	weir_text_safe(&lines->text, name, strlen(name));
	weir_text_string(&lines->text, is_whole ? "\n" : "`\n");
}

/* What is told of a file when there are no more entries of it. */
static void end_file(struct lines *lines)
{
	if (lines->more) {
		begin_line(lines);
		weir_text_format(&lines->text,
				 "%" PRIu64 " ranges more, %" PRIu64
				 " bytes\n", lines->more, lines->bytes);
	}
	if (lines->last && lines->last->rescue[0])
		print_rescue(lines);
	lines->last = NULL;
	lines->ranges = lines->more = lines->bytes = 0;
}

static void print_range(struct lines *lines)
{
	const struct weir_state_failure *entry = lines->last;

	begin_line(lines);
	weir_text_format(&lines->text, "bytes %" PRIu64 "-%" PRIu64 ": %s\n",
			 entry->offset, entry->offset + entry->length - 1,
			 strerror(entry->error));
}

static void print_entry(const struct weir_state_failure *entry, void *arg)
{
	struct lines *lines = arg;

	if (entry->fate != WEIR_FATE_OPEN && entry->fate != WEIR_FATE_RESCUED)
		return;
	if (lines->last && (strcmp(lines->last->path, entry->path) != 0 ||
			    strcmp(lines->last->rescue, entry->rescue) != 0))
		end_file(lines);
	lines->last = entry;
	if (lines->ranges++ < RANGES_TOLD) {
		print_range(lines);
	} else {
		lines->more++;
		lines->bytes += entry->length;
	}
}

static int write_lines(int fd)
{
	struct lines lines = { 0 };
	int err = weir_text_init(&lines.text, fd);

	if (err)
		return err;
	weir_failures_each(print_entry, &lines);
	end_file(&lines);
	err = weir_text_flush(&lines.text);
	weir_text_fini(&lines.text);
	return err;
}

void weir_unstored_print(FILE *out)
{
	char *lines = text_of(write_lines);

	if (lines)
		fputs(lines, out);
	free(lines);
}
