/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of disks: what they consume, as data. */
#include "analyse/query/diskmodel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LINE 256
#define MOST 1e6 /* of any figure */

const char *weir_diskmodel_find(const char *name)
{
	const struct weir_diskmodel_text *it = weir_diskmodel_texts;

	while (it->name && strcmp(it->name, name))
		it++;
	return it->text;
}

/* Digits, and a point between them. */
static bool read_figure(const char *text, double *ret_figure)
{
	size_t len = strspn(text, "0123456789.");
	double figure;

	if (!len || text[len] || text[0] == '.' || text[len - 1] == '.' ||
	    strchr(text, '.') != strrchr(text, '.'))
		return false;
	figure = strtod(text, NULL);
	if (figure > MOST)
		return false;
	*ret_figure = figure;
	return true;
}

static bool is_plain_text(const char *text)
{
	for (; *text; text++)
		if ((*text < ' ' && *text != '\t') || *text > '~')
			return false;
	return true;
}

static bool copy_text(char *to, size_t room, const char *text)
{
	if (strlen(text) >= room)
		return false;
	strcpy(to, text);
	return true;
}

enum { NAME, SOURCE, ACTIVE, IDLE, RPM, CAPACITY, KEYS };

static const char *const keys[KEYS] = {
	[NAME] = "name",	   [SOURCE] = "source",
	[ACTIVE] = "active_watts", [IDLE] = "idle_watts",
	[RPM] = "rpm",		   [CAPACITY] = "capacity_gb",
};

static bool set(struct weir_diskmodel *model, int key, const char *value)
{
	switch (key) {
	case NAME:
		return copy_text(model->name, sizeof(model->name), value);
	case SOURCE:
		return copy_text(model->source, sizeof(model->source), value);
	case ACTIVE:
		return read_figure(value, &model->active_watts);
	case IDLE:
		return read_figure(value, &model->idle_watts);
	case RPM:
		return read_figure(value, &model->rpm);
	default:
		return read_figure(value, &model->capacity_gb);
	}
}

/* What is wrong with a line; NULL: nothing. */
static const char *take_setting(struct weir_diskmodel *model, char *line,
				unsigned *seen)
{
	char *value = line + strcspn(line, " \t");
	int key = 0;

	if (!is_plain_text(line))
		return "it has a byte that is no plain text";
	if (*value)
		*value++ = '\0';
	value += strspn(value, " \t");
	while (key < KEYS && strcmp(keys[key], line))
		key++;
	if (key == KEYS)
		return "its key is none of name, source, active_watts, "
		       "idle_watts, rpm and capacity_gb";
	if (*seen >> key & 1)
		return "its key is there twice";
	*seen |= 1u << key;
	if (!*value)
		return "its value is missing";
	return set(model, key, value) ? NULL :
	       key <= SOURCE ? "its value is too long" :
			       "its value is no number from 0 to 1000000";
}

/* Cuts the next line off; false: it is too long. */
static bool next_line(const char **text, size_t *left, char line[LINE])
{
	const char *end = memchr(*text, '\n', *left);
	size_t len = end ? (size_t)(end - *text) : *left;
	size_t used = len;

	if (len >= LINE)
		return false;
	while (used && ((*text)[used - 1] == ' ' || (*text)[used - 1] == '\t'))
		used--;
	memcpy(line, *text, used);
	line[used] = '\0';
	*text += len + !!end;
	*left -= len + !!end;
	return strlen(line) == used;
}

int weir_diskmodel_parse(const char *text, size_t len,
			 struct weir_diskmodel *ret_model, unsigned *ret_line,
			 const char **ret_why)
{
	struct weir_diskmodel model = { .rpm = 0 };
	unsigned seen = 0;
	char line[LINE];

	*ret_why = NULL;
	for (*ret_line = 1; len && !*ret_why; ++*ret_line) {
		if (!next_line(&text, &len, line))
			*ret_why = "it is longer than 255 bytes, or has a NUL";
		else if (*line && *line != '#')
			*ret_why = take_setting(&model, line, &seen);
	}
	--*ret_line;
	if (*ret_why)
		return -EINVAL;
	*ret_line = 0;
	if (~seen & (1u << NAME | 1u << ACTIVE | 1u << IDLE))
		*ret_why = "name, active_watts and idle_watts must be there";
	else if (model.active_watts < model.idle_watts)
		*ret_why = "active_watts is less than idle_watts";
	else
		*ret_model = model;
	return *ret_why ? -EINVAL : 0;
}
