/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what a wrapper takes away from the program it starts. */
#include "doctor/check.h"
#include "doctor/patient.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A root that has the library at the same place keeps it in reach. */
static bool has_library(const struct weir_patient *p, const char *root)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, p->library);
	return !p->library_err && !access(path, R_OK);
}

/* arg: an effect. */
static enum weir_check_answer look_at_wrappers(const struct weir_patient *p,
					       int arg, char *where)
{
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;

	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_wrapper_use *use = &p->links[i].use;
		bool has_root = arg == WEIR_WRAPPER_ROOT && use->root;

		if (!p->links[i].is_wrapper)
			continue;
		answer = WEIR_CHECK_FINE;
		if ((int)use->wrapper->effect != arg || !use->acts ||
		    (has_root && has_library(p, use->root)))
			continue;
		if (has_root)
			return weir_check_found(where, "%s: there is no %s%s",
						p->links[i].word, use->root,
						p->library);
		return weir_check_found(where, "%s%s%s", p->links[i].word,
					use->option ? " " : "",
					use->option ? use->option : "");
	}
	return answer;
}

static enum weir_check_answer look_at_preload(const struct weir_patient *p,
					      int arg, char *where)
{
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;

	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_wrapper_use *use = &p->links[i].use;

		if (!p->links[i].is_wrapper)
			continue;
		answer = WEIR_CHECK_FINE;
		if (use->preload && !strstr(use->preload, "libweir.so"))
			return weir_check_found(
				where, "%s: %s%s", p->links[i].word,
				strchr(use->preload, '=') ? "" : "LD_PRELOAD ",
				use->preload);
	}
	return answer;
}

const struct weir_check weir_wrapper_checks[] = {
	{"environment-cleared", WEIR_CHECK_PREVENTS, look_at_wrappers,
	 WEIR_WRAPPER_CLEARS,
	 "a wrapper takes away the environment by which weir is preloaded",
	 "put weir inside: WRAPPER weir run -- PROGRAM",
	 "no wrapper clears the environment"},
	{"preload-replaced", WEIR_CHECK_PREVENTS, look_at_preload, 0,
	 "a wrapper replaces LD_PRELOAD, by which weir is preloaded",
	 "set LD_PRELOAD before weir run, which adds to it",
	 "no wrapper changes LD_PRELOAD"},
	{"root-changed", WEIR_CHECK_PREVENTS, look_at_wrappers,
	 WEIR_WRAPPER_ROOT,
	 "a wrapper changes the root, and weir's library is not below it",
	 "copy or bind-mount it there, under the same path",
	 "no wrapper takes weir's library out of reach"},
	{"user-changed", WEIR_CHECK_PREVENTS, look_at_wrappers,
	 WEIR_WRAPPER_USER,
	 "a wrapper changes the user, who may not write into your trace",
	 "put weir inside: WRAPPER weir run -- PROGRAM",
	 "no wrapper changes the user"},
	{"elsewhere", WEIR_CHECK_PREVENTS, look_at_wrappers,
	 WEIR_WRAPPER_ELSEWHERE,
	 "a wrapper has the program started by another process or machine",
	 "put weir inside: WRAPPER weir run -- PROGRAM",
	 "no wrapper goes elsewhere"},
	{"contained", WEIR_CHECK_CUTS, look_at_wrappers, WEIR_WRAPPER_CONTAINS,
	 "a wrapper gives the program other file systems, where weir's library "
	 "and /dev/shm may not be",
	 "install weir inside and run it there", "no wrapper is a container"},
	{0},
};
