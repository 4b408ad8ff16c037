/* SPDX-License-Identifier: BSD-3-Clause */
/* weir pack: completes an unfinished trace, or compresses it. */
#include "base/options.h"
#include "cmds/verdict.h"
#include "share/repack.h"
#include "spec/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define MOST_LEVEL 19

static int tell_busy(const struct weir_repack *job)
{
	const struct weir_leftover_busy *busy = &job->busy;

	fprintf(stderr, "weir: %s: recording is still going on:", job->where);
	if (busy->collector)
		fprintf(stderr, " collector %u", busy->collector);
	for (uint32_t i = 0; i < busy->processes && i < WEIR_LEFTOVER_NAMED;
	     i++)
		fprintf(stderr, "%s %u",
			i		  ? ","
			: busy->collector ? ", process"
					  : " process",
			busy->pids[i]);
	if (busy->processes > WEIR_LEFTOVER_NAMED)
		fprintf(stderr, " and %u more",
			busy->processes - WEIR_LEFTOVER_NAMED);
	fputs("; try again when they have ended\n", stderr);
	return WEIR_EXIT_REFUSED;
}

static int refuse_pack(const struct weir_repack *job, int err)
{
	switch (err) {
	case -EBUSY:
		return tell_busy(job);
	case -EREMOTE:
		fprintf(stderr,
			"weir: %s: part of it is in the memory of another "
			"host; run weir pack there, or name a place for a copy "
			"of what is here\n",
			job->where);
		return WEIR_EXIT_REFUSED;
	case -ENOTEMPTY:
		fprintf(stderr,
			"weir: %s: is complete, but its memory files have new "
			"records; weir collect stores them\n",
			job->where);
		return WEIR_EXIT_REFUSED;
	}
	return job->writing ? weir_verdict_refuse_output(job->where, err)
			    : weir_verdict_refuse(job->where, err);
}

static int print_pack_summary(const struct weir_repack *job)
{
	const struct weir_rewrite_account *account = &job->account;

	if (job->packed)
		printf("%" PRIu32 " of %" PRIu32 " files packed: %" PRIu64
		       " bytes before, %" PRIu64 " after\n",
		       job->packed, job->files, job->before, job->after);
	else
		printf("already complete: %" PRIu32 " files, %" PRIu64
		       " bytes\n",
		       job->files, job->after);
	if (!account->damaged_blocks && !account->damaged_bytes &&
	    !account->unended && !job->refused)
		return 0;
	fputs("weir: the trace is damaged; only the intact part was kept\n",
	      stderr);
	weir_verdict_tell("damaged blocks", account->damaged_blocks);
	weir_verdict_tell("calls in them", account->damaged_events);
	weir_verdict_tell("bytes outside of blocks", account->damaged_bytes);
	weir_verdict_tell("files cut short", account->unended);
	weir_verdict_tell("files that are not traces", job->refused);
	return WEIR_EXIT_DAMAGED;
}

int weir_cmd_pack(int argc, char **argv)
{
	struct weir_repack job = {0};
	struct weir_options o;
	uint64_t level;
	int status, err;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_PACK], argc, argv,
				&status))
		return status;
	level = weir_options_number(&o, WEIR_PACK_LEVEL);
	if (level > MOST_LEVEL) {
		fprintf(stderr,
			"weir pack: --level %" PRIu64 ": the highest level is "
			"%d\n",
			level, MOST_LEVEL);
		weir_options_fini(&o);
		return WEIR_EXIT_USAGE;
	}
	job.level = (int)level;
	if (o.operand_count == 2)
		err = weir_repack_copy(&job, o.operands[0], o.operands[1]);
	else
		err = weir_repack_in_place(&job, o.operands[0]);
	status = err ? refuse_pack(&job, err) : print_pack_summary(&job);
	weir_options_fini(&o);
	return status;
}
