/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what `weir info` prints about a trace. */
#include "share/info.h"

#include "base/clock.h"
#include "share/parts.h"
#include "trace/control/controlfile.h"
#include "trace/control/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Blocks that are looked into, at most twice as many: a tenth of a second. */
#define LOOKS 64
#define MOST_EVENTS 200000 /* of fewer all are read, as reports do */

void weir_info_fini(struct weir_info *info)
{
	weir_survey_fini(&info->survey);
	weir_outcome_free(info->outcome);
	info->outcome = NULL;
}

/* While it is recorded: what the processes have told so far. */
static void count_live(struct weir_info *info, const char *live)
{
	int dir_fd = open(live, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;
	struct weir_outcome *here = weir_outcome_new();

	if (dir_fd >= 0 && here && info->outcome &&
	    !weir_controlfile_open(dir_fd, false, &fd)) {
		weir_outcome_count(here, fd);
		weir_outcome_add(&info->outcome, here);
		close(fd);
	}
	weir_outcome_free(here);
	if (dir_fd >= 0)
		close(dir_fd);
}

static int add_part(struct weir_info *info, const struct weir_part *part)
{
	struct weir_parts_file file;
	int err = weir_parts_open(part, &file);

	if (!err && file.fd >= 0)
		err = weir_survey_add(&info->survey, file.fd) ?:
			      weir_outcome_read(file.fd, &info->outcome);
	if (!err && file.has_live) {
		info->has_memory = true;
		err = weir_survey_add_live(&info->survey, part->live);
		count_live(info, part->live);
		if (weir_leftover_look(part->path, part->stem, &info->busy) ==
		    -EBUSY)
			info->is_recording = true;
	}
	weir_parts_close(&file);
	return err;
}

static int add_parts(struct weir_info *info, const struct weir_parts *parts,
		     bool is_alone)
{
	int err = 0;

	for (size_t i = 0; !err && i < parts->count; i++) {
		err = add_part(info, &parts->list[i]);
		if (is_alone)
			continue;
		if (err == -EBADMSG)
			info->refused++;
		if (err == -EBADMSG || err == -ENOENT)
			err = 0;
	}
	if (!err && info->refused && !info->survey.files && !info->has_memory &&
	    !parts->mark_count)
		err = -EBADMSG;
	return err;
}

static int look_at_parts(struct weir_info *info, const struct weir_parts *parts,
			 bool exact)
{
	uint64_t every = exact ? 1 : info->survey.event_blocks / LOOKS;
	int err = 0;

	if (!every)
		every = 1;
	for (size_t i = 0; !err && i < parts->count; i++) {
		struct weir_parts_file file;

		if (weir_parts_open(&parts->list[i], &file))
			continue;
		if (file.state == WEIR_PARTS_PACKED)
			err = weir_look_file(&info->look, file.fd, every);
		weir_parts_close(&file);
	}
	return err;
}

/* Processes that could tell of themselves only by a directory. */
static void add_marks(struct weir_info *info, const char *trace)
{
	struct weir_unrecorded marks;
	int fd = open(trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!weir_controlfile_count_marks(fd, &marks))
		weir_unrecorded_add(&info->survey.unrecorded, &marks);
	close(fd);
}

/* Or of sums: these take no time, however much they tell. */
static bool is_small(const struct weir_info *info, bool exact)
{
	const struct weir_survey *survey = &info->survey;

	return !info->is_recording &&
	       (exact || survey->profiles ||
		survey->rows + survey->short_rows + survey->records <=
			MOST_EVENTS);
}

int weir_info_gather(const char *trace, bool exact, struct weir_info *ret_info)
{
	struct weir_info info = {.refused = 0};
	struct weir_parts parts;
	struct stat st;
	int err = weir_parts_find(trace, &parts);

	if (err)
		return err;
	err = add_parts(&info, &parts,
			!stat(trace, &st) && !S_ISDIR(st.st_mode));
	if (!err && is_small(&info, exact))
		weir_infofigures_gather(trace, &info.figures);
	if (!err && !info.figures.known)
		err = look_at_parts(&info, &parts, exact);
	if (!err && parts.mark_count)
		add_marks(&info, trace);
	if (info.is_recording)
		info.survey.end = weir_clock_ns(CLOCK_REALTIME);
	weir_parts_fini(&parts);
	if (err)
		weir_info_fini(&info);
	else
		*ret_info = info;
	return err;
}

int weir_info_is_damaged(const struct weir_info *info)
{
	const struct weir_survey *survey = &info->survey;

	return survey->damaged_blocks || survey->damaged_bytes ||
	       survey->unended || info->refused;
}

const char *weir_info_state(const struct weir_info *info)
{
	if (info->is_recording)
		return "recording";
	if (weir_info_is_damaged(info))
		return "damaged";
	return info->survey.raw || info->has_memory ? "raw" : "complete";
}

void weir_info_add_up(const struct weir_info *info,
		      struct weir_info_sums *ret_sums)
{
	struct weir_info_sums sums = {0};

	for (size_t i = 0; i < info->survey.process_count; i++) {
		const struct weir_survey_process *process =
			&info->survey.processes[i];

		sums.threads += process->threads;
		sums.live += process->is_live;
		sums.dropped += process->dropped;
		sums.lost += process->lost;
		sums.overwritten += process->overwritten;
		for (int k = 0; k < 4; k++)
			sums.hidden[k] += process->hidden[k];
	}
	*ret_sums = sums;
}

bool weir_info_saw_all(const struct weir_info *info)
{
	return info->figures.known ||
	       (info->look.rows == info->survey.rows && !info->survey.records);
}

/* What was seen of a number, made as large as all of it. */
static uint64_t scale(const struct weir_info *info, uint64_t seen)
{
	if (info->look.rows == info->survey.rows || !info->look.rows)
		return seen;
	return (uint64_t)((double)seen * (double)info->survey.rows /
			  (double)info->look.rows);
}

static void estimate_calls(const struct weir_info *info,
			   struct weir_info_calls *calls)
{
	const struct weir_look *look = &info->look;
	uint64_t inner = scale(info, look->inner);

	calls->calls = weir_survey_calls(&info->survey, &calls->is_exact);
	calls->calls -= inner < calls->calls ? inner : calls->calls;
	calls->failed = scale(info, look->failed);
	calls->read = scale(info, look->bytes_read);
	calls->written = scale(info, look->bytes_written);
	calls->layer_count = look->layer_count;
	for (uint32_t i = 0; i < look->layer_count; i++) {
		calls->layers[i] = look->layers[i];
		calls->layers[i].calls = scale(info, look->layers[i].calls);
	}
}

void weir_info_calls(const struct weir_info *info,
		     struct weir_info_calls *ret_calls)
{
	const struct weir_infofigures *figures = &info->figures;
	struct weir_info_calls calls = { .is_exact = true };

	if (!figures->known) {
		estimate_calls(info, &calls);
	} else {
		weir_survey_calls(&info->survey, &calls.is_exact);
		calls.calls = figures->headline.calls;
		calls.failed = figures->headline.failed;
		calls.read = figures->headline.read;
		calls.written = figures->headline.written;
		calls.layer_count = figures->layer_count;
		memcpy(calls.layers, figures->layers, sizeof(calls.layers));
	}
	*ret_calls = calls;
}

uint64_t weir_info_unreturned(const struct weir_info *info)
{
	return info->figures.known ? info->figures.unreturned :
				     info->look.unreturned;
}
