/* SPDX-License-Identifier: BSD-3-Clause */
/* weir merge: joins several traces into one. */
#include "base/options.h"
#include "cmds/verdict.h"
#include "share/merge.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* Each of these leaves nothing behind: what was begun is removed. */
static int refuse_merge(const struct weir_merge *job, int err)
{
	if (err == -EILSEQ) {
		fprintf(stderr,
			"weir: %s: %" PRIu64 " calls were read but %" PRIu64 " "
			"written; it was removed again\n",
			job->where, job->calls, job->written);
		return WEIR_EXIT_INTERNAL;
	}
	if (err == -EISDIR) {
		fprintf(stderr,
			"weir: %s: a directory lists processes that "
			"could not be recorded, and one file cannot; merge "
			"without --one\n",
			job->where);
		return WEIR_EXIT_REFUSED;
	}
	if (err == -ENODATA) {
		fprintf(stderr,
			"weir: %s: its beginning is damaged, so it "
			"cannot become part of one file; merge without "
			"--one\n",
			job->where);
		return WEIR_EXIT_REFUSED;
	}
	return job->writing ? weir_verdict_refuse_output(job->where, err)
			    : weir_verdict_refuse(job->where, err);
}

/*
 * Damage does not stop a merge: it is copied as it is and told, as tools that
 * repair want all bytes.
 */
static int print_merge_summary(const struct weir_merge *job, const char *out,
			       bool is_one)
{
	printf("%s: %" PRIu64 " calls in %" PRIu32 " %s, %" PRIu64 " bytes",
	       out, job->written, job->files, is_one ? "parts" : "files",
	       job->bytes);
	if (!is_one)
		printf(" (%" PRIu32 " linked, %" PRIu32 " copied, %" PRIu32
		       " packed)", job->linked, job->copied, job->packed);
	putchar('\n');
	weir_verdict_tell("files given twice, taken once", job->twice);
	if (!job->damaged_blocks && !job->damaged_bytes && !job->unended &&
	    !job->refused)
		return 0;
	fputs("weir: some of it is damaged, and was copied as it is\n", stderr);
	weir_verdict_tell("damaged blocks", job->damaged_blocks);
	weir_verdict_tell("calls in them", job->damaged_events);
	weir_verdict_tell("bytes outside of blocks", job->damaged_bytes);
	weir_verdict_tell("files cut short", job->unended);
	weir_verdict_tell("files that are not traces, left out", job->refused);
	return WEIR_EXIT_DAMAGED;
}

int weir_cmd_merge(int argc, char **argv)
{
	struct weir_merge job = {.files = 0};
	struct weir_options o;
	int status, err;
	bool is_one;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_MERGE], argc, argv,
				&status))
		return status;
	is_one = weir_options_flag(&o, WEIR_MERGE_ONE);
	if (is_one)
		err = weir_merge_to_file(&job, o.operands + 1, o.operands[0]);
	else
		err = weir_merge_traces(&job, o.operands + 1, o.operands[0]);
	status = err ? refuse_merge(&job, err)
		     : print_merge_summary(&job, o.operands[0], is_one);
	weir_options_fini(&o);
	return status;
}
