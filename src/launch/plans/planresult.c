/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells people what became of the settings of a plan. */
#include "launch/plans/planresult.h"

#include "base/text.h"
#include "launch/directory/tracedir.h"
#include "plan/plan_layout.h"
#include "trace/control/outcome.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WIDEST 48 /* a longer setting does not move the others */

/* As people are told; what has no end gets it from rest_of(). */
static const char *const verdicts[WEIR_VERDICT_COUNT] = {
	[WEIR_VERDICT_TOOK] = "took effect",
	[WEIR_VERDICT_CHANGED] = "another value is in effect, chosen by ",
	[WEIR_VERDICT_IGNORED] = "ignored by ",
	[WEIR_VERDICT_KEPT] = "kept: ",
	[WEIR_VERDICT_INERT] = "set, but does nothing here",
	[WEIR_VERDICT_REFUSED] = "refused by ",
	[WEIR_VERDICT_GIVEN] = "handed over",
	[WEIR_VERDICT_UNSAFE] = "left alone, not proven safe",
};

/* By target; what is not here: the system. */
static const char *const deciders[] = {
	[WEIR_PLAN_ENVIRONMENT] = "the libraries",
	[WEIR_PLAN_FILE_ACCESS] = "HDF5",
	[WEIR_PLAN_FILE_CREATE] = "HDF5",
	[WEIR_PLAN_DATASET_CREATE] = "HDF5",
	[WEIR_PLAN_DATASET_ACCESS] = "HDF5",
	[WEIR_PLAN_TRANSFER] = "HDF5",
	[WEIR_PLAN_HINT] = "the MPI",
	[WEIR_PLAN_PNETCDF] = "PnetCDF",
	[WEIR_PLAN_NAME_PREFIX] = "the MPI",
};

static const char *who_decides(uint32_t target)
{
	const char *who = target < sizeof(deciders) / sizeof(*deciders)
				  ? deciders[target]
				  : NULL;

	return who ? who : "the system";
}

/* The end of the words above that have none. */
static const char *rest_of(uint32_t verdict, uint32_t target)
{
	if (verdict == WEIR_VERDICT_KEPT)
		return target == WEIR_PLAN_ENVIRONMENT
			       ? "the user sets it"
			       : "the program sets it itself";
	if (verdict == WEIR_VERDICT_IGNORED ||
	    verdict == WEIR_VERDICT_REFUSED || verdict == WEIR_VERDICT_CHANGED)
		return who_decides(target);
	return "";
}

static bool is_good(const struct weir_outcome_setting *setting)
{
	uint64_t tries = weir_outcome_tries(setting);

	return tries && tries == setting->counts[WEIR_VERDICT_TOOK] +
					 setting->counts[WEIR_VERDICT_GIVEN];
}

uint32_t weir_planresult_whole(const struct weir_outcome *outcome)
{
	uint32_t whole = 0;

	for (uint32_t i = 0; i < outcome->count; i++)
		whole += is_good(&outcome->settings[i]);
	return whole;
}

/* VARIABLE=VALUE: the variable is the name's affair. */
static const char *wanted_value(const struct weir_outcome_setting *setting)
{
	const char *value = setting->value ? setting->value : "";
	const char *equals = strchr(value, '=');

	return setting->target == WEIR_PLAN_ENVIRONMENT && equals ? equals + 1
								  : value;
}

/* name = value (file GLOB, dataset GLOB) */
static size_t name_setting(const struct weir_outcome_setting *setting, char *to,
			   size_t room)
{
	int used = snprintf(to, room, "%s = %s",
			    setting->name ? setting->name : "?",
			    wanted_value(setting));

	if (setting->file && used < (int)room)
		used += snprintf(to + used, room - (size_t)used,
				 " (file %s%s", setting->file,
				 setting->dataset ? "" : ")");
	if (setting->dataset && used < (int)room)
		used += snprintf(to + used, room - (size_t)used,
				 "%sdataset %s)", setting->file ? ", " : " (",
				 setting->dataset);
	return used < (int)room ? (size_t)used : room - 1;
}

static size_t width_of(const struct weir_outcome *outcome)
{
	char text[4096];
	size_t width = 0, used;

	for (uint32_t i = 0; i < outcome->count; i++) {
		used = name_setting(&outcome->settings[i], text, sizeof(text));
		if (used <= WIDEST && used > width)
			width = used;
	}
	return width;
}

static void write_counts(struct weir_text *out,
			 const struct weir_outcome_setting *setting)
{
	const char *comma = "";

	for (uint32_t i = 0; i < WEIR_VERDICT_COUNT; i++) {
		if (!setting->counts[i])
			continue;
		weir_text_string(out, comma);
		weir_text_string(out, verdicts[i]);
		weir_text_string(out, rest_of(i, setting->target));
		weir_text_char(out, ' ');
		weir_text_unsigned(out, setting->counts[i]);
		weir_text_char(out, 'x');
		comma = ", ";
		if (!*setting->why || setting->verdict != i)
			continue;
		weir_text_string(out, " (");
		weir_text_safe(out, setting->why, strlen(setting->why));
		weir_text_char(out, ')');
	}
	if (!*comma)
		weir_text_string(out, "no call it is for was made");
}

static void write_line(struct weir_text *out,
		       const struct weir_outcome_setting *setting, size_t width)
{
	char text[4096];
	size_t used = name_setting(setting, text, sizeof(text));

	weir_text_safe(out, text, used);
	for (weir_text_string(out, "   "); used < width; used++)
		weir_text_char(out, ' ');
	write_counts(out, setting);
	weir_text_char(out, '\n');
}

void weir_planresult_write(struct weir_text *out,
			const struct weir_outcome *outcome,
			const struct weir_planresult_style *style)
{
	size_t width = width_of(outcome);

	for (uint32_t i = 0; i < outcome->count; i++) {
		const struct weir_outcome_setting *setting =
			&outcome->settings[i];

		if (style->failures && is_good(setting))
			continue;
		weir_text_string(out, style->before);
		write_line(out, setting, width);
	}
}

static void print_settings(const struct weir_outcome *outcome,
			   const struct weir_planresult_ask *ask)
{
	struct weir_planresult_style style = {"weir:   ", ask->failures};
	uint32_t whole = weir_planresult_whole(outcome);
	struct weir_text out;

	if (outcome->unplanned)
		fprintf(stderr, "weir: %llu process%s ran without the plan, "
			"which could not be read there\n",
			(unsigned long long)outcome->unplanned,
			outcome->unplanned == 1 ? "" : "es");
	if ((ask->failures && whole == outcome->count) || !outcome->count ||
	    weir_text_init(&out, STDERR_FILENO))
		return;
	weir_text_string(&out, "weir: plan ");
	weir_text_safe(&out, ask->plan, strlen(ask->plan));
	weir_text_format(&out, ": %u of %u setting%s applied%s\n", whole,
			 outcome->count, outcome->count == 1 ? "" : "s",
			 ask->is_job ? " in rank 0; weir info tells of all"
				     : "");
	weir_planresult_write(&out, outcome, &style);
	weir_text_flush(&out);
	weir_text_fini(&out);
}

static bool is_trace(const char *name, const char *host)
{
	size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, ".weir") &&
	       (!host || (!strncmp(name, host, strlen(host)) &&
			  name[strlen(host)] == '.'));
}

/* The sum of the files of a trace, or of ours alone. NULL: there is none. */
static int read_files(const struct weir_tracedir *place, bool ours_alone,
		      struct weir_outcome **ret_outcome)
{
	struct weir_outcome *sum = NULL;
	DIR *dir = opendir(place->dir);
	struct dirent *entry;
	int fd, err = 0;

	while (!err && dir && (entry = readdir(dir))) {
		if (!is_trace(entry->d_name, ours_alone ? place->host : NULL))
			continue;
		fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		err = weir_outcome_read(fd, &sum);
		close(fd);
	}
	if (dir)
		closedir(dir);
	if (err)
		weir_outcome_free(sum);
	else
		*ret_outcome = sum;
	return err;
}

static void put_field(struct weir_text *out, const char *key, const char *text)
{
	weir_text_format(out, "\"%s\": ", key);
	if (text && *text)
		weir_text_json(out, text, strlen(text));
	else
		weir_text_string(out, "null");
}

static void put_verdicts(struct weir_text *out,
			 const struct weir_outcome_setting *setting)
{
	const char *comma = "";

	weir_text_string(out, ", \"verdicts\": {");
	for (uint32_t i = 0; i < WEIR_VERDICT_COUNT; i++) {
		if (!setting->counts[i])
			continue;
		weir_text_format(out, "%s\"%s\": %llu", comma,
				 weir_outcome_word(i),
				 (unsigned long long)setting->counts[i]);
		comma = ", ";
	}
	weir_text_char(out, '}');
}

void weir_planresult_json(struct weir_text *out,
			  const struct weir_outcome *outcome)
{
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < outcome->count; i++) {
		const struct weir_outcome_setting *setting =
			&outcome->settings[i];

		weir_text_string(out, i ? ",\n    {" : "\n    {");
		put_field(out, "name", setting->name);
		weir_text_string(out, ", ");
		put_field(out, "value", wanted_value(setting));
		weir_text_string(out, ", ");
		put_field(out, "file", setting->file);
		weir_text_string(out, ", ");
		put_field(out, "dataset", setting->dataset);
		weir_text_format(out, ", \"applied\": %s",
				 is_good(setting) ? "true" : "false");
		put_verdicts(out, setting);
		weir_text_string(out, ", ");
		put_field(out, "why", setting->why);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

bool weir_planresult_tell(const struct weir_tracedir *place,
			  const struct weir_planresult_ask *ask,
			  struct weir_outcome **ret_outcome)
{
	struct weir_outcome *outcome = NULL;

	if (read_files(place, ask->is_job, &outcome) || !outcome) {
		fprintf(stderr, "weir: what became of the plan is not known\n");
		return false;
	}
	if (!ask->is_silent)
		print_settings(outcome, ask);
	*ret_outcome = outcome;
	return weir_planresult_whole(outcome) == outcome->count &&
	       !outcome->unplanned;
}
