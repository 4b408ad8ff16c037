/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the contents of a trace for people. */
#include "share/infotext.h"

#include "base/text.h"
#include "launch/plans/planresult.h"
#include "trace/control/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHOWN 6 /* names in a list */

static void begin_line(struct weir_text *out, const char *title)
{
	char field[16];

	snprintf(field, sizeof(field), "%-10s ", title);
	weir_text_string(out, field);
}

static void end_line(struct weir_text *out)
{
	weir_text_char(out, '\n');
}

static void put_count(struct weir_text *out, uint64_t count, const char *thing,
		      const char *more)
{
	weir_text_unsigned(out, count);
	weir_text_char(out, ' ');
	weir_text_string(out, thing);
	if (count != 1)
		weir_text_string(out, more);
}

static void put_bytes(struct weir_text *out, uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	double number = (double)bytes / 1024;
	size_t unit = 0;
	char text[32];

	if (bytes < 1024) {
		put_count(out, bytes, "byte", "s");
		return;
	}
	for (; number >= 1024 && unit < 3; unit++)
		number /= 1024;
	snprintf(text, sizeof(text), "%.1f %s", number, units[unit]);
	weir_text_string(out, text);
}

static void put_name(struct weir_text *out, const struct weir_names *names,
		     uint32_t number)
{
	size_t len = 0;
	const char *name = weir_names_get(names, number, &len);

	if (name)
		weir_text_safe(out, name, len);
}

static void put_more(struct weir_text *out, uint32_t count)
{
	if (count <= SHOWN)
		return;
	weir_text_string(out, " and ");
	weir_text_unsigned(out, count - SHOWN);
	weir_text_string(out, " more");
}

/* The first few of a list, and how many there are when they are more. */
static void put_names(struct weir_text *out, const struct weir_names *names)
{
	for (uint32_t i = 1; i <= names->count && i <= SHOWN; i++) {
		if (i > 1)
			weir_text_string(out, ", ");
		put_name(out, names, i);
	}
	put_more(out, names->count);
}

/* First of all: the rest is of what could be read. */
static void put_damage(struct weir_text *out, const struct weir_info *info)
{
	if (!weir_info_is_damaged(info) || info->is_recording)
		return;
	begin_line(out, "damaged");
	weir_text_string(out, "only the intact part was read; `missing' says "
			      "how much is not\n");
}

static void put_state(struct weir_text *out, const struct weir_info *info,
		      const char *trace)
{
	const struct weir_survey *survey = &info->survey;

	begin_line(out, "trace");
	weir_text_safe(out, trace, strlen(trace));
	weir_text_string(out, ": ");
	weir_text_string(out, weir_info_state(info));
	if (info->is_recording && info->busy.processes) {
		weir_text_string(out, " by ");
		put_count(out, info->busy.processes, "process", "es");
	}
	if (!strcmp(weir_info_state(info), "raw"))
		weir_text_string(out, "; weir pack completes it");
	weir_text_string(out, "; format ");
	weir_text_unsigned(out, survey->format);
	weir_text_string(out, ", weir ");
	put_names(out, &survey->versions);
	end_line(out);
}

static void put_when(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_survey *survey = &info->survey;
	time_t second = (time_t)(survey->begin / 1000000000);
	char text[64] = "";
	struct tm utc;

	begin_line(out, survey->hosts.count == 1 ? "host" : "hosts");
	put_names(out, &survey->hosts);
	end_line(out);
	if (!survey->end)
		return;
	begin_line(out, "when");
	if (gmtime_r(&second, &utc))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &utc);
	weir_text_string(out, text);
	if (survey->end > survey->begin) {
		snprintf(text, sizeof(text), ", for %.3f s%s",
			 (double)(survey->end - survey->begin) / 1e9,
			 info->is_recording ? " so far" : "");
		weir_text_string(out, text);
	}
	end_line(out);
}

static void put_moved(struct weir_text *out, const struct weir_info *info,
		      const struct weir_info_calls *calls, const char *about)
{
	begin_line(out, "data");
	weir_text_string(out, about);
	put_bytes(out, calls->read);
	weir_text_string(out, " read, ");
	put_bytes(out, calls->written);
	weir_text_string(out, " written");
	if (!info->figures.known) {
		weir_text_string(out, " (asynchronous I/O not counted)");
	} else if (info->figures.headline.copied) {
		weir_text_string(out, ", ");
		put_bytes(out, info->figures.headline.copied);
		weir_text_string(out, " copied");
	}
	end_line(out);
}

static void put_calls(struct weir_text *out, const struct weir_info *info)
{
	const char *about = weir_info_saw_all(info) ? "" : "about ";
	struct weir_info_calls calls;

	weir_info_calls(info, &calls);
	begin_line(out, "calls");
	if (!calls.is_exact)
		weir_text_string(out, "about ");
	weir_text_unsigned(out, calls.calls);
	if (info->survey.profiles)
		weir_text_string(out, ", in sums (--profile)");
	for (uint32_t i = 0; i < calls.layer_count; i++) {
		weir_text_string(out, i ? ", " : ": ");
		if (!i)
			weir_text_string(out, about);
		weir_text_unsigned(out, calls.layers[i].calls);
		weir_text_char(out, ' ');
		weir_text_string(out, calls.layers[i].name);
	}
	if (calls.layer_count) {
		weir_text_string(out, "; ");
		weir_text_unsigned(out, calls.failed);
		weir_text_string(out, " failed");
	}
	end_line(out);
	if (calls.layer_count)
		put_moved(out, info, &calls, about);
}

/* Where it is not known what calls are on, all names stand for files. */
static void put_file_counts(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_headline *headline = &info->figures.headline;
	bool exact;
	uint64_t names = weir_survey_names(&info->survey, &exact);

	begin_line(out, "files");
	if (!info->figures.known) {
		weir_text_string(out, exact ? "" : "about ");
		weir_text_unsigned(out, names);
	} else {
		weir_text_unsigned(out, headline->files);
		if (headline->objects) {
			weir_text_string(out, ", ");
			put_count(out, headline->objects, "dataset", "s");
		}
		if (headline->channels) {
			weir_text_string(out, ", ");
			put_count(out, headline->channels, "pipe", "s");
		}
	}
	end_line(out);
}

/* A program and its processes, or a mount and its files. */
struct rank {
	uint32_t number;
	uint64_t count;
};

static int by_count(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static void put_rank(struct weir_text *out, const struct weir_names *programs,
		     const struct rank *rank)
{
	size_t len = 0;
	const char *path = weir_names_get(programs, rank->number, &len);
	const char *slash = memrchr(path, '/', len);
	const char *name = slash ? slash + 1 : path;

	weir_text_safe(out, name, (size_t)(path + len - name));
	weir_text_char(out, ' ');
	weir_text_unsigned(out, rank->count);
}

/* Programs with the most processes first. */
static void put_programs(struct weir_text *out,
			 const struct weir_survey *survey)
{
	uint32_t count = survey->programs.count;
	struct rank *ranks = calloc((size_t)count + 1, sizeof(*ranks));

	if (!ranks)
		return;
	for (uint32_t i = 0; i <= count; i++)
		ranks[i].number = i;
	for (size_t i = 0; i < survey->process_count; i++)
		ranks[survey->processes[i].program].count++;
	qsort(ranks + 1, count, sizeof(*ranks), by_count);
	for (uint32_t i = 1; i <= count && i <= SHOWN; i++) {
		weir_text_string(out, i > 1 ? ", " : ": ");
		put_rank(out, &survey->programs, &ranks[i]);
	}
	if (count > SHOWN)
		weir_text_string(out, ", ...");
	free(ranks);
}

static void put_processes(struct weir_text *out, const struct weir_info *info,
			  const struct weir_info_sums *sums)
{
	const struct weir_survey *survey = &info->survey;

	begin_line(out, "processes");
	weir_text_unsigned(out, info->figures.known ?
					info->figures.processes :
					survey->process_count);
	if (sums->live) {
		weir_text_string(out, " (");
		weir_text_unsigned(out, sums->live);
		weir_text_string(out, " not ended)");
	}
	weir_text_string(out, ", ");
	put_count(out, info->figures.known ? info->figures.threads :
					     sums->threads, "thread", "s");
	weir_text_string(out, ", ");
	if (info->figures.servers) {
		weir_text_string(out, "and ");
		put_count(out, info->figures.servers, "process", "es");
		weir_text_string(out, " of the service, ");
	}
	put_count(out, survey->programs.count, "program", "s");
	put_programs(out, survey);
	end_line(out);
	if (survey->packed || info->figures.known)
		put_file_counts(out, info);
}

static void put_killed_one(struct weir_text *out,
			   const struct weir_survey *survey,
			   const struct weir_survey_process *process)
{
	size_t len = 0;
	const char *path =
		weir_names_get(&survey->programs, process->program, &len);
	const char *slash = path ? memrchr(path, '/', len) : NULL;
	const char *name = slash ? slash + 1 : path;
	char words[WEIR_PROCEND_WORDS];

	begin_line(out, "killed");
	if (process->rank >= 0)
		weir_text_format(out, "rank %lld, ", (long long)process->rank);
	if (name)
		weir_text_safe(out, name, (size_t)(path + len - name));
	weir_text_format(out, " (pid %u) %s", process->pid,
			 weir_procend_words(&process->end, words));
	end_line(out);
}

/* Who crashed comes first: a launcher may have killed all the others. */
static void put_killed(struct weir_text *out, const struct weir_survey *survey)
{
	size_t all = survey->process_count;
	uint32_t count = 0;

	for (size_t i = 0; i < 2 * all; i++) {
		const struct weir_survey_process *process =
			&survey->processes[i % all];

		if (process->was_killed &&
		    weir_procend_is_crash(&process->end) == (i < all) &&
		    count++ < SHOWN)
			put_killed_one(out, survey, process);
	}
	if (count <= SHOWN)
		return;
	begin_line(out, "killed");
	weir_text_format(out, "%u more", count - SHOWN);
	end_line(out);
}

static void put_mount(struct weir_text *out, const struct weir_filemounts *of,
		      const struct rank *rank)
{
	const char *point, *type;
	size_t type_len;

	type = weir_filemounts_get(of, rank->number, &type_len, &point);
	weir_text_safe(out, type, type_len);
	weir_text_char(out, ' ');
	weir_text_safe(out, point, strlen(point));
	if (!rank->count)
		return;
	weir_text_string(out, " (");
	put_count(out, rank->count, "file", "s");
	weir_text_char(out, ')');
}

/* Those with the most files first; all, when no file's name is known. */
static void put_mounts(struct weir_text *out, const struct weir_filemounts *of)
{
	uint32_t count = of->mounts.count, shown = 0;
	struct rank *ranks = calloc((size_t)count + 1, sizeof(*ranks));

	if (!ranks || !count)
		goto done;
	for (uint32_t i = 0; i < count; i++)
		ranks[i] = (struct rank){i + 1, of->files[i]};
	qsort(ranks, count, sizeof(*ranks), by_count);
	while (shown < count && (ranks[shown].count || !ranks[0].count))
		shown++;
	begin_line(out, "mounts");
	for (uint32_t i = 0; i < shown && i < SHOWN; i++) {
		if (i)
			weir_text_string(out, ", ");
		put_mount(out, of, &ranks[i]);
	}
	put_more(out, shown);
	end_line(out);
done:
	free(ranks);
}

/* Of what the ticks are, and how well those of several hosts compare. */
static void put_clock(struct weir_text *out, const struct weir_survey *survey)
{
	uint64_t error;

	begin_line(out, "clock");
	put_names(out, &survey->clocks);
	if (survey->hosts.count > 1 &&
	    weir_clockfix_within(&survey->bound, &error)) {
		weir_text_string(out, "; those of the hosts compared by "
				      "messages, accurate to ");
		weir_text_unsigned(out, (error + 999) / 1000);
		weir_text_string(out, " us");
	} else if (survey->hosts.count > 1) {
		weir_text_string(out, "; as each host had set it");
	}
	end_line(out);
}

/* What the processes of parallel programs say of themselves. */
static void put_ranks(struct weir_text *out, const struct weir_survey *survey)
{
	uint64_t processes = 0;

	for (size_t i = 0; i < survey->process_count; i++)
		processes += survey->processes[i].rank >= 0;
	if (processes) {
		begin_line(out, "ranks");
		weir_text_unsigned(out, survey->ranks.count);
		weir_text_string(out, " by ");
		put_count(out, processes, "process", "es");
		weir_text_string(out, ": ");
		put_names(out, &survey->ranks);
		end_line(out);
	}
	if (survey->traits.count) {
		begin_line(out, "parallel");
		put_names(out, &survey->traits);
		end_line(out);
	}
}

static void put_size(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_survey *survey = &info->survey;
	bool exact;
	uint64_t calls = weir_survey_calls(survey, &exact);
	char text[64];

	begin_line(out, "size");
	put_bytes(out, survey->bytes);
	weir_text_string(out, " in ");
	put_count(out, survey->files, "file", "s");
	if (calls) {
		snprintf(text, sizeof(text), ", %.1f bytes a call",
			 (double)survey->bytes / (double)calls);
		weir_text_string(out, text);
	}
	if (survey->process_count) {
		snprintf(text, sizeof(text), ", %.1f KiB a process",
			 (double)survey->bytes / 1024 /
				 (double)survey->process_count);
		weir_text_string(out, text);
	}
	end_line(out);
	put_clock(out, survey);
	if (!survey->settings.count)
		return;
	begin_line(out, "settings");
	put_names(out, &survey->settings);
	end_line(out);
}

/* One line for each thing that is missing, or that it is nothing. */
static int put_missing(struct weir_text *out, uint64_t count, const char *what)
{
	if (!count)
		return 0;
	begin_line(out, "missing");
	weir_text_unsigned(out, count);
	weir_text_char(out, ' ');
	weir_text_string(out, what);
	end_line(out);
	return 1;
}

/* In a sample some of them may not have been seen. */
static int put_unreturned(struct weir_text *out, const struct weir_info *info)
{
	uint64_t count = weir_info_unreturned(info);

	if (!count)
		return 0;
	begin_line(out, "missing");
	weir_text_string(out, "the results of ");
	if (!weir_info_saw_all(info))
		weir_text_string(out, "at least ");
	put_count(out, count, "call", "s");
	weir_text_string(out, " that never returned\n");
	return 1;
}

static void put_losses(struct weir_text *out, const struct weir_info *info,
		       const struct weir_info_sums *sums)
{
	const struct weir_survey *survey = &info->survey;
	int some = put_unreturned(out, info);

	some += put_missing(out, sums->dropped,
			    "calls dropped: the buffer was "
			    "full (weir run --buffer)");
	some += put_missing(out, sums->lost, "calls recorded, not stored");
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		char text[128];

		snprintf(text, sizeof(text), "processes not recorded: %s",
			 weir_unrecorded_why(i));
		some += put_missing(out, survey->unrecorded.by[i].processes,
				    text);
	}
	some += put_missing(out, survey->damaged_blocks, "blocks damaged");
	some += put_missing(out, survey->damaged_bytes,
			    "bytes outside of "
			    "blocks");
	some += put_missing(out, survey->unended, "files without their end");
	some += put_missing(out, info->refused, "files that are not traces");
	if (!some) {
		begin_line(out, "missing");
		weir_text_string(out, "nothing\n");
	}
}

static void put_plan(struct weir_text *out, const struct weir_info *info)
{
	static const struct weir_planresult_style style = {
		.before = "           ",
	};
	const struct weir_outcome *outcome = info->outcome;

	if (!outcome)
		return;
	begin_line(out, "plan");
	weir_text_format(out, "%016llx: %u of %u settings applied%s",
			 (unsigned long long)outcome->check,
			 weir_planresult_whole(outcome), outcome->count,
			 outcome->mixed ? "; parts ran with other plans" : "");
	end_line(out);
	weir_planresult_write(out, outcome, &style);
	if (outcome->unplanned)
		weir_text_format(out, "%s%llu processes ran without it\n",
				 style.before,
				 (unsigned long long)outcome->unplanned);
}

static void put_left_out(struct weir_text *out, uint64_t count,
			 const char *what)
{
	if (!count)
		return;
	begin_line(out, "left out");
	weir_text_unsigned(out, count);
	weir_text_char(out, ' ');
	weir_text_string(out, what);
	end_line(out);
}

/* Counted on purpose; this is also what a trace tells of how it was made. */
static void put_hidden(struct weir_text *out, const struct weir_info_sums *sums)
{
	put_left_out(out, sums->overwritten,
		     "calls that later ones overwrote (--ring)");
	put_left_out(out, sums->hidden[0],
		     "polls of unfinished operations (no --all)");
	put_left_out(out, sums->hidden[1],
		     "calls on files of the system and of languages (no "
		     "--all)");
	put_left_out(out, sums->hidden[2],
		     "calls on files that --include and --exclude leave out");
	put_left_out(out, sums->hidden[3],
		     "calls while recording was switched off");
}

int weir_infotext_write(const struct weir_info *info, const char *trace, int fd)
{
	struct weir_info_sums sums;
	struct weir_text out;
	int err = weir_text_init(&out, fd);

	if (err)
		return err;
	weir_info_add_up(info, &sums);
	put_damage(&out, info);
	put_state(&out, info, trace);
	put_when(&out, info);
	put_calls(&out, info);
	put_processes(&out, info, &sums);
	put_killed(&out, &info->survey);
	put_mounts(&out, &info->survey.mounts);
	put_ranks(&out, &info->survey);
	put_size(&out, info);
	put_plan(&out, info);
	put_losses(&out, info, &sums);
	put_hidden(&out, &sums);
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}
