/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites a launcher's command so that its programs are recorded. */
#include "launch/ranks/parallel.h"

#include "launch/programs/launcher.h"
#include "launch/ranks/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Here they are told by the control file, which is not there elsewhere. */
static void warn_about_colon(const char *rule)
{
	fprintf(stderr,
		"weir: warning: there is a colon in --%s '%s': programs on "
		"other nodes are not told of this rule; write ? for it\n",
		*rule == '+' ? "include" : "exclude", rule + 1);
}

/* all:+GLOB:-GLOB; a pattern with a colon cannot be told that way. */
static char *files_text(const struct weir_parallel_facts *facts)
{
	const struct weir_rules *rules = facts->rules;
	char *text = malloc(rules->bytes + sizeof("all:"));
	size_t used = 0;

	if (!text)
		return NULL;
	strcpy(text, facts->all ? "all:" : "");
	used = strlen(text);
	for (size_t at = 0; at < rules->bytes;) {
		size_t length = strlen(rules->text + at);

		if (strchr(rules->text + at, ':')) {
			warn_about_colon(rules->text + at);
		} else {
			memcpy(text + used, rules->text + at, length);
			used += length;
			text[used++] = ':';
		}
		at += length + 1;
	}
	text[used ? used - 1 : 0] = '\0';
	return text;
}

static int prepare_command(struct weir_parallel *parallel,
			   const struct weir_parallel_facts *facts)
{
	ssize_t length = readlink("/proc/self/exe", parallel->self,
				  sizeof(parallel->self) - 1);

	if (length < 0)
		return -errno;
	parallel->self[length] = '\0';
	if (asprintf(&parallel->trace, "%s,%s", facts->dir, facts->words) < 0)
		parallel->trace = NULL;
	parallel->files = files_text(facts);
	if (facts->layers)
		parallel->layers = strdup(facts->layers);
	if (facts->plan)
		parallel->plan = strdup(facts->plan);
	if (facts->forward)
		parallel->forward = strdup(facts->forward);
	return parallel->trace && parallel->files &&
	       !parallel->layers == !facts->layers &&
	       !parallel->plan == !facts->plan &&
	       !parallel->forward == !facts->forward ? 0 : -ENOMEM;
}

static int put_before(struct weir_parallel *parallel,
		      const struct weir_launcher *launcher, char **command,
		      const char **ret_word)
{
	char *words[12] = { parallel->self, "exec" };
	int n = 2;

	if (*parallel->files) {
		words[n++] = "--files";
		words[n++] = parallel->files;
	}
	if (parallel->layers) {
		words[n++] = "--layers";
		words[n++] = parallel->layers;
	}
	if (parallel->plan) {
		words[n++] = "--plan";
		words[n++] = parallel->plan;
	}
	if (parallel->forward) {
		words[n++] = "--forward";
		words[n++] = parallel->forward;
	}
	words[n] = parallel->trace;
	return weir_launcher_prefix(launcher, command, words, &parallel->line,
				    ret_word);
}

int weir_parallel_plan(struct weir_parallel *parallel, char **command,
		       const struct weir_parallel_facts *facts)
{
	const struct weir_launcher *launcher = weir_launcher_find(command[0]);
	const char *word = "";
	int err;

	*parallel = (struct weir_parallel){ 0 };
	if (!launcher)
		return 0;
	err = prepare_command(parallel, facts);
	if (!err)
		err = put_before(parallel, launcher, command, &word);
	if (err == -ENOTSUP)
		fprintf(stderr,
			"weir: warning: %s: option %s is not known, so its "
			"programs cannot be told; those on other nodes may "
			"not be recorded\n",
			command[0], word);
	return err == -ENOTSUP || err == -ENOEXEC ? 0 : err;
}

void weir_parallel_fini(struct weir_parallel *parallel)
{
	free(parallel->line);
	free(parallel->trace);
	free(parallel->files);
	free(parallel->layers);
	free(parallel->plan);
	free(parallel->forward);
}
