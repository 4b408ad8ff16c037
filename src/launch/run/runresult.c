/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how a run ended, also as a file. */
#include "launch/run/runresult.h"

#include "base/text.h"
#include "launch/plans/planresult.h"
#include "spec/exits.h"
#include "trace/control/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The worst first. */
static const struct {
	int exit;
	const char *name;
} reasons[] = {
	{ WEIR_EXIT_DIFFERS, "differs" },
	{ WEIR_EXIT_UNSTORED, "unstored" },
	{ WEIR_EXIT_UNAPPLIED, "unapplied" },
	{ WEIR_EXIT_LOST, "lost" },
	{ WEIR_EXIT_REFUSED, "refused" },
	{ WEIR_EXIT_USAGE, "usage" },
	{ WEIR_EXIT_INTERNAL, "internal" },
	{ WEIR_RUNRESULT_NOT_FOUND, "not-found" },
};

#define REASONS (sizeof(reasons) / sizeof(*reasons))

void weir_runresult_add(struct weir_runresult *result, int reason)
{
	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].exit == reason)
			result->reasons |= 1u << i;
}

static bool has(const struct weir_runresult *result, int reason)
{
	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].exit == reason)
			return result->reasons & 1u << i;
	return false;
}

int weir_runresult_status(const struct weir_runresult *result)
{
	for (size_t i = 0; !result->status && i < REASONS; i++)
		if (result->reasons & 1u << i)
			return reasons[i].exit;
	return result->status;
}

static void put_json_text(struct weir_text *out, const char *text)
{
	if (text && *text)
		weir_text_json(out, text, strlen(text));
	else
		weir_text_string(out, "null");
}

/* As lines are told on stderr. */
static void put_lines(struct weir_text *out, const char *text)
{
	const char *comma = "";

	weir_text_char(out, '[');
	while (*text) {
		size_t length = strcspn(text, "\n");

		weir_text_string(out, comma);
		weir_text_json(out, text, length);
		text += length + (text[length] == '\n');
		comma = ", ";
	}
	weir_text_char(out, ']');
}

static void put_command(struct weir_text *out,
			const struct weir_runresult *result)
{
	weir_text_string(out, "{\n  \"command\": {\"line\": [");
	for (char **word = result->command; word && *word; word++) {
		weir_text_string(out, word == result->command ? "" : ", ");
		weir_text_json(out, *word, strlen(*word));
	}
	weir_text_format(out, "], \"started\": %s, \"exit\": ",
			 result->is_started ? "true" : "false");
	if (result->is_started && !result->signal)
		weir_text_signed(out, result->status);
	else
		weir_text_string(out, "null");
	weir_text_string(out, ", \"signal\": ");
	if (result->signal)
		weir_text_signed(out, result->signal);
	else
		weir_text_string(out, "null");
	weir_text_char(out, '}');
}

static void put_reasons(struct weir_text *out,
			const struct weir_runresult *result)
{
	const char *comma = "";

	weir_text_string(out, ",\n  \"reasons\": [");
	for (size_t i = 0; i < REASONS; i++) {
		if (!(result->reasons & 1u << i))
			continue;
		weir_text_format(out, "%s\"%s\"", comma, reasons[i].name);
		comma = ", ";
	}
	weir_text_char(out, ']');
}

static void put_events(struct weir_text *out,
		       const struct weir_runresult *result)
{
	weir_text_string(out, ",\n  \"events\": ");
	if (result->is_counted)
		weir_text_format(out, "{\"recorded\": %llu, "
				 "\"missing\": %llu}",
				 (unsigned long long)result->recorded,
				 (unsigned long long)result->missing);
	else
		weir_text_string(out, "null");
}

/* What was told of a part of the run, and whether it was good. */
static void put_part(struct weir_text *out, const char *name,
		     const char *told, bool is_good)
{
	weir_text_format(out, ",\n  \"%s\": ", name);
	if (!told) {
		weir_text_string(out, "null");
		return;
	}
	weir_text_format(out, "{\"good\": %s, \"told\": ",
			 is_good ? "true" : "false");
	put_lines(out, told);
	weir_text_char(out, '}');
}

static void put_plan(struct weir_text *out,
		     const struct weir_runresult *result)
{
	weir_text_string(out, ",\n  \"plan\": ");
	if (!result->plan) {
		weir_text_string(out, "null");
		return;
	}
	weir_text_string(out, "{\"file\": ");
	put_json_text(out, result->plan);
	weir_text_string(out, ", \"unplanned\": ");
	weir_text_unsigned(out, result->outcome ? result->outcome->unplanned
						: 0);
	weir_text_string(out, ", \"settings\": ");
	if (result->outcome)
		weir_planresult_json(out, result->outcome);
	else
		weir_text_string(out, "null");
	weir_text_char(out, '}');
}

static void put_all(struct weir_text *out, const struct weir_runresult *result,
		    int status)
{
	put_command(out, result);
	weir_text_format(out, ",\n  \"status\": %d,\n  \"from\": \"%s\"",
			 status, result->is_started && result->status &&
				 status == result->status ? "command" : "weir");
	put_reasons(out, result);
	weir_text_string(out, ",\n  \"trace\": ");
	put_json_text(out, result->trace);
	put_events(out, result);
	put_plan(out, result);
	put_part(out, "forward", result->stored,
		 !has(result, WEIR_EXIT_UNSTORED));
	put_part(out, "verify", result->verified,
		 !has(result, WEIR_EXIT_DIFFERS) &&
			 !has(result, WEIR_EXIT_INTERNAL));
	weir_text_string(out, "\n}\n");
}

int weir_runresult_write(const struct weir_runresult *result,
			 const char *path, int status)
{
	char part[PATH_MAX];
	struct weir_text out;
	int fd, err;

	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
		return -ENAMETOOLONG;
	fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = weir_text_init(&out, fd);
	if (!err) {
		put_all(&out, result, status);
		err = weir_text_flush(&out);
		weir_text_fini(&out);
	}
	close(fd);
	if (!err && rename(part, path))
		err = -errno;
	if (err)
		unlink(part);
	return err;
}

void weir_runresult_fini(struct weir_runresult *result)
{
	weir_outcome_free(result->outcome);
	free(result->stored);
	free(result->verified);
}
