/* SPDX-License-Identifier: BSD-3-Clause */
/* weir plan --format json: prints what is in plans, spaces and the tables. */
#include "cmds/plan_as_json.h"

#include "cmds/verdict.h"
#include "launch/plans/planproof.h"
#include "report/plan/plan_json.h"
#include "spec/exits.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* What the tool is to exit with; `status` if the output was written. */
static int flush(struct weir_text *out, int status)
{
	int err = weir_text_flush(out);

	weir_text_fini(out);
	return err ? weir_verdict_refuse_output("standard output", err)
		   : status;
}

int weir_plan_as_json_show(const struct weir_plan *plan)
{
	struct weir_text out;

	if (weir_text_init(&out, STDOUT_FILENO))
		return WEIR_EXIT_INTERNAL;
	weir_plan_json_show(&out, plan);
	return flush(&out, WEIR_EXIT_OK);
}

int weir_plan_as_json_space(const struct weir_space *space)
{
	struct weir_text out;

	if (weir_text_init(&out, STDOUT_FILENO))
		return WEIR_EXIT_INTERNAL;
	weir_plan_json_space(&out, space);
	return flush(&out, WEIR_EXIT_OK);
}

int weir_plan_as_json_params(const char *part_of_name)
{
	struct weir_text out;
	unsigned count;

	if (weir_text_init(&out, STDOUT_FILENO))
		return WEIR_EXIT_INTERNAL;
	count = weir_plan_json_params(&out, part_of_name);
	return flush(&out, count ? WEIR_EXIT_OK : WEIR_EXIT_REFUSED);
}

/* As `weir run --plan` judges it: mistakes, warnings, and its proofs. */
static int judge_plan(const char *bytes, size_t size, FILE *messages,
		      struct weir_plan_json_verdict *verdict)
{
	struct weir_plan *plan;
	int err = weir_plan_read_bytes(verdict->path, bytes, size, &plan,
				       messages);

	if (err)
		return err;
	weir_plan_warn(plan, messages);
	verdict->count = plan->count;
	err = weir_planproof_add(plan);
	weir_plan_free(plan);
	return err;
}

static int judge_space(const char *bytes, size_t size, FILE *messages,
		       struct weir_plan_json_verdict *verdict)
{
	struct weir_space *space;
	int err = weir_space_read_bytes(verdict->path, bytes, size, &space,
					messages);

	if (err)
		return err;
	verdict->count = space->count;
	weir_space_free(space);
	return 0;
}

static int print_verdict(const struct weir_plan_json_verdict *verdict)
{
	struct weir_text out;
	int err = weir_text_init(&out, STDOUT_FILENO);

	if (err)
		return err;
	weir_plan_json_check(&out, verdict);
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}

int weir_plan_as_json_check(const char *path, const char *bytes, size_t size)
{
	struct weir_plan_json_verdict verdict = {
		.path = path,
		.is_space = weir_space_is(bytes, size),
	};
	size_t len;
	char *text = NULL;
	FILE *messages = open_memstream(&text, &len);
	int err, printed = 0;

	if (!messages)
		return -errno;
	err = verdict.is_space ? judge_space(bytes, size, messages, &verdict)
			       : judge_plan(bytes, size, messages, &verdict);
	if (fclose(messages) && !err)
		err = -ENOMEM;
	verdict.is_good = !err;
	verdict.messages = text;
	if (!err || err == -EINVAL)
		printed = print_verdict(&verdict);
	free(text);
	return printed ? printed : err;
}
