/* SPDX-License-Identifier: BSD-3-Clause */
/* Says why a trace cannot be used, and with which code to exit. */
#include "cmds/verdict.h"

#include "trace/read/readshelf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Of a directory that is there `No such file' would be no answer. */
static void tell_absence(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		fprintf(stderr, "weir: %s: %s\n", path, strerror(ENOENT));
	else
		fprintf(stderr,
			"weir: %s: there is no trace in this directory\n"
			"Name that of weir run -o DIR, or make one: weir run "
			"-o DIR -- COMMAND\n",
			path);
}

int weir_verdict_refuse(const char *path, int err)
{
	switch (err) {
	case -ENOENT:
		tell_absence(path);
		break;
	case -EBADMSG:
		fprintf(stderr, "weir: %s: not a trace\n", path);
		break;
	case -ENOTSUP:
		fprintf(stderr,
			"weir: %s: made by a later version of weir; "
			"use that to read it\n",
			path);
		break;
	case -EFBIG:
		fprintf(stderr,
			"weir: %s: its file names take more than %" PRIu64 " "
			"MB, the limit; read the file of one host, or record "
			"fewer files (--include, --exclude)\n",
			path, (uint64_t)(WEIR_READSHELF_NAMES >> 20));
		break;
	case -ENOMEM:
		fprintf(stderr, "weir: %s: out of memory\n", path);
		return WEIR_EXIT_INTERNAL;
	default:
		fprintf(stderr, "weir: %s: %s\n", path, strerror(-err));
	}
	return WEIR_EXIT_REFUSED;
}

int weir_verdict_refuse_output(const char *path, int err)
{
	if (err == -EEXIST) {
		fprintf(stderr,
			"weir: %s already exists: name another place, or "
			"remove it first\n",
			path);
		return WEIR_EXIT_USAGE;
	}
	fprintf(stderr, "weir: cannot write %s: %s\n", path, strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

int weir_verdict_refuse_sums(const struct weir_reader *reader,
			     const char *path)
{
	if (!weir_reader_has_profiles(reader) || weir_reader_begin(reader))
		return 0;
	fprintf(stderr,
		"weir: %s has sums instead of calls (weir run --profile): weir "
		"report %s shows them\n",
		path, path);
	return WEIR_EXIT_REFUSED;
}

void weir_verdict_tell(const char *what, uint64_t count)
{
	if (count)
		fprintf(stderr, "weir: %s: %" PRIu64 "\n", what, count);
}

static void tell_unrecorded(const struct weir_unrecorded *all)
{
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		if (all->by[i].processes)
			fprintf(stderr,
				"weir: processes not recorded (%s): %" PRIu64
				"\n",
				weir_unrecorded_why(i), all->by[i].processes);
	}
	weir_verdict_tell("calls counted in processes that were not recorded",
			  weir_unrecorded_sum(all).calls);
}

void weir_verdict_tell_losses(const struct weir_reader *reader)
{
	struct weir_reader_losses losses;

	weir_reader_losses(reader, &losses);
	weir_verdict_tell("calls not recorded for lack of buffer space (try a "
			  "larger --buffer)",
			  losses.dropped);
	weir_verdict_tell("calls recorded that could not be stored",
			  losses.lost);
	weir_verdict_tell("older records overwritten, as --ring does",
			  losses.overwritten);
	weir_verdict_tell("polls of unfinished operations, counted but not "
			  "recorded (--all records them)",
			  losses.hidden[0]);
	tell_unrecorded(&losses.unrecorded);
}

void weir_verdict_tell_unknown(const struct weir_reader *reader,
			       const struct weir_relations *relations)
{
	static const char *const whys[WEIR_TREE_WHYS] = {
		[WEIR_TREE_LOST] = "calls whose caller was lost",
		[WEIR_TREE_FILTERED] =
			"calls whose caller was excluded from recording",
		[WEIR_TREE_CUT] =
			"calls whose caller was cut off by the process's end",
		[WEIR_TREE_UNEXPLAINED] =
			"calls whose caller is not in the trace",
	};
	static const char *const doubts[WEIR_COLLECTIVE_KINDS] = {
		[WEIR_COLLECTIVE_STRANGE] =
			"collective calls not joined with those of other "
			"ranks: their communicator was made by a call that "
			"weir does not follow",
		[WEIR_COLLECTIVE_TWINS] =
			"collective calls not joined with those of other "
			"ranks: there are several jobs whose ranks cannot be "
			"told apart",
	};
	uint64_t counts[WEIR_TREE_WHYS];

	weir_tree_unknown(relations->tree, reader, counts);
	for (int i = 0; i < WEIR_TREE_WHYS; i++)
		weir_verdict_tell(whys[i], counts[i]);
	for (int i = 0; i < WEIR_COLLECTIVE_KINDS; i++)
		weir_verdict_tell(doubts[i], relations->unjoined[i]);
}

void weir_verdict_warn_damage(const struct weir_reader *reader,
			      const char *path)
{
	if (weir_reader_is_damaged(reader))
		fprintf(stderr,
			"weir: %s: damaged; what follows is its intact part\n",
			path);
}

int weir_verdict_tell_damage(const struct weir_reader *reader,
			     const char *path)
{
	struct weir_reader_losses losses;

	if (!weir_reader_is_damaged(reader))
		return 0;
	weir_reader_losses(reader, &losses);
	fprintf(stderr, "weir: %s: damaged; only the intact part was read\n",
		path);
	weir_verdict_tell("damaged blocks", losses.damaged_blocks);
	weir_verdict_tell("calls in them", losses.damaged_events);
	weir_verdict_tell("bytes outside of blocks", losses.damaged_bytes);
	weir_verdict_tell("files cut short", losses.unended);
	weir_verdict_tell("files that are not traces", losses.refused);
	return WEIR_EXIT_DAMAGED;
}
