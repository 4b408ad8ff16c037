/* SPDX-License-Identifier: BSD-3-Clause */
/* weir serve: starts, shows and ends a forwarding service. */
#include "base/nearest.h"
#include "base/options.h"
#include "cmds/serve_drain.h"
#include "cmds/serve_options.h"
#include "cmds/serve_status.h"
#include "cmds/verbs.h"
#include "serve/rescue/rescuefile.h"
#include "serve/supervisor/ask.h"
#include "serve/supervisor/supervisor.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_service(const char *what, int err)
{
	fprintf(stderr, "weir: cannot %s: %s\n", what,
		err == -EPROTONOSUPPORT ? "the service is of another version "
					  "of weir"
		: err == -EMSGSIZE	? "there are too many to list at once"
					: strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

static int find_service(const struct weir_options *o, char ret_place[PATH_MAX])
{
	return weir_serve_options_find(weir_options_text(o, WEIR_SERVE_AT),
				       ret_place);
}

/* Scripts take the directory from standard output. */
static int start_service(const struct weir_options *o)
{
	static const struct weir_serve_options which = {
		.cache = WEIR_SERVE_CACHE,
		.prefetch = WEIR_SERVE_PREFETCH,
		.backend = WEIR_SERVE_BACKEND,
		.policy = WEIR_SERVE_POLICY,
		.on_close = WEIR_SERVE_ON_CLOSE,
		.rescue = WEIR_SERVE_RESCUE,
	};
	const char *at = weir_options_text(o, WEIR_SERVE_AT);
	struct weir_supervisor *supervisor;
	struct weir_setup setup;
	int status = weir_serve_options_read(o, &which, &setup);

	if (status)
		return status;
	if (at && weir_serve_options_place(at, setup.place,
					   sizeof(setup.place)))
		return WEIR_EXIT_USAGE;
	if (weir_supervisor_start(&setup, true, &supervisor))
		return WEIR_EXIT_INTERNAL;
	weir_supervisor_leave(supervisor);
	puts(setup.place);
	fprintf(stderr, "weir: the service has begun; programs use it by: weir "
		"run --forward=DIR --server %s -- COMMAND\n", setup.place);
	return WEIR_EXIT_OK;
}

static int status(const struct weir_options *o)
{
	char place[PATH_MAX];
	struct weir_ask ask = {.place = place, .op = WEIR_OP_STATUS};
	int code = find_service(o, place), err;

	if (code)
		return code;
	err = weir_ask(&ask);
	if (err)
		return refuse_service("ask the service", err);
	if (weir_options_chose(o, WEIR_SERVE_FORMAT, "json"))
		fputs(ask.data, stdout);
	else
		weir_serve_status_print(ask.data, stdout);
	free(ask.data);
	return WEIR_EXIT_OK;
}

/* What is in the way, if something is. */
static int tell_errors(const char *place, bool json)
{
	struct weir_ask ask = {.place = place, .op = WEIR_OP_ERRORS};
	unsigned count;
	int err = weir_ask(&ask);

	if (err)
		return refuse_service("ask the service", err);
	count = json ? weir_serve_status_failures(ask.data, NULL) :
		       weir_serve_status_failures(ask.data, stdout);
	if (json)
		fputs(ask.data, stdout);
	free(ask.data);
	return count ? WEIR_EXIT_UNSTORED : WEIR_EXIT_OK;
}

static int drain(const struct weir_options *o)
{
	char place[PATH_MAX];
	int code = find_service(o, place), left;

	if (code)
		return code;
	left = weir_serve_drain(place, stderr, stdout);
	if (left < 0)
		return refuse_service("drain the service", left);
	return left ? WEIR_EXIT_UNSTORED : WEIR_EXIT_OK;
}

static int refuse_end(const char *json)
{
	fputs("weir: programs still use the service: ", stderr);
	weir_serve_status_users(json, stderr);
	fputs("\nweir: it goes on; `weir serve stop --wait' ends it when they "
	      "have ended, `--now' at once, and they get errors\n", stderr);
	return WEIR_EXIT_REFUSED;
}

/* 0: nobody uses it, or the user does not mind. */
static int check_users(const struct weir_options *o, const char *place)
{
	struct weir_ask ask = {.place = place, .op = WEIR_OP_STATUS};
	int code = 0, err;

	if (weir_options_flag(o, WEIR_SERVE_NOW) ||
	    weir_options_flag(o, WEIR_SERVE_WAIT))
		return 0;
	err = weir_ask(&ask);
	if (err)
		return refuse_service("ask the service", err);
	if (weir_serve_status_users(ask.data, NULL))
		code = refuse_end(ask.data);
	free(ask.data);
	return code;
}

/*
 * Drained first, so that ending it loses nothing; --now takes that upon itself.
 */
static int stop(const struct weir_options *o)
{
	char place[PATH_MAX];
	struct weir_op_stop_in in = {
		.now = weir_options_flag(o, WEIR_SERVE_NOW),
	};
	struct weir_ask ask = {
		.place = place, .op = WEIR_OP_STOP, .fields = &in,
	};
	int code = find_service(o, place), left = 0, err;

	if (!code)
		code = check_users(o, place);
	if (code)
		return code;
	if (!in.now)
		left = drain(o);
	err = weir_ask(&ask);
	if (err)
		return refuse_service("end the service", err);
	return left;
}

static int discard(const char *place, const char *path)
{
	struct weir_op_discard_in in = {0};
	struct weir_op_discard_out out;
	struct weir_ask ask = {
		.place = place, .op = WEIR_OP_DISCARD, .fields = &in,
		.text = path, .results = &out,
	};
	int err = weir_ask(&ask);

	if (err)
		return refuse_service("give that up", err);
	fprintf(stderr, "weir: %" PRIu64 " range%s given up\n",
		(uint64_t)out.entries, out.entries == 1 ? " is" : "s are");
	return out.entries ? WEIR_EXIT_OK : WEIR_EXIT_REFUSED;
}

static int errors(const struct weir_options *o)
{
	const char *path = weir_options_text(o, WEIR_SERVE_DISCARD);
	char place[PATH_MAX], whole[PATH_MAX];
	int code = find_service(o, place);

	if (code)
		return code;
	if (!path)
		return tell_errors(
			place,
			weir_options_chose(o, WEIR_SERVE_FORMAT, "json"));
	if (!strcmp(path, "all"))
		return discard(place, "");
	return discard(place, realpath(path, whole) ? whole : path);
}

static int recover(const struct weir_options *o)
{
	int err;

	if (o->operand_count != 2) {
		fputs("weir: weir serve recover needs one FILE\nTry: weir "
		      "serve --help\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	err = weir_rescuefile_recover(o->operands[1],
				      weir_options_flag(o, WEIR_SERVE_FORCE));
	if (!err)
		return WEIR_EXIT_OK;
	return err == -ENOENT || err == -EBADMSG ? WEIR_EXIT_REFUSED :
						   WEIR_EXIT_UNSTORED;
}

static const struct {
	const char *name;
	int (*run)(const struct weir_options *o);
} works[] = {
	{ "start", start_service }, { "status", status },
	{ "drain", drain },	    { "stop", stop },
	{ "errors", errors },	    { "recover", recover },
};

#define WORKS (sizeof(works) / sizeof(*works))

static int refuse_word(const char *word)
{
	struct weir_nearest near;

	weir_nearest_init(&near, word, strlen(word));
	for (size_t i = 0; i < WORKS; i++)
		weir_nearest_offer(&near, works[i].name);
	return weir_verbs_refuse_word("serve", word, &near);
}

static int run_errand(const struct weir_options *o)
{
	for (size_t i = 0; i < WORKS; i++)
		if (!strcmp(o->operands[0], works[i].name))
			return works[i].run(o);
	return refuse_word(o->operands[0]);
}

int weir_cmd_serve(int argc, char **argv)
{
	struct weir_options o;
	int code;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_SERVE], argc, argv,
				&code))
		return code;
	code = run_errand(&o);
	weir_options_fini(&o);
	return code;
}
