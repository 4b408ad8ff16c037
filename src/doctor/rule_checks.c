/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for rules that leave no file to record. */
#include "base/glob.h"
#include "doctor/check.h"
#include "doctor/patient.h"
#include "doctor/task.h"
#include "launch/ranks/rules.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls back for each rule: of the options, and of WEIR_FILES. */
typedef bool (*judge)(const char *rule, void *context);

static bool each_rule(const struct weir_patient *p, judge judges,
		      void *context)
{
	const struct weir_rules *rules = p->order->rules;
	const char *files = p->is_plain ? getenv("WEIR_FILES") : NULL;
	char rule[PATH_MAX];

	for (size_t at = 0; at < rules->bytes;
	     at += strlen(rules->text + at) + 1) {
		if (judges(rules->text + at, context))
			return true;
	}
	while (files && *files) {
		int length = (int)strcspn(files, ":");

		snprintf(rule, sizeof(rule), "%.*s", length, files);
		if (strchr("+-", *rule) && judges(rule, context))
			return true;
		files += length + (files[length] == ':');
	}
	return false;
}

/*
 * Names that have nothing in common but what every name has, and one where
 * the program is likely to work.
 */
static bool matches_all(const char *pattern)
{
	static const char *const samples[] = {
		"/q", "/a/b.c", "/tmp/x~1", "/Z/y/w/-.0_", "/dev/shm/k",
	};
	char here[PATH_MAX + 8] = "";

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		if (!weir_glob_matches_path(pattern, samples[i]))
			return false;
	}
	if (!getcwd(here, PATH_MAX))
		return true;
	return weir_glob_matches_path(pattern, strcat(here, "/wv,5"));
}

static bool leaves_out_all(const char *rule, void *context)
{
	if (*rule != '-' || !matches_all(rule + 1))
		return false;
	snprintf(context, WEIR_CHECK_ROOM, "%s", rule + 1);
	return true;
}

static bool is_any(const char *rule, void *context)
{
	(void)rule;
	(void)context;
	return true;
}

static enum weir_check_answer look_at_excludes(const struct weir_patient *p,
					       int arg, char *where)
{
	char rule[WEIR_CHECK_ROOM];

	if (each_rule(p, leaves_out_all, rule))
		return weir_check_found(where, "--exclude '%.900s'", rule);
	return each_rule(p, is_any, NULL) ? WEIR_CHECK_FINE
					  : WEIR_CHECK_UNASKED;
}

/* Recorded names have neither of these, so such a pattern matches none. */
static bool matches_none(const char *pattern)
{
	size_t length = strlen(pattern);

	return strstr(pattern, "//") || strstr(pattern, "/./") ||
	       strstr(pattern, "/../") ||
	       (length > 1 && pattern[length - 1] == '/');
}

struct includes {
	unsigned count, vain;
	char last[WEIR_CHECK_ROOM];
};

static bool count_include(const char *rule, void *context)
{
	struct includes *all = context;

	if (*rule != '+')
		return false;
	all->count++;
	if (matches_none(rule + 1)) {
		all->vain++;
		snprintf(all->last, sizeof(all->last), "%s", rule + 1);
	}
	return false;
}

/* arg: 0, all of them match nothing; 1, some do. */
static enum weir_check_answer look_at_includes(const struct weir_patient *p,
					       int arg, char *where)
{
	struct includes all = {0};

	each_rule(p, count_include, &all);
	if (!all.count)
		return WEIR_CHECK_UNASKED;
	if (!all.vain || (all.vain == all.count) == arg)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "--include '%.900s'", all.last);
}

const struct weir_check weir_rule_checks[] = {
	{ "exclude-all", WEIR_CHECK_PREVENTS, look_at_excludes, 0,
	  "a rule leaves out every file",
	  "leave it out, or make it narrower; an --exclude wins over --include",
	  "no rule leaves out every file" },
	{ "include-none", WEIR_CHECK_PREVENTS, look_at_includes, 0,
	  "no file can match the rules",
	  "name files, not DIR/ (DIR/* is all below it), without // . and ..",
	  "files can match the rules" },
	{ "include-vain", WEIR_CHECK_CUTS, look_at_includes, 1,
	  "no file can match one of the rules",
	  "name files, not DIR/ (DIR/* is all below it), without // . and ..",
	  "every --include can match a file" },
	{ 0 },
};
