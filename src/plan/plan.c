/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads plans: what the elements of the XML mean. */
#include "plan/plan.h"

#include "base/grow.h"
#include "plan/parameter.h"
#include "plan/permit.h"
#include "plan/scope.h"
#include "plan/value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1024 /* text of a setting */

enum level {
	IN_PLAN,    /* the root, a section, <for> or what is unknown */
	IN_SETTING,
	IN_NOTHING, /* in what was complained of already */
};

struct frame {
	enum level level;
	struct weir_scope scope;
	unsigned line;
};

struct reading {
	struct weir_plan *plan;
	struct weir_complaints complaints;
	struct frame frames[WEIR_XMLREAD_DEEPEST + 1];
	unsigned depth;
	const struct weir_param_row *param; /* of the setting around */
	char text[LONGEST + 1];
	size_t length; /* of the text, or more if it was too long */
	bool is_begun, is_full;
	int err;
};

static const char *const roots[] = { "Parameters", "plan", NULL };
/* They only sort what is in them. */
static const char *const sections[] = {
	"High_Level_IO_Library", "Middleware_Layer", "Parallel_File_System",
	"hdf5", "mpi", "pnetcdf", "posix", "environment", "for", NULL,
};

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/*
 * An unknown name is an error: a misspelt setting that is ignored would look
 * like one that has no effect.
 */
static void refuse_name(struct reading *r, const char *name, unsigned line)
{
	const char *why = weir_parameter_excluded(name, NULL);
	const char *near = weir_parameter_nearest(name);

	if (why)
		weir_complaint_tell(&r->complaints, line,
				    "%.60s is excluded: %s; take it out", name,
				    why);
	else if (near)
		weir_complaint_tell(&r->complaints, line,
				    "unknown parameter `%.60s'; did you mean "
				    "`%s'?", name, near);
	else
		weir_complaint_tell(&r->complaints, line,
				    "unknown parameter `%.60s'; `weir plan "
				    "params' lists all", name);
}

static enum level level_of_root(struct reading *r,
				const struct weir_xmlread_element *element)
{
	if (r->is_begun)
		weir_complaint_tell(&r->complaints, element->line,
				    "<%.60s> is a second plan; a file has one",
				    element->name);
	else if (!is_one_of(element->name, roots))
		weir_complaint_tell(&r->complaints, element->line,
				    "<%.60s> is no plan; the first element is "
				    "<Parameters> or <plan>", element->name);
	r->is_begun = true;
	return IN_PLAN;
}

/*
 * What stands in a wrong element is passed over, so that one mistake is told
 * once.
 */
static enum level level_of(struct reading *r,
			   const struct weir_xmlread_element *element)
{
	const char *name = element->name;

	if (r->depth == 1)
		return level_of_root(r, element);
	if (r->frames[r->depth - 1].level != IN_PLAN) {
		r->frames[r->depth - 1].level = IN_NOTHING;
		weir_complaint_tell(&r->complaints, element->line,
				    "<%.60s> is inside a setting; close that "
				    "first", name);
		return IN_NOTHING;
	}
	if (is_one_of(name, sections))
		return IN_PLAN;
	r->param = weir_parameter_find(name);
	if (r->param)
		return IN_SETTING;
	refuse_name(r, name, element->line);
	return IN_NOTHING;
}

static void open_element(void *who, const struct weir_xmlread_element *element)
{
	struct reading *r = who;
	struct frame *frame = &r->frames[++r->depth];
	int err;

	frame->line = element->line;
	frame->level = level_of(r, element);
	r->length = 0;
	err = weir_scope_take(&frame->scope,
			      r->depth > 1 ? &frame[-1].scope : NULL, element,
			      &r->complaints);
	if (err)
		r->err = err;
}

/* Only what parts elements may stand between them. */
static void refuse_text(struct reading *r, const char *text, unsigned line)
{
	int length;

	text += strspn(text, " \t\r\n");
	length = (int)strcspn(text, "\r\n");
	if (length)
		weir_complaint_tell(&r->complaints, line,
				    "`%.*s' is in no setting; take it out",
				    length > 40 ? 40 : length, text);
}

/*
 * Text may come in several pieces: comments and CDATA part it. It is counted on
 * when there is no room any more, so that its end knows that it was too long.
 */
static void take_value(void *who, const char *text, unsigned line)
{
	struct reading *r = who;
	size_t length = strlen(text);

	if (r->frames[r->depth].level == IN_SETTING) {
		if (r->length + length <= LONGEST)
			memcpy(r->text + r->length, text, length);
		r->length += length;
	} else if (!r->depth || r->frames[r->depth].level == IN_PLAN) {
		refuse_text(r, text, line);
	}
}

/* Takes a text over; "" where there is none, so that nobody has to look. */
static char *own(char **text)
{
	char *taken = *text ? *text : strdup("");

	*text = NULL;
	return taken;
}

static int take_scope(struct weir_plan_item *item, struct weir_scope *scope)
{
	item->file = own(&scope->file);
	item->dataset = own(&scope->dataset);
	item->proof = scope->proof;
	scope->proof = NULL;
	item->flags = (scope->force ? WEIR_PLAN_FORCE : 0) |
		      (item->proof ? WEIR_PLAN_PROVEN : 0);
	return item->file && item->dataset ? 0 : -ENOMEM;
}

static void free_item(struct weir_plan_item *item)
{
	free(item->value);
	free(item->file);
	free(item->dataset);
	free(item->proof);
	free(item->sites);
}

/* True: the plan has it now. */
static bool add_item(struct reading *r, const struct weir_plan_item *item)
{
	struct weir_plan *plan = r->plan;

	if (plan->count == WEIR_PLAN_SETTINGS) {
		if (!r->is_full)
			weir_complaint_tell(&r->complaints, item->line,
					    "more than %d settings; no plan "
					    "has more", WEIR_PLAN_SETTINGS);
		r->is_full = true;
		return false;
	}
	if (!weir_permit_beside(plan, item, &r->complaints))
		return false;
	if (WEIR_GROW(plan->items, plan->count, plan->room)) {
		r->err = -ENOMEM;
		return false;
	}
	plan->items[plan->count++] = *item;
	return true;
}

/*
 * Everything that is wrong with a plan is to be told at once, so reading goes
 * on after a setting that cannot be meant.
 */
static void take_setting(struct reading *r, struct frame *frame)
{
	struct weir_plan_item item = { .param = r->param, .line = frame->line };
	char why[WEIR_VALUE_WHY];
	int err;

	if (r->length > LONGEST) {
		weir_complaint_tell(&r->complaints, frame->line,
				    "%s: its text is longer than 1024 bytes",
				    item.param->name);
		return;
	}
	r->text[r->length] = '\0';
	err = weir_value_understand(&item, r->text, why);
	if (err == -EINVAL)
		weir_complaint_tell(&r->complaints, frame->line, "%s: %s",
				    item.param->name, why);
	if (!err)
		err = take_scope(&item, &frame->scope);
	if (!err &&
	    weir_permit_setting(&item, frame->scope.opt_in, &r->complaints) &&
	    add_item(r, &item))
		return;
	if (err == -ENOMEM)
		r->err = err;
	free_item(&item);
}

static void close_element(void *who)
{
	struct reading *r = who;
	struct frame *frame = &r->frames[r->depth--];

	if (frame->level == IN_SETTING)
		take_setting(r, frame);
	weir_scope_fini(&frame->scope);
	r->length = 0;
}

static int understand(struct reading *r, const char *bytes, size_t size)
{
	struct weir_xmlread_taker taker = {
		.open = open_element,
		.text = take_value,
		.close = close_element,
		.who = r,
	};
	int err = weir_xmlread_take(bytes, size, &taker, &r->complaints);

	if (!err && !r->is_begun && !r->complaints.count)
		weir_complaint_tell(&r->complaints, 1, "there is no plan in "
				    "it; the first element is <Parameters> or "
				    "<plan>");
	/* A reader that stops half-way leaves elements open. */
	while (r->depth)
		weir_scope_fini(&r->frames[r->depth--].scope);
	weir_complaint_end(&r->complaints);
	if (err || r->err)
		return err ? err : r->err;
	return r->complaints.count ? -EINVAL : 0;
}

int weir_plan_read_bytes(const char *path, const char *bytes, size_t size,
			 struct weir_plan **ret_plan, FILE *complaints)
{
	struct reading r = { .complaints = { .to = complaints,
					     .path = path } };
	int err;

	r.plan = calloc(1, sizeof(*r.plan));
	if (!r.plan)
		return -ENOMEM;
	r.plan->path = strdup(path);
	err = r.plan->path ? understand(&r, bytes, size) : -ENOMEM;
	if (err) {
		weir_plan_free(r.plan);
		return err;
	}
	*ret_plan = r.plan;
	return 0;
}

void weir_plan_free(struct weir_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->count; i++)
		free_item(&plan->items[i]);
	free(plan->items);
	free(plan->path);
	free(plan);
}
