/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes stripes on Lustre as commands, by file or by directory. */
#include "plan/export/planexport.h"

#include "spec/params.h"

#include <string.h>

#define SPECIAL "*?["

/* Hints of MPI-IO mean the same; in the order of the command. */
static const struct {
	const char *option;
	enum weir_param params[3];
} options[] = {
	{ "-c", { WEIR_PARAM_STRIPE_COUNT, WEIR_PARAM_STRIPING_FACTOR } },
	{ "-S", { WEIR_PARAM_STRIPE_SIZE, WEIR_PARAM_STRIPING_UNIT } },
	{ "-i", { WEIR_PARAM_STRIPE_OFFSET, WEIR_PARAM_START_IODEVICE,
		  WEIR_PARAM_ROMIO_LUSTRE_START_IODEVICE } },
};

#define OPTIONS (sizeof(options) / sizeof(*options))

/* Which option it is; OPTIONS: none. */
static size_t option_of(const struct weir_plan_item *item)
{
	for (size_t i = 0; i < OPTIONS; i++)
		for (int k = 0; k < 3; k++)
			if (options[i].params[k] == item->param->param)
				return i;
	return OPTIONS;
}

/* Whether a part of a pattern stands for nothing but itself. */
static int is_plain_pattern(const char *pattern, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr(SPECIAL, pattern[i]))
			return 0;
		i += pattern[i] == '\\';
	}
	return 1;
}

/* PATH, or DIR followed by a star: how much of it is the path. */
static size_t length_of_path(const char *pattern)
{
	size_t length = strlen(pattern);

	if (length > 1 && !strcmp(pattern + length - 2, "/*"))
		length -= length > 2 ? 2 : 1;
	return length && is_plain_pattern(pattern, length) ? length : 0;
}

const char *weir_planexport_stripes_judge(const struct weir_plan_item *item)
{
	if (option_of(item) == OPTIONS)
		return weir_planexport_elsewhere(item->param->target);
	if (*item->dataset)
		return "stripes are of files, not of datasets";
	if (*item->file && !length_of_path(item->file))
		return "lfs sets stripes of a file or of a directory (DIR/*), "
		       "not of a pattern";
	return NULL;
}

/* The last one of this option and file; they are the same for lfs. */
static const struct weir_plan_item *
last_of(const struct weir_planexport *export, const char *file, size_t option)
{
	for (size_t i = export->plan->count; i-- > 0;) {
		const struct weir_plan_item *item = &export->plan->items[i];

		if (option_of(item) == option && !strcmp(item->file, file) &&
		    weir_planexport_has(export, item))
			return item;
	}
	return NULL;
}

/* Without the backslashes that took meanings away. */
static void put_path(struct weir_text *out, const char *pattern)
{
	size_t length = length_of_path(pattern);
	char letter[2] = "";

	if (!length) {
		weir_text_string(out, " .");
		return;
	}
	weir_text_string(out, " '");
	if (*pattern == '-')
		weir_text_string(out, "./");
	for (size_t i = 0; i < length; i++) {
		i += pattern[i] == '\\' && i + 1 < length;
		letter[0] = pattern[i];
		weir_planexport_word_part(out, letter);
	}
	weir_text_char(out, '\'');
}

/*
 * One command a file: a second setstripe would put the rest back to defaults.
 */
static void put_command(struct weir_planexport *export, const char *file)
{
	weir_text_string(export->out, "lfs setstripe");
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct weir_plan_item *item = last_of(export, file, i);

		if (!item)
			continue;
		weir_text_format(export->out, " %s ", options[i].option);
		weir_text_string(export->out, item->value);
	}
	put_path(export->out, file);
	weir_text_char(export->out, '\n');
}

/* Whether an earlier setting is for the same file. */
static int is_done(const struct weir_planexport *export, size_t at)
{
	const struct weir_plan_item *items = export->plan->items;

	for (size_t i = 0; i < at; i++)
		if (weir_planexport_has(export, &items[i]) &&
		    !strcmp(items[i].file, items[at].file))
			return 1;
	return 0;
}

/* Of a hint and a setting of the same, the later one is taken. */
static void tell_outdone(struct weir_planexport *export,
			 const struct weir_plan_item *item)
{
	const struct weir_plan_item *last =
		last_of(export, item->file, option_of(item));

	if (last != item && strcmp(last->value, item->value))
		weir_planexport_leave_out(export, item,
					  "a later setting of the "
					  "same file says it otherwise");
}

void weir_planexport_stripes_write(struct weir_planexport *export)
{
	for (size_t i = 0; i < export->plan->count; i++)
		if (weir_planexport_has(export, &export->plan->items[i]))
			tell_outdone(export, &export->plan->items[i]);
	for (size_t i = 0; i < export->plan->count; i++)
		if (weir_planexport_has(export, &export->plan->items[i]) &&
		    !is_done(export, i))
			put_command(export, export->plan->items[i].file);
}
