/* SPDX-License-Identifier: BSD-3-Clause */
/* weir anon: writes a copy of a trace that can be given away. */
#include "base/options.h"
#include "base/whole.h"
#include "cmds/verdict.h"
#include "share/anon.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Past stdio, so that no buffer keeps it. */
static void show_key(struct weir_secret *secret)
{
	char digits[2 * WEIR_SECRET_BYTES + 1];

	fputs("weir: the key, shown only this once:\n", stderr);
	weir_secret_spell(secret, digits);
	digits[sizeof(digits) - 1] = '\n';
	weir_whole_write(STDERR_FILENO, digits, sizeof(digits));
	explicit_bzero(digits, sizeof(digits));
	fputs("weir: in a file it finds your names in the new trace (weir anon "
	      "--key FILE\nweir: --lookup NAME) and hides more traces alike "
	      "(--key FILE); keep it\nweir: secret: who has it can test "
	      "guesses\n",
	      stderr);
}

static int read_key(const char *path, struct weir_secret *ret_secret)
{
	int err = weir_secret_load(path, ret_secret);

	if (!err)
		return 0;
	if (err == -EINVAL)
		fprintf(stderr,
			"weir: %s: not a key: it must hold the 64 hexadecimal "
			"digits that weir anon printed\n",
			path);
	else
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
	return WEIR_EXIT_USAGE;
}

static int take_words(const struct weir_options *o, struct weir_mask *mask)
{
	const char *word;

	mask->keep = WEIR_MASK_EXTENSIONS;
	for (unsigned i = 0; (word = weir_options_item(o, WEIR_ANON_KEEP, i));
	     i++) {
		int err = weir_mask_allow(mask, word);

		if (!err)
			continue;
		if (err == -E2BIG)
			fprintf(stderr, "weir: --keep: too many paths; use "
					"fewer\n");
		else
			fprintf(stderr,
				"weir: --keep does not take %s, only "
				"extensions, host, args, programs, users, "
				"inodes, none, or a /PATH\n",
				word);
		return WEIR_EXIT_USAGE;
	}
	return 0;
}

static int lookup(const struct weir_mask *mask, const char *name)
{
	struct weir_bytes hidden = {0};
	int err = weir_mask_path(mask, name, strlen(name), &hidden);

	if (!err)
		err = weir_bytes_add(&hidden, "\n", 1);
	if (!err)
		weir_whole_write(STDOUT_FILENO, (const char *)hidden.data,
				 hidden.used);
	weir_bytes_fini(&hidden);
	return err ? WEIR_EXIT_INTERNAL : 0;
}

static void tell_unknown(const struct weir_rewrite_account *account)
{
	const struct weir_masktext_unknown *unknown = &account->unknown;

	weir_verdict_tell("blocks of unknown types left out",
			  account->unknown_blocks);
	if (unknown->lines)
		fprintf(stderr,
			"weir: lines with unknown keys left out: "
			"%" PRIu64 " (the first: %s)\n",
			unknown->lines, unknown->first);
	weir_verdict_tell("events with unreadable details, left out",
			  account->unknown_details);
}

static int print_anon_summary(const struct weir_anon_result *result,
			      const char *trace, const char *out)
{
	const struct weir_rewrite_account *account = &result->account;

	fprintf(stderr,
		"weir: %s: %" PRIu64 " calls in %u file%s, %" PRIu64 " bytes\n",
		out, account->events, result->files,
		result->files == 1 ? "" : "s", result->bytes);
	weir_verdict_tell("sums of processes (--profile)", account->profiles);
	tell_unknown(account);
	if (!weir_anon_is_damaged(result))
		return 0;
	fprintf(stderr,
		"weir: %s: damaged; only the intact part was "
		"written\n",
		trace);
	weir_verdict_tell("damaged blocks", account->damaged_blocks);
	weir_verdict_tell("calls in them", account->damaged_events);
	weir_verdict_tell("bytes outside of blocks", account->damaged_bytes);
	weir_verdict_tell("files cut short", account->unended);
	weir_verdict_tell("files that are not traces", result->refused);
	return WEIR_EXIT_DAMAGED;
}

static int write_trace(struct weir_mask *mask, int is_new, char **operands)
{
	const char *trace = operands[0], *out = operands[1], *where = trace;
	struct weir_anon_result result;
	int status, err = weir_anon_write(mask, trace, out, &result, &where);

	if (err)
		return where == out ? weir_verdict_refuse_output(out, err)
				    : weir_verdict_refuse(trace, err);
	status = print_anon_summary(&result, trace, out);
	if (is_new)
		show_key(&mask->secret);
	return status;
}

static int anon(const struct weir_options *o, struct weir_mask *mask)
{
	const char *key = weir_options_text(o, WEIR_ANON_KEY);
	const char *name = weir_options_text(o, WEIR_ANON_LOOKUP);
	int status = take_words(o, mask);

	if (status)
		return status;
	if (name ? !key || o->operand_count : o->operand_count != 2) {
		fputs(name ? "weir anon: --lookup needs --key FILE and no "
			     "trace\n"
			   : "usage: weir anon [OPTION]... TRACE OUT\n",
		      stderr);
		return WEIR_EXIT_USAGE;
	}
	status = key ? read_key(key, &mask->secret) : 0;
	if (status)
		return status;
	if (!key && weir_secret_make(&mask->secret)) {
		fputs("weir: no random numbers for a key; try --key FILE\n",
		      stderr);
		return WEIR_EXIT_INTERNAL;
	}
	return name ? lookup(mask, name) : write_trace(mask, !key, o->operands);
}

int weir_cmd_anon(int argc, char **argv)
{
	struct weir_mask mask = { .keep = 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_ANON], argc, argv,
				&status))
		return status;
	mask.cache = weir_maskcache_new();
	status = anon(&o, &mask);
	weir_maskcache_free(mask.cache);
	weir_secret_wipe(&mask.secret);
	weir_options_fini(&o);
	return status;
}
