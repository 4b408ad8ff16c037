/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks environment variables that change what is recorded. */
#include "base/number.h"
#include "doctor/check.h"
#include "doctor/patient.h"
#include "trace/layout/control_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTED "/etc/ld.so.preload"

/* Called for each item of a list; true: it is what was looked for. */
typedef bool (*pick)(const struct weir_patient *p, const char *item);

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The first item that is picked, in `item`. */
static bool find_item(const struct weir_patient *p, char *list, pick picks,
		      char item[PATH_MAX])
{
	char *word;

	while ((word = strsep(&list, ": \t\n"))) {
		if (!*word || !picks(p, word))
			continue;
		snprintf(item, PATH_MAX, "%s", word);
		return true;
	}
	return false;
}

/* In LD_PRELOAD or, of the whole machine, in a file; 0: in neither. */
static const char *find_preloaded(const struct weir_patient *p, pick picks,
				  char item[PATH_MAX])
{
	const char *setting = getenv("LD_PRELOAD");
	char *copy = strdup(setting ? setting : "");
	FILE *file = fopen(LISTED, "re");
	char text[4096] = "";
	const char *place = NULL;

	if (copy && find_item(p, copy, picks, item))
		place = "LD_PRELOAD";
	if (!place && file && fread(text, 1, sizeof(text) - 1, file) &&
	    find_item(p, text, picks, item))
		place = LISTED;
	if (file)
		fclose(file);
	free(copy);
	return place;
}

static bool is_missing(const struct weir_patient *p, const char *item)
{
	char path[PATH_MAX];

	return strchr(item, '/') ? access(item, R_OK) != 0
				 : !weir_closure_locate(item, path);
}

static bool is_weir(const struct weir_patient *p, const char *item)
{
	return !strcmp(base_name(item), "libweir.so");
}

static bool is_there_weir(const struct weir_patient *p, const char *item)
{
	return is_weir(p, item) && !is_missing(p, item);
}

static bool is_other_weir(const struct weir_patient *p, const char *item)
{
	struct stat theirs, ours;

	return is_weir(p, item) && !p->library_err && !stat(item, &theirs) &&
	       !stat(p->library, &ours) &&
	       (theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev);
}

static bool is_tracer(const struct weir_patient *p, const char *item)
{
	static const char *const tracers[] = {
		"libdarshan", "librecorder", "libscorep",   "libTAU",
		"libextrae",  "libmpitrace", "libseqtrace", "libiotrace",
		"libdftracer", "libVT",	     "libIPM",	    "libipm",
	};

	for (size_t i = 0; i < sizeof(tracers) / sizeof(*tracers); i++) {
		if (!strncmp(base_name(item), tracers[i], strlen(tracers[i])))
			return true;
	}
	return false;
}

static const pick picks[] = {is_missing, is_other_weir, is_tracer};

/* arg: which of the picks. */
static enum weir_check_answer look_at_preloaded(const struct weir_patient *p,
						int arg, char *where)
{
	char item[PATH_MAX];
	const char *place = find_preloaded(p, picks[arg], item);

	if (place)
		return weir_check_found(where, "%s: %s", place, item);
	return getenv("LD_PRELOAD") || !access(LISTED, F_OK) ?
		       WEIR_CHECK_FINE : WEIR_CHECK_UNASKED;
}

/* Recording without weir run takes two variables. */
static enum weir_check_answer look_for_preload(const struct weir_patient *p,
					       int arg, char *where)
{
	const char *list = getenv("LD_PRELOAD");
	char item[PATH_MAX];

	if (!p->is_plain)
		return WEIR_CHECK_UNASKED;
	if (find_preloaded(p, is_there_weir, item))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "WEIR_TRACE is set, LD_PRELOAD %s%s",
				list ? "is " : "is not", list ? list : "");
}

static enum weir_check_answer look_for_trace(const struct weir_patient *p,
					     int arg, char *where)
{
	const char *trace = getenv("WEIR_TRACE");
	char item[PATH_MAX];

	if (!find_preloaded(p, is_there_weir, item) || is_other_weir(p, item))
		return WEIR_CHECK_UNASKED; /* the other is told of elsewhere */
	if (trace && *trace)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "LD_PRELOAD names %s, WEIR_TRACE is "
				"not set", item);
}

static enum weir_check_answer look_at_trace(const struct weir_patient *p,
					    int arg, char *where)
{
	const char *trace = getenv("WEIR_TRACE");

	if (!p->is_plain)
		return WEIR_CHECK_UNASKED;
	return *p->target ? WEIR_CHECK_FINE :
			    weir_check_found(where, "WEIR_TRACE=%s", trace);
}

static enum weir_check_answer look_at_size(const struct weir_patient *p,
					   int arg, char *where)
{
	const char *trace = getenv("WEIR_TRACE"), *comma;
	uint64_t bytes;

	if (!p->is_plain)
		return WEIR_CHECK_UNASKED;
	comma = strrchr(trace, ',');
	if (!comma || !weir_number_parse_size(comma + 1, &bytes))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "WEIR_TRACE=%s: `%s' is not a size",
				trace, comma + 1);
}

static enum weir_check_answer look_at_live(const struct weir_patient *p,
					   int arg, char *where)
{
	const char *live = getenv("WEIR_LIVE");

	if (!p->is_plain || !live)
		return WEIR_CHECK_UNASKED;
	if (!access(live, W_OK | X_OK))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "WEIR_LIVE=%s: %s", live,
				strerror(errno));
}

/* The first word that says nothing; the library passes over it. */
static enum weir_check_answer look_at_files(const struct weir_patient *p,
					    int arg, char *where)
{
	const char *files = getenv("WEIR_FILES");
	size_t bytes = 0;

	if (!files)
		return WEIR_CHECK_UNASKED;
	for (const char *at = files; *at;) {
		size_t length = strcspn(at, ":");
		bool is_rule = length > 1 && strchr("+-", *at);

		bytes += is_rule ? length + 1 : 0;
		if (length && !is_rule && strncmp(at, "all", length + 1) &&
		    strncmp(at, "all:", length + 1))
			return weir_check_found(where, "WEIR_FILES: `%.*s'",
						(int)length, at);
		at += length + (at[length] == ':');
	}
	if (bytes > WEIR_CONTROL_RULES)
		return weir_check_found(where, "WEIR_FILES: %zu bytes of rules;"
					" at most %d are taken", bytes,
					WEIR_CONTROL_RULES);
	return WEIR_CHECK_FINE;
}

const struct weir_check weir_setting_checks[] = {
	{ "plain-preload", WEIR_CHECK_PREVENTS, look_for_preload, 0,
	  "WEIR_TRACE is set, but no libweir.so is preloaded",
	  "set LD_PRELOAD to the path of libweir.so, or use weir run",
	  "libweir.so is in LD_PRELOAD" },
	{ "plain-trace", WEIR_CHECK_PREVENTS, look_for_trace, 0,
	  "libweir.so is preloaded, but without WEIR_TRACE it does nothing",
	  "set WEIR_TRACE to a directory, or use weir run",
	  "WEIR_TRACE goes with LD_PRELOAD" },
	{ "trace-setting", WEIR_CHECK_PREVENTS, look_at_trace, 0,
	  "WEIR_TRACE names no directory", "WEIR_TRACE=DIR or DIR,SIZE",
	  "WEIR_TRACE names a directory" },
	{ "live-setting", WEIR_CHECK_PREVENTS, look_at_live, 0,
	  "WEIR_LIVE is left from a trace that has ended",
	  "unset WEIR_LIVE: only weir run sets it",
	  "WEIR_LIVE names a live directory" },
	{ "preload-twice", WEIR_CHECK_CUTS, look_at_preloaded, 1,
	  "another libweir.so is preloaded, too: calls would be recorded twice",
	  "take it out of LD_PRELOAD; weir run preloads its own",
	  "no other libweir.so is preloaded" },
	{ "other-tracer", WEIR_CHECK_CUTS, look_at_preloaded, 2,
	  "another tracer is preloaded: its own I/O would be in the trace, and "
	  "its cost in the times",
	  "take it out of LD_PRELOAD, or unload its module",
	  "no other tracer is preloaded" },
	{ "trace-size", WEIR_CHECK_CUTS, look_at_size, 0,
	  "what follows the comma in WEIR_TRACE is not a size, so it is taken "
	  "as part of the directory's name",
	  "write a size such as 4M after the last comma",
	  "the size in WEIR_TRACE is valid" },
	{ "files-setting", WEIR_CHECK_CUTS, look_at_files, 0,
	  "WEIR_FILES has a word without meaning, which is ignored",
	  "use all, +GLOB and -GLOB, separated by colons",
	  "WEIR_FILES is understood" },
	{ "preload-missing", WEIR_CHECK_NOTE, look_at_preloaded, 0,
	  "a library to preload does not exist; the loader will complain in "
	  "every program",
	  "correct LD_PRELOAD or " LISTED, "all libraries to preload exist" },
	{ 0 },
};
