/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the contents of a trace as JSON. */
#include "share/infojson.h"

#include "base/text.h"
#include "trace/control/outcome.h"
#include "trace/facts/procinfo.h"

#include <string.h>

static void put_key(struct weir_text *out, const char *key)
{
	weir_text_string(out, ",\n  \"");
	weir_text_string(out, key);
	weir_text_string(out, "\": ");
}

static void put_count_member(struct weir_text *out, const char *key,
			     uint64_t number)
{
	put_key(out, key);
	weir_text_unsigned(out, number);
}

static void put_bool(struct weir_text *out, const char *key, bool value)
{
	put_key(out, key);
	weir_text_string(out, value ? "true" : "false");
}

static void put_names(struct weir_text *out, const char *key,
		      const struct weir_names *names)
{
	put_key(out, key);
	weir_text_char(out, '[');
	for (uint32_t i = 1; i <= names->count; i++) {
		size_t len = 0;
		const char *name = weir_names_get(names, i, &len);

		if (i > 1)
			weir_text_string(out, ", ");
		weir_text_json(out, name, len);
	}
	weir_text_char(out, ']');
}

static void put_layers(struct weir_text *out,
		       const struct weir_info_calls *calls)
{
	put_key(out, "layers");
	weir_text_char(out, '{');
	for (uint32_t i = 0; i < calls->layer_count; i++) {
		if (i)
			weir_text_string(out, ", ");
		weir_text_json(out, calls->layers[i].name,
			       strlen(calls->layers[i].name));
		weir_text_string(out, ": ");
		weir_text_unsigned(out, calls->layers[i].calls);
	}
	weir_text_char(out, '}');
}

/* As reports count them; null: of so many calls that is not known here. */
static void put_used(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_headline *headline = &info->figures.headline;
	const struct {
		const char *key;
		uint64_t count;
	} counts[] = { { "bytes_copied", headline->copied },
		       { "files_used", headline->files },
		       { "objects", headline->objects },
		       { "channels", headline->channels } };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		put_key(out, counts[i].key);
		if (info->figures.known)
			weir_text_unsigned(out, counts[i].count);
		else
			weir_text_string(out, "null");
	}
}

static void put_unrecorded(struct weir_text *out,
			   const struct weir_unrecorded *all)
{
	int some = 0;

	put_key(out, "unrecorded");
	weir_text_char(out, '{');
	for (int i = 0; i < WEIR_REASON_COUNT; i++) {
		const char *why = weir_unrecorded_why(i);

		if (!all->by[i].processes && !all->by[i].calls)
			continue;
		if (some++)
			weir_text_string(out, ", ");
		weir_text_json(out, why, strlen(why));
		weir_text_string(out, ": ");
		weir_text_unsigned(out, all->by[i].processes);
	}
	weir_text_char(out, '}');
}

static void put_clock_error(struct weir_text *out,
			    const struct weir_survey *survey)
{
	uint64_t error;

	if (weir_clockfix_within(&survey->bound, &error)) {
		put_count_member(out, "clock_error_ns", error);
		return;
	}
	put_key(out, "clock_error_ns");
	weir_text_string(out, "null");
}

static void put_mounts(struct weir_text *out, const struct weir_filemounts *of)
{
	put_key(out, "mounts");
	weir_text_char(out, '[');
	for (uint32_t i = 1; i <= of->mounts.count; i++) {
		const char *point, *type;
		size_t type_len;

		type = weir_filemounts_get(of, i, &type_len, &point);
		weir_text_string(out, i > 1 ? ", {\"type\": " : "{\"type\": ");
		weir_text_json(out, type, type_len);
		weir_text_string(out, ", \"point\": ");
		weir_text_json(out, point, strlen(point));
		weir_text_string(out, ", \"files\": ");
		weir_text_unsigned(out, of->files[i - 1]);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

static void put_killed_one(struct weir_text *out,
			   const struct weir_survey *survey,
			   const struct weir_survey_process *process)
{
	const struct weir_procend *end = &process->end;
	size_t len = 0;
	const char *path =
		weir_names_get(&survey->programs, process->program, &len);
	const char *signal = weir_procend_is_signal(end) ?
				     weir_procend_signal_name(end->number) :
				     "unknown";

	weir_text_format(out, "{\"pid\": %u", process->pid);
	if (process->rank >= 0)
		weir_text_format(out, ", \"rank\": %lld",
				 (long long)process->rank);
	weir_text_string(out, ", \"program\": ");
	weir_text_json(out, path ? path : "", len);
	weir_text_string(out, ", \"signal\": ");
	weir_text_json(out, signal, strlen(signal));
	weir_text_string(out, end->how == WEIR_PROCEND_CORE ?
			 ", \"core\": true}" : "}");
}

/* Those that did not end by themselves. */
static void put_killed(struct weir_text *out, const struct weir_survey *survey)
{
	bool is_first = true;

	put_key(out, "killed");
	weir_text_char(out, '[');
	for (size_t i = 0; i < survey->process_count; i++) {
		if (!survey->processes[i].was_killed)
			continue;
		if (!is_first)
			weir_text_string(out, ", ");
		is_first = false;
		put_killed_one(out, survey, &survey->processes[i]);
	}
	weir_text_char(out, ']');
}

static void put_what(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_survey *survey = &info->survey;
	struct weir_info_calls calls;
	bool is_exact;

	weir_info_calls(info, &calls);
	put_count_member(out, "format", survey->format);
	put_names(out, "versions", &survey->versions);
	put_names(out, "hosts", &survey->hosts);
	put_names(out, "clocks", &survey->clocks);
	put_clock_error(out, survey);
	put_names(out, "settings", &survey->settings);
	put_count_member(out, "begin_ns", survey->begin);
	put_count_member(out, "end_ns", survey->end);
	put_count_member(out, "calls", calls.calls);
	put_bool(out, "calls_exact", calls.is_exact);
	put_bool(out, "sampled", !weir_info_saw_all(info));
	put_layers(out, &calls);
	put_count_member(out, "failed", calls.failed);
	put_count_member(out, "unreturned", weir_info_unreturned(info));
	put_count_member(out, "bytes_read", calls.read);
	put_count_member(out, "bytes_written", calls.written);
	put_used(out, info);
	put_count_member(out, "names", weir_survey_names(survey, &is_exact));
	put_mounts(out, &survey->mounts);
	put_count_member(out, "processes", info->figures.known ?
						   info->figures.processes :
						   survey->process_count);
	put_killed(out, survey);
	put_names(out, "programs", &survey->programs);
	put_names(out, "ranks", &survey->ranks);
	put_names(out, "traits", &survey->traits);
	put_count_member(out, "bytes", survey->bytes);
	put_count_member(out, "files", survey->files);
}

static void put_text_member(struct weir_text *out, const char *before,
			    const char *text)
{
	weir_text_string(out, before);
	weir_text_json(out, text ? text : "", text ? strlen(text) : 0);
}

static void put_setting(struct weir_text *out,
			const struct weir_outcome_setting *setting)
{
	put_text_member(out, "{\"name\": ", setting->name);
	put_text_member(out, ", \"value\": ", setting->value);
	put_text_member(out, ", \"file\": ", setting->file);
	put_text_member(out, ", \"dataset\": ", setting->dataset);
	for (uint32_t i = 0; i < WEIR_CONTROL_VERDICTS; i++) {
		put_text_member(out, ", ", weir_outcome_word(i));
		weir_text_string(out, ": ");
		weir_text_unsigned(out, setting->counts[i]);
	}
	put_text_member(out, ", \"why\": ", setting->why);
	weir_text_char(out, '}');
}

/* Nothing at all when there was none. */
static void put_plan(struct weir_text *out, const struct weir_outcome *outcome)
{
	if (!outcome)
		return;
	put_key(out, "plan");
	weir_text_format(out, "{\"hash\": \"%016llx\", \"unplanned\": %llu, "
			 "\"settings\": [",
			 (unsigned long long)outcome->check,
			 (unsigned long long)outcome->unplanned);
	for (uint32_t i = 0; i < outcome->count; i++) {
		if (i)
			weir_text_string(out, ", ");
		put_setting(out, &outcome->settings[i]);
	}
	weir_text_string(out, "]}");
}

static void put_losses(struct weir_text *out, const struct weir_info *info)
{
	const struct weir_survey *survey = &info->survey;
	struct weir_info_sums sums;

	weir_info_add_up(info, &sums);
	put_count_member(out, "threads", info->figures.known ?
						 info->figures.threads :
						 sums.threads);
	put_count_member(out, "processes_live", sums.live);
	put_count_member(out, "dropped", sums.dropped);
	put_count_member(out, "lost", sums.lost);
	put_count_member(out, "overwritten", sums.overwritten);
	for (int i = 0; i < 4; i++)
		put_count_member(out, weir_procinfo_hidden[i], sums.hidden[i]);
	put_unrecorded(out, &survey->unrecorded);
	put_count_member(out, "damaged_blocks", survey->damaged_blocks);
	put_count_member(out, "damaged_bytes", survey->damaged_bytes);
	put_count_member(out, "unknown_blocks", survey->unknown_blocks);
	put_count_member(out, "files_cut_short", survey->unended);
	put_count_member(out, "files_refused", info->refused);
}

int weir_infojson_write(const struct weir_info *info, const char *trace, int fd)
{
	const char *state = weir_info_state(info);
	struct weir_text out;
	int err = weir_text_init(&out, fd);

	if (err)
		return err;
	weir_text_string(&out, "{\n  \"trace\": ");
	weir_text_json(&out, trace, strlen(trace));
	put_key(&out, "state");
	weir_text_json(&out, state, strlen(state));
	put_what(&out, info);
	put_plan(&out, info->outcome);
	put_losses(&out, info);
	weir_text_string(&out, "\n}\n");
	err = weir_text_flush(&out);
	weir_text_fini(&out);
	return err;
}
