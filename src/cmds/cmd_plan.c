/* SPDX-License-Identifier: BSD-3-Clause */
/* weir plan: checks, explains and exports plans and spaces. */
#include "base/nearest.h"
#include "base/options.h"
#include "cmds/plan_as_json.h"
#include "cmds/plan_export.h"
#include "cmds/verbs.h"
#include "launch/plans/planproof.h"
#include "plan/plan.h"
#include "plan/space.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct errand {
	const struct weir_options *options;
	struct weir_plan *plan; /* NULL: it needs none */
	const struct weir_space *space; /* where the file is one */
	bool as_json;
};

static int check_plan(const struct errand *errand)
{
	struct weir_plan *plan = errand->plan;
	unsigned warnings = weir_plan_warn(plan, stderr);
	int err = weir_planproof_add(plan); /* as weir run judges it */

	if (err)
		return err == -ENOMEM ? WEIR_EXIT_INTERNAL : WEIR_EXIT_REFUSED;
	printf("%s: %zu setting%s, good", plan->path, plan->count,
	       plan->count == 1 ? "" : "s");
	if (warnings)
		printf(" (%u warning%s)", warnings, warnings == 1 ? "" : "s");
	putchar('\n');
	return WEIR_EXIT_OK;
}

static int show_plan(const struct errand *errand)
{
	if (errand->as_json)
		return weir_plan_as_json_show(errand->plan);
	weir_plan_explain(errand->plan, stdout);
	return WEIR_EXIT_OK;
}

static int list(const struct errand *errand)
{
	const char *word = errand->options->operands[1];

	if (errand->as_json)
		return weir_plan_as_json_params(word ? word : "");
	if (weir_plan_list(word ? word : "", stdout))
		return WEIR_EXIT_OK;
	fprintf(stderr, "weir: no parameter has `%s' in its name; `weir plan "
		"params' lists all\n", word);
	return WEIR_EXIT_REFUSED;
}

static int hand_out(const struct errand *errand)
{
	return weir_plan_export_run(errand->options, errand->plan);
}

static int check_space(const struct errand *errand)
{
	const struct weir_space *space = errand->space;

	printf("%s: a space of %zu platform%s, good\n", space->path,
	       space->count, space->count == 1 ? "" : "s");
	return WEIR_EXIT_OK;
}

static int show_space(const struct errand *errand)
{
	if (errand->as_json)
		return weir_plan_as_json_space(errand->space);
	weir_space_explain(errand->space, stdout);
	return WEIR_EXIT_OK;
}

/* A point of it could be; which one is what a search is for. */
static int refuse_space(const struct errand *errand)
{
	fprintf(stderr, "weir: %s is a space: it has many values for each "
		"parameter, and only a plan can be exported\n",
		errand->space->path);
	return WEIR_EXIT_REFUSED;
}

static const struct work {
	const char *name;
	bool needs_file;
	int (*run)(const struct errand *errand);
	int (*of_space)(const struct errand *errand);
} works[] = {
	{ "check", true, check_plan, check_space },
	{ "show", true, show_plan, show_space },
	{ "export", true, hand_out, refuse_space },
	{ "params", false, list, NULL },
};

#define WORKS (sizeof(works) / sizeof(*works))

static int refuse_word(const char *word)
{
	struct weir_nearest near;

	if (!strcmp(word, "list")) { /* what others call it */
		fputs("weir: there is no `weir plan list': `weir plan params' "
		      "lists what a plan may set\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	weir_nearest_init(&near, word, strlen(word));
	for (size_t i = 0; i < WORKS; i++)
		weir_nearest_offer(&near, works[i].name);
	return weir_verbs_refuse_word("plan", word, &near);
}

/* --to has the forms of export: a second option for them would confuse. */
static int refuse_json(void)
{
	fputs("weir: weir plan export has the formats of --to; --format is for "
	      "check, show and params\n",
	      stderr);
	return WEIR_EXIT_USAGE;
}

static int refuse_lack(const struct work *work)
{
	fprintf(stderr,
		"weir: weir plan %s needs one FILE\nTry: weir plan "
		"--help\n",
		work->name);
	return WEIR_EXIT_USAGE;
}

static int refuse_file(const char *path, int err)
{
	if (err == -ENOTSUP)
		fputs("weir: this weir was built without plans: Mini-XML was "
		      "missing\n",
		      stderr);
	else if (err != -EINVAL) /* that was told in detail */
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
	return err == -ENOMEM ? WEIR_EXIT_INTERNAL : WEIR_EXIT_REFUSED;
}

/* What a file holds. */
struct content {
	const char *path;
	char *bytes;
	size_t size;
};

static int run_with_plan(const struct work *work, struct errand *errand,
			 const struct content *of)
{
	struct weir_plan *plan;
	int err = weir_plan_read_bytes(of->path, of->bytes, of->size, &plan,
				       stderr);
	int status;

	if (err)
		return refuse_file(of->path, err);
	errand->plan = plan;
	status = work->run(errand);
	weir_plan_free(plan);
	return status;
}

static int run_with_space(const struct work *work, struct errand *errand,
			  const struct content *of)
{
	struct weir_space *space;
	int err = weir_space_read_bytes(of->path, of->bytes, of->size, &space,
					stderr);
	int status;

	if (err)
		return refuse_file(of->path, err);
	errand->space = space;
	status = work->of_space(errand);
	weir_space_free(space);
	return status;
}

/* A mistake is in the output; the status tells of it, too. */
static int check_for_programs(const struct content *of)
{
	int err = weir_plan_as_json_check(of->path, of->bytes, of->size);

	return err ? refuse_file(of->path, err) : WEIR_EXIT_OK;
}

/* Which of the two a file is, is seen by its first element. */
static int run_with_file(const struct work *work, struct errand *errand,
			 const char *path)
{
	struct content of = { .path = path };
	int err = weir_plan_load(path, &of.bytes, &of.size);
	int status;

	if (err)
		return refuse_file(path, err);
	if (errand->as_json && work->run == check_plan)
		status = check_for_programs(&of);
	else if (weir_space_is(of.bytes, of.size))
		status = run_with_space(work, errand, &of);
	else
		status = run_with_plan(work, errand, &of);
	free(of.bytes);
	return status;
}

static int run_errand(const struct weir_options *o)
{
	struct errand errand = {
		.options = o,
		.as_json = weir_options_chose(o, WEIR_PLAN_FORMAT, "json"),
	};
	const char *word = o->operands[0];

	for (size_t i = 0; i < WORKS; i++) {
		const struct work *work = &works[i];

		if (strcmp(work->name, word))
			continue;
		if (work->needs_file && !o->operands[1])
			return refuse_lack(work);
		if (errand.as_json && work->run == hand_out)
			return refuse_json();
		return work->needs_file
			       ? run_with_file(work, &errand, o->operands[1])
			       : work->run(&errand);
	}
	return refuse_word(word);
}

int weir_cmd_plan(int argc, char **argv)
{
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_PLAN], argc, argv,
				&status))
		return status;
	status = run_errand(&o);
	weir_options_fini(&o);
	return status;
}
