/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names in the texts of a trace, line by line. */
#include "share/mask/masktext.h"

#include "share/mask/maskmount.h"
#include "trace/facts/mounts.h"
#include "trace/facts/props.h"
#include "trace/layout/trace_layout.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef int mask_text(const struct weir_mask *mask, const void *text,
		      size_t len, struct weir_bytes *to);

static int hide_uid(const struct weir_mask *mask, const void *text, size_t len,
		    struct weir_bytes *to);
static int pass_numbers(const struct weir_mask *mask, const void *text,
			size_t len, struct weir_bytes *to);
static int pass_word(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to);
static int pass_name(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to);

/* All keys that are known, and what becomes of their values. */
static const struct {
	uint32_t type;
	const char *key;
	mask_text *write;
} keys[] = {
	{WEIR_BLOCK_HEAD, "format", pass_numbers},
	{WEIR_BLOCK_HEAD, "weir", pass_word},
	{WEIR_BLOCK_HEAD, "host", weir_mask_host},
	{WEIR_BLOCK_HEAD, "created", pass_numbers},
	{WEIR_BLOCK_HEAD, "clock", pass_word},
	{WEIR_BLOCK_HEAD, "tick0", pass_numbers},
	{WEIR_BLOCK_HEAD, "mono0", pass_numbers},
	{WEIR_BLOCK_HEAD, "real0", pass_numbers},
	{WEIR_BLOCK_HEAD, "mult", pass_numbers},
	{WEIR_BLOCK_HEAD, "clock_of", pass_numbers},
	{WEIR_BLOCK_HEAD, "clock_begin", pass_word},
	{WEIR_BLOCK_HEAD, "clock_end", pass_word},
	{WEIR_BLOCK_HEAD, WEIR_MOUNTS_UNTOLD, pass_numbers},
	{WEIR_BLOCK_PROC, "pid", pass_numbers},
	{WEIR_BLOCK_PROC, "ppid", pass_numbers},
	{WEIR_BLOCK_PROC, "uid", hide_uid},
	{WEIR_BLOCK_PROC, "start", pass_numbers},
	{WEIR_BLOCK_PROC, "image", pass_numbers},
	{WEIR_BLOCK_PROC, "exe", weir_mask_program},
	{WEIR_BLOCK_PROC, "cwd", weir_mask_path},
	{WEIR_BLOCK_PROC, "arg", weir_mask_argument},
	{WEIR_BLOCK_PROC, "tick0", pass_numbers},
	{WEIR_BLOCK_PROC, "thread", pass_numbers},
	{WEIR_BLOCK_PROC, "dropped", pass_numbers},
	{WEIR_BLOCK_PROC, "outside", pass_numbers},
	{WEIR_BLOCK_PROC, "lost", pass_numbers},
	{WEIR_BLOCK_PROC, "polls", pass_numbers},
	{WEIR_BLOCK_PROC, "system", pass_numbers},
	{WEIR_BLOCK_PROC, "excluded", pass_numbers},
	{WEIR_BLOCK_PROC, "paused", pass_numbers},
	{WEIR_BLOCK_PROC, "kept", pass_numbers},
	{WEIR_BLOCK_PROC, "overwritten", pass_numbers},
	{WEIR_BLOCK_PROC, "trait.rank", pass_numbers},
	{WEIR_BLOCK_PROC, "trait.size", pass_numbers},
	{WEIR_BLOCK_PROC, "trait.thread_level", pass_word},
	{WEIR_BLOCK_PROC, "trait.launcher", pass_word},
	{WEIR_BLOCK_PROC, "trait.mpi", pass_word},
	{WEIR_BLOCK_PROC, "trait.hdf5", pass_word},
	{WEIR_BLOCK_PROC, "trait.pnetcdf", pass_word},
	{WEIR_BLOCK_PROC, "trait.role", pass_word},
	{WEIR_BLOCK_PROC, "trait.policy", pass_word},
	{WEIR_BLOCK_PROC, "trait.on_close", pass_word},
	{WEIR_BLOCK_PROC, "trait.cache", pass_numbers},
	{WEIR_BLOCK_PROC, "stop", pass_word},
	{WEIR_BLOCK_PROC, "state", pass_word},
	{WEIR_BLOCK_PROC, "end", pass_word},
	{WEIR_BLOCK_END, "events", pass_numbers},
	{WEIR_BLOCK_END, "calls", pass_numbers},
	{WEIR_BLOCK_END, "dropped", pass_numbers},
	{WEIR_BLOCK_END, "lost", pass_numbers},
	{WEIR_BLOCK_END, "procs", pass_numbers},
	{WEIR_BLOCK_END, "complete", pass_word},
	{WEIR_BLOCK_END, "pad", pass_numbers},
	{WEIR_BLOCK_NODE, "unrecorded", pass_word},
	{WEIR_BLOCK_PLAN, "plan", pass_word},
	{WEIR_BLOCK_PLAN, "unplanned", pass_numbers},
	{WEIR_BLOCK_PLAN, "setting", pass_name},
	{WEIR_BLOCK_PLAN, "layer", pass_numbers},
	{WEIR_BLOCK_PLAN, "value", weir_mask_argument},
	{WEIR_BLOCK_PLAN, "file", weir_mask_path},
	{WEIR_BLOCK_PLAN, "dataset", weir_mask_path},
	{WEIR_BLOCK_PLAN, "outcome", pass_numbers},
	{WEIR_BLOCK_PLAN, "of", pass_numbers},
	{WEIR_BLOCK_PLAN, "why", weir_mask_argument},
};

/* The value is not of the form it should have: it could hide anything. */
#define STRANGE	  1

#define MOST_WORD 128

static int is_made_of(const void *text, size_t len, const char *others,
		      int letters)
{
	const unsigned char *c = text;

	for (size_t i = 0; i < len; i++)
		if (!isdigit(c[i]) && !(letters && isalpha(c[i])) &&
		    !(c[i] && strchr(others, c[i])))
			return 0;
	return len <= MOST_WORD;
}

static int pass_numbers(const struct weir_mask *mask, const void *text,
			size_t len, struct weir_bytes *to)
{
	if (!is_made_of(text, len, " ", 0))
		return STRANGE;
	return weir_bytes_add(to, text, len);
}

/* A few short words: tsc, no-memory, 0.1.0, file-limit 3 17. */
static int pass_word(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to)
{
	if (!is_made_of(text, len, " .-+~", 1))
		return STRANGE;
	return weir_bytes_add(to, text, len);
}

/* Of a parameter. */
static int pass_name(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to)
{
	if (!is_made_of(text, len, "_", 1))
		return STRANGE;
	return weir_bytes_add(to, text, len);
}

static int hide_uid(const struct weir_mask *mask, const void *text, size_t len,
		    struct weir_bytes *to)
{
	char digits[24] = "", *d = digits + sizeof(digits);
	uint64_t uid;

	if (!is_made_of(text, len, "", 0) || len >= sizeof(digits))
		return STRANGE;
	memcpy(digits, text, len);
	uid = weir_mask_number(mask, WEIR_MASK_UID, strtoull(digits, NULL, 10));
	do
		*--d = (char)('0' + uid % 10);
	while (uid /= 10);
	return weir_bytes_add(to, d, (size_t)(digits + sizeof(digits) - d));
}

static void note_unknown(struct weir_masktext_unknown *unknown,
			 const char *line, size_t len)
{
	size_t n = 0;

	if (!unknown->lines++) {
		while (n < len && n + 1 < sizeof(unknown->first) &&
		       (isalnum((unsigned char)line[n]) ||
			strchr("-_", line[n])) &&
		       line[n])
			n++;
		memcpy(unknown->first, line, n);
		unknown->first[n] = 0;
	}
}

static mask_text *writer_of(uint32_t type, const struct weir_props_line *line,
			    const char **ret_key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i].type != type || !weir_props_is(line, keys[i].key))
			continue;
		*ret_key = keys[i].key;
		return keys[i].write;
	}
	return NULL;
}

/* What a line of text is worked on with. */
struct bench {
	const struct weir_mask *mask;
	struct weir_masktext_unknown *unknown;
	struct weir_bytes value, hidden;
	struct weir_props out;
};

static int write_line(struct bench *bench, uint32_t type,
		      const struct weir_props_line *line)
{
	const char *key = NULL;
	mask_text *write = writer_of(type, line, &key);
	int err = STRANGE;

	if (type == WEIR_BLOCK_HEAD && weir_props_is(line, WEIR_MOUNTS_LINE)) {
		err = weir_maskmount_write(bench->mask, line, &bench->out);
		if (err != -EBADMSG)
			return err;
		err = STRANGE;
	}
	bench->hidden.used = 0;
	if (write) {
		bench->value.used = 0;
		err = weir_bytes_reserve(&bench->value, line->value_len + 1);
		if (err)
			return err;
		bench->value.used = weir_props_value(
			line, (char *)bench->value.data, line->value_len + 1);
		err = write(bench->mask, bench->value.data, bench->value.used,
			    &bench->hidden);
	}
	if (err == STRANGE)
		note_unknown(bench->unknown, line->key, line->key_len);
	if (err)
		return err < 0 ? err : 0;
	return weir_props_add(&bench->out, key, bench->hidden.data,
			      bench->hidden.used);
}

static int write_props(const struct weir_mask *mask, uint32_t type,
		       const struct weir_bytes *text, struct weir_bytes *to,
		       struct weir_masktext_unknown *unknown)
{
	struct bench bench = {.mask = mask, .unknown = unknown};
	struct weir_props_walk walk;
	struct weir_props_line line;
	int err = 0;

	weir_props_init(&bench.out);
	weir_props_start(&walk, text->data, text->used);
	while (!err && weir_props_next(&walk, &line))
		err = write_line(&bench, type, &line);
	if (!err)
		err = weir_bytes_add(to, bench.out.text, bench.out.used);
	weir_props_fini(&bench.out);
	weir_bytes_fini(&bench.value);
	weir_bytes_fini(&bench.hidden);
	return err;
}

static int begins_with(const char *line, size_t len, const char *word)
{
	size_t word_len = strlen(word);

	return len > word_len && !memcmp(line, word, word_len);
}

/* Only the lines that make up a dictionary. */
static int write_dictionary(const struct weir_bytes *text,
			    struct weir_bytes *to,
			    struct weir_masktext_unknown *unknown)
{
	const char *line = (const char *)text->data;
	size_t left = text->used;
	int err = 0;

	while (!err && left) {
		const char *end = memchr(line, '\n', left);
		size_t len = end ? (size_t)(end - line) + 1 : left;

		if (begins_with(line, len, "kind ") ||
		    begins_with(line, len, "layer ") ||
		    begins_with(line, len, "call ") ||
		    begins_with(line, len, "class "))
			err = weir_bytes_add(to, line, len);
		else if (len > 1)
			note_unknown(unknown, line, len);
		line += len;
		left -= len;
	}
	return err;
}

int weir_masktext_knows(uint32_t type)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].type == type)
			return 1;
	return type == WEIR_BLOCK_DICT;
}

int weir_masktext_write(const struct weir_mask *mask, uint32_t type,
			const struct weir_bytes *text, struct weir_bytes *to,
			struct weir_masktext_unknown *unknown)
{
	if (!weir_masktext_knows(type))
		return -EINVAL;
	if (type == WEIR_BLOCK_DICT)
		return write_dictionary(text, to, unknown);
	return write_props(mask, type, text, to, unknown);
}
