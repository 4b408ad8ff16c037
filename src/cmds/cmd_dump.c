/* SPDX-License-Identifier: BSD-3-Clause */
/* weir dump: print what was recorded, call by call. */
#include "base/options.h"
#include "cmds/verdict.h"
#include "export/dump.h"
#include "export/lexicon.h"
#include "spec/options.h"
#include "trace/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell_unrecorded(const struct weir_unrecorded *all)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		if (all->by[i].processes)
			fprintf(stderr,
				"weir: processes not recorded (%s): %" PRIu64
				"\n",
				weir_unrecorded_why(i), all->by[i].processes);
	}
	weir_verdict_tell("calls known of processes not recorded",
			  weir_unrecorded_sum(all).calls);
}

static int tell_damage(const struct weir_reader *reader, const char *path)
{
	struct weir_reader_losses losses;

	if (!weir_reader_is_damaged(reader))
		return 0;
	weir_reader_losses(reader, &losses);
	fprintf(stderr, "weir: %s: damaged; what is whole was read\n", path);
	weir_verdict_tell("damaged blocks", losses.damaged_blocks);
	weir_verdict_tell("calls in them", losses.damaged_events);
	weir_verdict_tell("bytes in no block", losses.damaged_bytes);
	weir_verdict_tell("files cut short", losses.unended);
	weir_verdict_tell("files that are no traces", losses.refused);
	return WEIR_EXIT_DAMAGED;
}

/* Never silent: what is not in the output is told after it. */
static int sum_up(const struct weir_reader *reader, const char *path,
		  const struct weir_pending *pending)
{
	struct weir_reader_losses losses;

	weir_reader_losses(reader, &losses);
	weir_verdict_tell("calls not recorded for want of buffer space (try a "
			  "larger --buffer)", losses.dropped);
	weir_verdict_tell("calls recorded that could not be stored",
			  losses.lost);
	weir_verdict_tell("older records overwritten, as --ring does",
			  losses.overwritten);
	tell_unrecorded(&losses.unrecorded);
	weir_verdict_tell("asynchronous operations whose end was not seen",
			  weir_pending_unseen(pending));
	return tell_damage(reader, path);
}

static int dump_dictionary(const char *path, const char *format)
{
	const struct weir_lexicon_format *form = weir_lexicon_format(format);
	struct weir_reader *reader;
	uint32_t count = 0;
	int status, err;

	if (!form) {
		fprintf(stderr, "weir dump: --dictionary is not printed as "
			"%s, only as text, jsonl or csv\n", format);
		return WEIR_EXIT_USAGE;
	}
	err = weir_reader_open(path, &reader);
	if (err)
		return weir_verdict_refuse(path, err);
	err = weir_lexicon_write(reader, form, STDOUT_FILENO, &count);
	status = tell_damage(reader, path);
	weir_reader_close(reader);
	if (err) {
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
		return WEIR_EXIT_INTERNAL;
	}
	if (!count)
		fprintf(stderr, "weir: %s: has no dictionary\n", path);
	return count ? status : WEIR_EXIT_DAMAGED;
}

static int dump(const char *path, const struct weir_dump_format *format,
		struct weir_dump_filter *filter)
{
	struct weir_pending pending = { 0 };
	struct weir_reader *reader;
	int status, err = weir_reader_open(path, &reader);

	if (err)
		return weir_verdict_refuse(path, err);
	if (!filter->process && !filter->file && !filter->from &&
	    filter->to == UINT64_MAX)
		filter->pending = &pending; /* else ends are filtered out */
	err = weir_dump_write(reader, format, filter, STDOUT_FILENO);
	if (weir_reader_has_profiles(reader))
		fprintf(stderr,
			"weir: %s has sums of calls, not the calls: weir "
			"report shows them\n", path);
	status = sum_up(reader, path, &pending);
	weir_pending_fini(&pending);
	weir_reader_close(reader);
	if (!err)
		return status;
	fprintf(stderr, "weir: %s: %s\n", path,
		err == -ESTALE ? "changed while it was read; try again" :
				 strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

int weir_cmd_dump(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_DUMP];
	struct weir_dump_filter filter = { 0 };
	const char *format;
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	format = verb->options[WEIR_DUMP_FORMAT]
			 .choices[weir_options_choice(&o, WEIR_DUMP_FORMAT)];
	filter.process = weir_options_text(&o, WEIR_DUMP_PROCESS);
	filter.file = weir_options_text(&o, WEIR_DUMP_FILE);
	weir_options_span(&o, WEIR_DUMP_TIME, &filter.from, &filter.to);
	if (weir_options_flag(&o, WEIR_DUMP_DICTIONARY))
		status = dump_dictionary(o.operands[0], format);
	else
		status = dump(o.operands[0], weir_dump_format(format),
			      &filter);
	weir_options_fini(&o);
	return status;
}
