/* SPDX-License-Identifier: BSD-3-Clause */
/* weir run --forward: runs the service that files go through. */
#include "cmds/forward_run.h"

#include "base/filesystem.h"
#include "cmds/progress.h"
#include "cmds/serve_drain.h"
#include "cmds/serve_options.h"
#include "cmds/serve_status.h"
#include "launch/ranks/forwarding.h"
#include "serve/supervisor/ask.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* NULL: it may be on other machines. */
static const char *name_of_local(const char *path)
{
	struct statfs about;

	if (statfs(path, &about))
		return NULL;
	return weir_filesystem_local((unsigned long)about.f_type);
}

/* Directories that an option names. */
struct list {
	const char *option;
	const char *below; /* one of these each must be, or NULL */
	char text[PATH_MAX];
};

/* Prefixes end at slashes: /data is not above /database. */
static bool is_below_any(const char *path, const char *prefixes)
{
	size_t length;

	for (; *prefixes; prefixes += length + (prefixes[length] == ':')) {
		length = strcspn(prefixes, ":");
		if (!strncmp(path, prefixes, length) &&
		    (!path[length] || path[length] == '/' ||
		     prefixes[length - 1] == '/'))
			return true;
	}
	return false;
}

/*
 * Names are given to processes joined by : and |, so they may not have these.
 */
static int add_directory(struct list *list, const char *word)
{
	char path[PATH_MAX];
	size_t used = strlen(list->text);

	if (!realpath(word, path)) {
		fprintf(stderr, "weir: %s: %s: %s\n", list->option, word,
			strerror(errno));
		return WEIR_EXIT_USAGE;
	}
	if (list->below && !is_below_any(path, list->below)) {
		fprintf(stderr, "weir: %s: %s is not below a directory that is "
			"forwarded (--forward)\n", list->option, word);
		return WEIR_EXIT_USAGE;
	}
	if (strpbrk(path, ":|") ||
	    snprintf(list->text + used, PATH_MAX - used, "%s%s",
		     used ? ":" : "", path) >= (int)(PATH_MAX - used)) {
		fprintf(stderr,
			"weir: %s: %s: its path is too long, or "
			"contains : or |\n",
			list->option, word);
		return WEIR_EXIT_USAGE;
	}
	return 0;
}

/* The first mistake ends it: each has been told with the option's name. */
static int add_all(struct list *list, const char *words)
{
	char *copy = strdup(words), *rest = copy, *word;
	int status = copy ? 0 : WEIR_EXIT_INTERNAL;

	while (!status && (word = strsep(&rest, ",")))
		status = add_directory(list, word);
	free(copy);
	return status;
}

/*
 * Without a name it is the directory that we are in, where it is worth it: the
 * kernel keeps what is written to a local file system as we would.
 */
static int choose_prefixes(const char *words, struct list *prefixes)
{
	const char *name = *words ? NULL : name_of_local(".");

	if (!name)
		return add_all(prefixes, *words ? words : ".");
	fprintf(stderr,
		"weir: nothing is forwarded: this directory is on %s, "
		"local to this machine; --forward=. forwards it anyway\n",
		name);
	return 0;
}

/*
 * A service of one run: it ends with the command, and nobody else can use it.
 */
static int use_ours(const struct weir_options *o, struct weir_setup *setup,
		    struct weir_forward_run *run)
{
	static const struct weir_serve_options which = {
		.cache = WEIR_RUN_CACHE,
		.prefetch = WEIR_RUN_PREFETCH,
		.backend = WEIR_RUN_BACKEND,
		.policy = WEIR_RUN_POLICY,
		.on_close = WEIR_RUN_ON_CLOSE,
		.rescue = WEIR_RUN_RESCUE,
	};
	int status = weir_serve_options_read(o, &which, setup);

	if (status)
		return status;
	if (weir_supervisor_start(setup, false, &run->supervisor))
		return WEIR_EXIT_INTERNAL;
	snprintf(run->own, sizeof(run->own), "%s", setup->place);
	return 0;
}

/*
 * It may have been started with another cache or backend: options of this run
 * that set these do not reach it.
 */
static int use_theirs(const char *server, struct weir_setup *setup,
		      struct weir_forward_run *run)
{
	int status = weir_serve_options_find(server, run->place);

	snprintf(setup->place, sizeof(setup->place), "%.*s",
		 (int)sizeof(setup->place) - 1, run->place);
	return status;
}

/* What was started here is ended again when the command cannot use it. */
static int connect_to(const struct weir_options *o, const char *prefixes,
		      struct weir_forward_run *run)
{
	const char *server = weir_options_text(o, WEIR_RUN_SERVER);
	struct weir_setup setup;
	int status;

	if (!server)
		server = getenv("WEIR_SERVER");
	status = server && *server ? use_theirs(server, &setup, run) :
				     use_ours(o, &setup, run);
	if (status)
		return status;
	run->text = weir_forwarding_text(setup.place, prefixes);
	if (run->text)
		return 0;
	fputs("weir: this host has no boot id; nothing can be forwarded\n",
	      stderr);
	if (run->supervisor)
		weir_supervisor_finish(run->supervisor, stderr,
				       &(struct weir_startnotice){0});
	return WEIR_EXIT_INTERNAL;
}

static int refuse_defer(void)
{
	fputs("weir: --defer needs --forward: see weir help run\n", stderr);
	return WEIR_EXIT_USAGE;
}

/*
 * A run within a forwarded run is forwarded already; a second service would
 * take writes that the first has to order.
 */
int weir_forward_run_begin(const struct weir_options *o,
			   struct weir_forward_run *ret_run)
{
	const char *words = weir_options_text(o, WEIR_RUN_FORWARD);
	const char *below = weir_options_text(o, WEIR_RUN_DEFER);
	struct list prefixes = {.option = "--forward"};
	struct list deferred = {.option = "--defer", .below = prefixes.text};
	char all[2 * PATH_MAX];
	int status;

	*ret_run = (struct weir_forward_run){
		.is_quiet = weir_options_flag(o, WEIR_RUN_QUIET),
	};
	if (!words && below)
		return refuse_defer();
	if (!words)
		return 0;
	if (weir_forwarding_inherited()) {
		fputs("weir: files are already forwarded by what started this "
		      "run; --forward changes nothing\n",
		      stderr);
		return 0;
	}
	status = choose_prefixes(words, &prefixes);
	if (!status && *prefixes.text && below)
		status = add_all(&deferred, below);
	if (status || !*prefixes.text)
		return status;
	snprintf(all, sizeof(all), "%s%s%s", prefixes.text,
		 *deferred.text ? "|" : "", deferred.text);
	return connect_to(o, all, ret_run);
}

void weir_forward_run_follow(void *arg, const char *live)
{
	struct weir_forward_run *run = arg;
	struct weir_ask ask = { .place = run->own, .op = WEIR_OP_RECORD,
				.text = live };
	int err = run->supervisor ? weir_ask(&ask) : 0;

	free(ask.data);
	if (err)
		fprintf(stderr, "weir: what the service does is not recorded: "
			"%s\n", strerror(-err));
}

/* What there is to tell comes behind the line that tells of progress. */
static int drain(struct weir_forward_run *run, struct weir_startnotice *sums,
		 char **ret_told)
{
	struct weir_progress progress;
	size_t size;
	FILE *out = open_memstream(ret_told, &size);
	int left;

	if (!out)
		return -ENOMEM;
	weir_progress_begin(&progress, "storing what was written", NULL);
	left = run->supervisor ?
		       weir_supervisor_finish(run->supervisor, out, sums) :
		       weir_serve_drain(run->place, out, out);
	weir_progress_end(&progress);
	if (!fclose(out))
		fputs(*ret_told, stderr);
	return left;
}

static void tell_files(const char *what, uint64_t count, uint64_t bytes)
{
	char size[32];

	if (count)
		fprintf(stderr, "weir: %s: %" PRIu64 " file%s with %s\n", what,
			count, count == 1 ? "" : "s",
			weir_serve_status_size(bytes, size));
}

static void tell_writes(const struct weir_startnotice *sums)
{
	char in[32], out[32];

	fprintf(stderr, "weir: forwarded %" PRIu64 " write%s of %s; stored %s "
		"by %" PRIu64 " request%s\n", sums->requests_in,
		sums->requests_in == 1 ? "" : "s",
		weir_serve_status_size(sums->bytes_in, in),
		weir_serve_status_size(sums->bytes_out, out),
		sums->requests_out, sums->requests_out == 1 ? "" : "s");
}

/* What went to the kernel is told, too: those files gain nothing. */
static void tell_sums(const struct weir_startnotice *sums)
{
	if (sums->requests_in)
		tell_writes(sums);
	if (sums->bypassed)
		fprintf(stderr, "weir: %" PRIu64 " file%s left to the kernel: "
			"mapped, used by a stream of wide characters or one "
			"of freopen, or inherited by a program\n",
			sums->bypassed,
			sums->bypassed == 1 ? " was" : "s were");
	tell_files("created later", sums->materialised,
		   sums->materialised_bytes);
	tell_files("never created, as removed in time", sums->never_created,
		   sums->never_created_bytes);
}

/*
 * May be called twice, by the run and at its end: the second time does nothing.
 */
int weir_forward_run_finish(void *arg, struct weir_runresult *result)
{
	struct weir_forward_run *run = arg;
	struct weir_startnotice sums = {0};
	int left;

	if (!run->text)
		return 0;
	left = drain(run, &sums, &result->stored);
	if (!run->is_quiet)
		tell_sums(&sums);
	if (left < 0)
		fprintf(stderr,
			"weir: the service ended early (%s); not all "
			"that was written may be stored\n",
			strerror(-left));
	run->supervisor = NULL;
	run->place[0] = '\0';
	free(run->text);
	run->text = NULL;
	return left ? WEIR_EXIT_UNSTORED : 0;
}
