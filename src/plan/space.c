/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from XML which values parameters may have, and checks them. */
#include "plan/space.h"

#include "base/grow.h"
#include "plan/complaint.h"
#include "plan/parameter.h"
#include "plan/value.h"
#include "plan/xmlread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS (UINT64_C(1) << 62)

/* While it is read. */
struct reading {
	struct weir_space *space;
	struct weir_complaints complaints;
	unsigned depth;
	int err;
};

static void free_values(struct weir_space_axis *axis)
{
	for (size_t i = 0; i < axis->count; i++) {
		free(axis->values[i].value);
		free(axis->values[i].file);
		free(axis->values[i].dataset);
	}
	free(axis->values);
}

void weir_space_free(struct weir_space *space)
{
	if (!space)
		return;
	for (size_t p = 0; p < space->count; p++) {
		struct weir_space_platform *platform = &space->platforms[p];

		for (size_t a = 0; a < platform->count; a++) {
			free_values(&platform->axes[a]);
			free(platform->axes[a].tied_to);
		}
		free(platform->axes);
		free(platform->name);
		free(platform->about);
	}
	free(space->platforms);
	free(space->path);
	free(space);
}

static const char *attribute(const struct weir_xmlread_element *element,
			     const char *key)
{
	for (unsigned i = 0; i < element->count; i++)
		if (!strcmp(element->key[i], key))
			return element->value[i];
	return NULL;
}

#define COMPLAIN(r, line, ...) \
	weir_complaint_tell(&(r)->complaints, line, __VA_ARGS__)

/* Attributes that nobody would read are mistakes. */
static void check_attributes(struct reading *r,
			     const struct weir_xmlread_element *element,
			     const char *const *known)
{
	for (unsigned i = 0; i < element->count; i++) {
		const char *const *word = known;

		while (*word && strcmp(*word, element->key[i]))
			word++;
		if (!*word)
			COMPLAIN(r, element->line,
				 "%.60s has no attribute `%.60s'; take it out",
				 element->name, element->key[i]);
	}
}

static char *copy_text(struct reading *r, const char *text)
{
	char *made = strdup(text ? text : "");

	if (!made)
		r->err = -ENOMEM;
	return made;
}

/*
 * A platform that is wrong is kept all the same: its parameters are looked at
 * too.
 */
static void open_platform(struct reading *r,
			  const struct weir_xmlread_element *element)
{
	static const char *const known[] = { "name", "about", NULL };
	struct weir_space *space = r->space;
	const char *name = attribute(element, "name");

	check_attributes(r, element, known);
	if (strcmp(element->name, "platform"))
		COMPLAIN(r, element->line, "`%.60s' has no place here; put "
			 "parameters into <platform name=\"...\">",
			 element->name);
	else if (!name || !*name)
		COMPLAIN(r, element->line, "a platform has no name; write "
			 "<platform name=\"...\">");
	for (size_t i = 0; name && i < space->count; i++)
		if (!strcmp(space->platforms[i].name, name))
			COMPLAIN(r, element->line, "platform `%.60s' is also "
				 "in line %u; give it another name", name,
				 space->platforms[i].line);
	if (space->count == WEIR_SPACE_PLATFORMS) {
		COMPLAIN(r, element->line, "more than %d platforms",
			 WEIR_SPACE_PLATFORMS);
		r->err = -EINVAL;
	} else if (WEIR_GROW(space->platforms, space->count, space->room)) {
		r->err = -ENOMEM;
	} else {
		space->platforms[space->count++] = (struct weir_space_platform){
			.name = copy_text(r, name),
			.about = copy_text(r, attribute(element, "about")),
			.line = element->line,
		};
	}
}

/* NULL: there is none, which has been told. */
static const struct weir_param_row *
find_param(struct reading *r, const struct weir_xmlread_element *element)
{
	const struct weir_param_row *param =
		weir_parameter_find(element->name);
	const char *why = weir_parameter_excluded(element->name, NULL);
	const char *near = weir_parameter_nearest(element->name);

	if (param)
		return param;
	if (why)
		COMPLAIN(r, element->line, "%.60s is excluded: %s; take it "
			 "out", element->name, why);
	else
		COMPLAIN(r, element->line, "`%.60s' is no parameter; %s%s",
			 element->name, near ? "perhaps " : "see weir plan "
			 "params", near ? near : "");
	return NULL;
}

static bool is_yes(const char *text)
{
	return text && !strcmp(text, "yes");
}

/* One value, with all that a setting of a plan would have. */
static void add_value(struct reading *r, struct weir_space_axis *axis,
		      const struct weir_xmlread_element *element,
		      const char *text)
{
	struct weir_plan_item item = { .param = axis->param,
				       .line = element->line };
	char why[WEIR_VALUE_WHY] = "";
	int err = weir_value_understand(&item, text, why);

	if (err == -EINVAL)
		COMPLAIN(r, element->line, "%s: %s", axis->param->name, why);
	if (!err && weir_parameter_is_opt_in(&item) &&
	    !is_yes(attribute(element, "opt-in")))
		COMPLAIN(r, element->line, "%s %.60s wants opt-in=\"yes\"",
			 axis->param->name, item.value);
	for (size_t i = 0; !err && i < axis->count; i++)
		if (!axis->tied_to && !strcmp(axis->values[i].value,
					      item.value))
			COMPLAIN(r, element->line, "%s has %.60s twice; take "
				 "one out", axis->param->name, item.value);
	if (!err)
		err = WEIR_GROW(axis->values, axis->count, axis->room);
	if (err) {
		free(item.value);
		r->err = err == -EINVAL ? r->err : err;
		return;
	}
	item.flags = is_yes(attribute(element, "force")) ? WEIR_PLAN_FORCE : 0;
	item.file = copy_text(r, attribute(element, "file"));
	item.dataset = copy_text(r, attribute(element, "dataset"));
	axis->values[axis->count++] = item;
}

/* Blanks part values, for some have commas in them. */
static void add_values(struct reading *r, struct weir_space_axis *axis,
		       const struct weir_xmlread_element *element)
{
	static const char blanks[] = " \t\r\n";
	char *text = copy_text(r, attribute(element, "values"));
	char *rest = text, *word;

	while (text && !r->err && (word = strsep(&rest, blanks)))
		if (*word && axis->count < WEIR_SPACE_VALUES)
			add_value(r, axis, element, word);
		else if (*word)
			break;
	if (axis->count == WEIR_SPACE_VALUES)
		COMPLAIN(r, element->line, "%s has more than %d values",
			 axis->param->name, WEIR_SPACE_VALUES - 1);
	else if (!axis->count && !r->err && !r->complaints.count)
		COMPLAIN(r, element->line, "%s has no values; write "
			 "values=\"A B C\" or tied-to=\"PARAMETER\"",
			 axis->param->name);
	free(text);
}

/*
 * Two lists of one parameter would be two axes, and points that have it twice.
 */
static void check_again(struct reading *r,
			const struct weir_space_platform *platform,
			const struct weir_space_axis *axis)
{
	for (size_t i = 0; i + 1 < platform->count; i++)
		if (platform->axes[i].param == axis->param)
			COMPLAIN(r, axis->line, "%s is also in line %u; a "
				 "platform has it once", axis->param->name,
				 platform->axes[i].line);
}

static void open_axis(struct reading *r,
		      const struct weir_xmlread_element *element)
{
	static const char *const known[] = { "values", "tied-to", "file",
					     "dataset", "opt-in", "force",
					     NULL };
	struct weir_space_platform *platform =
		&r->space->platforms[r->space->count - 1];
	struct weir_space_axis axis = { .param = find_param(r, element),
					.line = element->line };
	const char *tied = attribute(element, "tied-to");

	check_attributes(r, element, known);
	if (!axis.param)
		return;
	if (platform->count == WEIR_SPACE_PARAMETERS) {
		COMPLAIN(r, element->line, "more than %d parameters",
			 WEIR_SPACE_PARAMETERS);
		return;
	}
	if (WEIR_GROW(platform->axes, platform->count, platform->room)) {
		r->err = -ENOMEM;
		return;
	}
	if (tied && attribute(element, "values"))
		COMPLAIN(r, element->line, "%s has values of its own and is "
			 "tied; take one out", axis.param->name);
	axis.tied_to = tied ? copy_text(r, tied) : NULL;
	if (!tied)
		add_values(r, &axis, element);
	platform->axes[platform->count++] = axis;
	check_again(r, platform, &axis);
}

static void open_element(void *who, const struct weir_xmlread_element *element)
{
	struct reading *r = who;

	r->depth++;
	if (r->err)
		return;
	if (r->depth == 1 && strcmp(element->name, "space"))
		COMPLAIN(r, element->line, "this is `%.60s', not a space",
			 element->name);
	else if (r->depth == 2)
		open_platform(r, element);
	else if (r->depth == 3 && r->space->count)
		open_axis(r, element);
	else if (r->depth > 3)
		COMPLAIN(r, element->line, "`%.60s' has no place in a "
			 "parameter; take it out", element->name);
}

static void close_element(void *who)
{
	((struct reading *)who)->depth--;
}

static void refuse_text(void *who, const char *text, unsigned line)
{
	if (text[strspn(text, " \t\r\n")])
		COMPLAIN((struct reading *)who, line,
			 "text has no place here; write values=\"A B C\"");
}

/* Every value of the other must be one of this, too. */
static void tie(struct reading *r, struct weir_space_platform *platform,
		struct weir_space_axis *axis)
{
	const struct weir_param_row *param =
		weir_parameter_find(axis->tied_to);
	const struct weir_xmlread_element none = { .line = axis->line };
	const struct weir_space_axis *other = NULL;

	for (size_t i = 0; param && i < platform->count; i++)
		if (platform->axes[i].param == param) {
			other = &platform->axes[i];
			axis->other = i;
		}
	if (!other || other->tied_to) {
		COMPLAIN(r, axis->line, "%s is tied to `%.60s', which has no "
			 "values in this platform", axis->param->name,
			 axis->tied_to);
		return;
	}
	for (size_t i = 0; !r->err && i < other->count; i++)
		add_value(r, axis, &none, other->values[i].value);
}

/*
 * Counted when all is read, as a parameter may be tied to one that comes later.
 */
static void count_points(struct reading *r,
			 struct weir_space_platform *platform)
{
	platform->points = 1;
	for (size_t i = 0; i < platform->count; i++) {
		struct weir_space_axis *axis = &platform->axes[i];

		if (axis->tied_to)
			tie(r, platform, axis);
		else if (axis->count &&
			 platform->points > MOST_POINTS / axis->count)
			r->err = -EINVAL;
		else
			platform->points *= axis->count;
	}
	if (r->err == -EINVAL)
		COMPLAIN(r, platform->line, "it has more points than can be "
			 "counted; leave some values out");
	if (!platform->count)
		COMPLAIN(r, platform->line, "platform `%.60s' has no "
			 "parameters", platform->name);
}

static int read_space(struct reading *r, const char *bytes, size_t size)
{
	const struct weir_xmlread_taker taker = {open_element, refuse_text,
						 close_element, r};
	int err = weir_xmlread_take(bytes, size, &taker, &r->complaints);

	if (err || r->err == -ENOMEM)
		return err ? err : r->err;
	for (size_t i = 0; i < r->space->count; i++)
		count_points(r, &r->space->platforms[i]);
	if (!r->space->count && !r->complaints.count)
		COMPLAIN(r, 1, "a space without a platform; write "
			 "<platform name=\"...\">");
	weir_complaint_end(&r->complaints);
	if (r->err == -ENOMEM)
		return r->err;
	return r->complaints.count ? -EINVAL : 0;
}

int weir_space_read_bytes(const char *path, const char *bytes, size_t size,
			  struct weir_space **ret_space, FILE *complaints)
{
	struct weir_space *space = calloc(1, sizeof(*space));
	struct reading r = { .space = space,
			     .complaints = { complaints, path, 0 } };
	int err;

	if (!space)
		return -ENOMEM;
	space->path = copy_text(&r, path);
	err = r.err ? r.err : read_space(&r, bytes, size);
	if (err)
		weir_space_free(space);
	else
		*ret_space = space;
	return err;
}

/* Only the first element is looked at. */
struct glance {
	bool seen, is_space;
};

static void see_first(void *who, const struct weir_xmlread_element *element)
{
	struct glance *glance = who;

	if (!glance->seen)
		glance->is_space = !strcmp(element->name, "space");
	glance->seen = true;
}

static void see_text(void *who, const char *text, unsigned line)
{
}

static void see_end(void *who)
{
}

bool weir_space_is(const char *bytes, size_t size)
{
	struct glance glance = { false, false };
	const struct weir_xmlread_taker taker = { see_first, see_text, see_end,
						  &glance };
	struct weir_complaints silent = { NULL, "", 0 };

	return !weir_xmlread_take(bytes, size, &taker, &silent) &&
	       glance.is_space;
}
