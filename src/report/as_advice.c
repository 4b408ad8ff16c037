/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes findings in words, with their evidence. */
#include "report/as_advice.h"

#include "report/as_forecast.h"
#include "report/as_remedy.h"
#include "report/figuretext.h"
#include "report/output/jsonout.h"
#include "report/output/measures.h"
#include "report/output/memtext.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIDTH	 80
#define INDENT	 10

/* Words of a text, in lines that begin below each other. */
static void put_wrapped(struct weir_text *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!column || column + 1 + len > WIDTH) {
			weir_text_string(out, column ? "\n" : "");
			weir_text_string(out, "          ");
			column = INDENT;
		} else {
			weir_text_char(out, ' ');
			column++;
		}
		weir_text_bytes(out, text, len);
		column += len;
		text += len + strspn(text + len, " ");
	}
	weir_text_char(out, '\n');
}

/* In per cent of the run. */
static double part_of(const struct weir_finding *finding, uint64_t span)
{
	return span ? 100.0 * (double)finding->saving / (double)span : 0.0;
}

/* What there is to gain, and how that is known. */
static void put_saving(struct weir_text *out,
		       const struct weir_finding *finding, uint64_t span)
{
	static const char *const words[] = {
		[WEIR_SAVES_UNKNOWN] = "saves an unknown time",
		[WEIR_SAVES_AT_MOST] = "saves up to ",
		[WEIR_SAVES_ABOUT] = "saves about ",
		[WEIR_SAVES_DATA] = "data may be wrong",
	};
	char time[WEIR_MEASURES_ROOM], part[32];

	weir_text_string(out, words[finding->saves]);
	if (finding->saves != WEIR_SAVES_AT_MOST &&
	    finding->saves != WEIR_SAVES_ABOUT)
		return;
	weir_text_string(out, weir_measures_time(time, finding->saving));
	snprintf(part, sizeof(part), " (%.0f%% of the run)",
		 part_of(finding, span));
	weir_text_string(out, part);
}

/*
 * The file with the largest saving stands for all: a screen has room for one.
 */
static void put_files(struct weir_text *out, const struct weir_runfacts *facts,
		      const struct weir_finding *finding)
{
	const char *name;
	size_t len = 0;

	if (!finding->top_count)
		return;
	name = weir_names_get(&facts->totals.names, finding->top[0].file,
			      &len);
	weir_text_string(out, "          on ");
	if (name)
		weir_text_safe(out, name, len);
	if (finding->files > 1) {
		weir_text_string(out, " and ");
		weir_text_unsigned(out, finding->files - 1);
		weir_text_string(out, " more");
	}
	weir_text_char(out, '\n');
}

/* None of another finding. */
static size_t hints_shown(const struct weir_runfacts *facts,
			  const struct weir_finding *finding)
{
	if (finding->rule != &weir_rules[WEIR_RULE_IGNORED_HINTS])
		return 0;
	return facts->hints.count < WEIR_FINDING_SHOWN ? facts->hints.count :
							 WEIR_FINDING_SHOWN;
}

/*
 * A hint that came back with another value is one that the library changed; one
 * that did not come back was not understood.
 */
static void put_hint(struct weir_text *out, const struct weir_hint *hint)
{
	weir_text_string(out, "          ");
	weir_text_safe(out, hint->name, strlen(hint->name));
	weir_text_char(out, '=');
	weir_text_safe(out, hint->asked, strlen(hint->asked));
	weir_text_string(out, hint->got ? " became " : " was ignored");
	if (hint->got)
		weir_text_safe(out, hint->got, strlen(hint->got));
	weir_text_string(out, ", times: ");
	weir_text_unsigned(out, hint->count);
	if (hint->files > 1) {
		weir_text_string(out, ", files: ");
		weir_text_unsigned(out, hint->files);
	}
	weir_text_char(out, '\n');
}

static void put_hints(struct weir_text *out, const struct weir_runfacts *facts,
		      const struct weir_finding *finding)
{
	for (size_t i = 0; i < hints_shown(facts, finding); i++)
		put_hint(out, &facts->hints.list[i]);
}

static void put_id(struct weir_text *out, const struct weir_witness *witness)
{
	weir_text_unsigned(out, witness->proc);
	weir_text_char(out, '.');
	weir_text_unsigned(out, witness->thread);
	weir_text_char(out, '.');
	weir_text_unsigned(out, witness->index);
}

/*
 * The first call is spelled as a command to paste, and says where it was made
 * if that is known: that is where to change the program.
 */
static void put_evidence(struct weir_text *out,
			 const struct weir_finding *finding)
{
	if (!finding->evidence_count)
		return;
	weir_text_string(out, "          see weir dump --of ");
	put_id(out, &finding->evidence[0]);
	for (unsigned i = 1; i < finding->evidence_count && i < 3; i++) {
		weir_text_string(out, i == 1 ? "; also " : ", ");
		put_id(out, &finding->evidence[i]);
	}
	weir_text_char(out, '\n');
	if (!finding->sites[0])
		return;
	weir_text_string(out, "          made at ");
	weir_text_string(out, finding->sites[0]);
	weir_text_char(out, '\n');
}

/* The name is that of the rule, by which weir-findings(7) explains it. */
static void put_heading(struct weir_text *out,
			const struct weir_finding *finding, uint64_t span)
{
	static const enum weir_text_colour colours[] = {
		[WEIR_LEVEL_LOW] = WEIR_TEXT_BOLD,
		[WEIR_LEVEL_MEDIUM] = WEIR_TEXT_YELLOW,
		[WEIR_LEVEL_HIGH] = WEIR_TEXT_RED,
	};
	char line[64];

	snprintf(line, sizeof(line), "  %-7s %s: ",
		 weir_findings_level_name(finding->level),
		 finding->rule->name);
	weir_text_paint(out, colours[finding->level]);
	weir_text_string(out, line);
	weir_text_paint(out, WEIR_TEXT_PLAIN);
	put_saving(out, finding, span);
	weir_text_char(out, '\n');
}

/* What there is to say of two rules alone: terminated, or nothing. */
static void take_remark(struct weir_text *out,
			const struct weir_runfacts *facts,
			const struct weir_finding *finding,
			struct weir_bytes *ret_remark)
{
	struct weir_memtext text;
	int err;

	if (finding->rule != &weir_rules[WEIR_RULE_WAITING_WRITES] &&
	    finding->rule != &weir_rules[WEIR_RULE_FORWARDED_WRITES])
		return;
	err = weir_memtext_init(&text);
	if (!err) {
		weir_as_forecast_text(&text.out, &facts->forecast);
		weir_text_char(&text.out, '\0');
		err = weir_memtext_take(&text, ret_remark);
		weir_memtext_fini(&text);
	}
	if (err && !out->err)
		out->err = err;
}

static void put_remark(struct weir_text *out,
		       const struct weir_runfacts *facts,
		       const struct weir_finding *finding)
{
	struct weir_bytes remark = { 0 };

	take_remark(out, facts, finding, &remark);
	if (remark.used > 1)
		put_wrapped(out, (char *)remark.data);
	weir_bytes_fini(&remark);
}

/* A command is not wrapped: it is to be pasted. */
static void put_remedy(struct weir_text *out,
		       const struct weir_runfacts *facts,
		       const struct weir_findings *findings,
		       const struct weir_finding *finding)
{
	const struct weir_remedy *remedy = &finding->remedy;

	if (!weir_remedy_is_any(remedy))
		return;
	weir_text_string(out, "          try: ");
	weir_text_paint(out, WEIR_TEXT_CYAN);
	weir_as_remedy_command(out, findings, finding);
	weir_text_paint(out, WEIR_TEXT_PLAIN);
	weir_text_char(out, '\n');
	if (weir_remedy_is_for_proof(remedy))
		put_wrapped(out, "and see the report of that: it has the plan "
				 "to try next, for which it is the proof");
	if (!remedy->setting_count || remedy->is_kept)
		return;
	weir_text_string(out, "          where FILE has ");
	weir_as_remedy_plan(out, facts, findings, finding);
	weir_text_char(out, '\n');
}

/* What was concluded without single calls is known less well. */
static void put_because(char to[WEIR_FIGURETEXT_ROOM + 32],
			const struct weir_finding *finding)
{
	char text[WEIR_FIGURETEXT_ROOM];

	snprintf(to, WEIR_FIGURETEXT_ROOM + 32, "%s%s",
		 finding->from_sums ? "from sums: " : "",
		 weir_figuretext_fill(text, finding, finding->rule->because));
}

/* In which the figures are put in place. */
static void put_sentence(struct weir_text *out,
			 const struct weir_finding *finding, const char *text)
{
	char filled[WEIR_FIGURETEXT_ROOM];

	put_wrapped(out, weir_figuretext_fill(filled, finding, text));
}

static void put_finding(struct weir_text *out,
			const struct weir_runfacts *facts,
			const struct weir_findings *findings,
			const struct weir_finding *finding, int is_short)
{
	char line[WEIR_FIGURETEXT_ROOM + 34];

	put_heading(out, finding, findings->span);
	put_sentence(out, finding, finding->rule->title);
	put_files(out, facts, finding);
	if (!is_short) {
		put_hints(out, facts, finding);
		put_because(line + 1, finding);
		line[0] = '(';
		strcat(line, ")");
		put_wrapped(out, line);
	}
	put_sentence(out, finding, finding->rule->advice);
	if (!is_short)
		put_remark(out, facts, finding);
	put_remedy(out, facts, findings, finding);
	if (!is_short)
		put_evidence(out, finding);
}

static void put_title(struct weir_text *out, const char *title)
{
	weir_text_char(out, '\n');
	weir_text_paint(out, WEIR_TEXT_BOLD);
	weir_text_string(out, title);
	weir_text_paint(out, WEIR_TEXT_PLAIN);
}

/* One line is enough for what is not advised: why it is not. */
static void put_refusal(struct weir_text *out,
			const struct weir_runfacts *facts)
{
	put_title(out, "forwarding");
	weir_text_string(out, "  ");
	weir_as_forecast_text(out, &facts->forecast);
	weir_text_char(out, '\n');
}

/* What an I/O service on the node would bring. */
static void put_answers(struct weir_text *out,
			const struct weir_runfacts *facts,
			const struct weir_findings *findings)
{
	char text[WEIR_FIGURETEXT_ROOM], time[WEIR_MEASURES_ROOM];

	if (!findings->answer_count)
		return;
	if (facts->forecast.why == WEIR_FORECAST_NOTHING)
		return;
	if (facts->forecast.why != WEIR_FORECAST_HELPS) {
		put_refusal(out, facts);
		return;
	}
	put_title(out, "would an I/O service on the node help?");
	weir_text_string(out, " it saves at most\n");
	for (size_t i = 0; i < findings->answer_count; i++) {
		const struct weir_finding *answer = &findings->answers[i];

		weir_text_format(out, "  %9s %3.0f%%  ",
				 weir_measures_time(time, answer->saving),
				 part_of(answer, findings->span));
		weir_text_string(out, weir_figuretext_fill(text, answer,
						      answer->rule->title));
		weir_text_char(out, '\n');
	}
}

/* Findings about sharing may be missing then, so it is not kept quiet. */
static void put_unchecked(struct weir_text *out,
			  const struct weir_runfacts *facts)
{
	if (!facts->unchecked)
		return;
	weir_text_string(out, "  files not fully searched for bytes that "
			      "processes share (mapped, or too many): ");
	weir_text_unsigned(out, facts->unchecked);
	weir_text_char(out, '\n');
}

void weir_as_advice_text(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_as_advice_form *form)
{
	put_title(out, "findings, largest saving first");
	weir_text_char(out, '\n');
	if (!findings->count)
		weir_text_string(
			out,
			facts->totals.has_sums
				? "  none that sums show; without --profile "
				  "there is more to see\n"
				: "  none\n");
	for (size_t i = 0; i < findings->count && i < form->listed; i++) {
		if (i < form->whole)
			put_finding(out, facts, findings, &findings->list[i],
				    form->is_short);
		else
			put_heading(out, &findings->list[i], findings->span);
	}
	if (findings->count > form->listed) {
		weir_text_string(out, "  and ");
		weir_text_unsigned(out, findings->count - form->listed);
		weir_text_string(out, " more (--details)\n");
	}
	if (facts->overflowed)
		weir_text_string(out, "  there are too many files: only some "
				      "were examined; --file chooses\n");
	put_unchecked(out, facts);
	put_answers(out, facts, findings);
}

/* What costs little is left to the report: a line must be worth reading. */
void weir_as_advice_brief(struct weir_text *out,
			  const struct weir_findings *findings, size_t most)
{
	char text[WEIR_FIGURETEXT_ROOM];

	for (size_t i = 0; i < findings->count && i < most; i++) {
		const struct weir_finding *finding = &findings->list[i];

		if (finding->level <= WEIR_LEVEL_LOW)
			continue;
		weir_text_string(out, "weir:");
		put_heading(out, finding, findings->span);
		weir_text_string(out, "weir:           ");
		weir_text_string(out, weir_figuretext_fill(text, finding,
						      finding->rule->title));
		weir_text_char(out, '\n');
	}
}

static void put_json_files(struct weir_text *out,
			   const struct weir_runfacts *facts,
			   const struct weir_finding *finding)
{
	weir_jsonout_key(out, "top", 0);
	weir_text_char(out, '[');
	for (unsigned i = 0; i < finding->top_count; i++) {
		const struct weir_finding_file *file = &finding->top[i];
		size_t len = 0;
		const char *name = weir_names_get(&facts->totals.names,
						  file->file, &len);

		weir_text_string(out, i ? ",{\"name\":" : "{\"name\":");
		weir_text_json(out, name ? name : "", len);
		weir_jsonout_number(out, "count", file->count);
		weir_jsonout_number(out, "bytes", file->bytes);
		weir_jsonout_number(out, "time", file->time);
		weir_jsonout_number(out, "saving", file->saving);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

static void put_json_hint(struct weir_text *out,
			  const struct weir_runfacts *facts,
			  const struct weir_hint *hint)
{
	size_t len = 0;
	const char *file =
		weir_names_get(&facts->totals.names, hint->file, &len);

	weir_text_string(out, "{\"name\":");
	weir_text_json(out, hint->name, strlen(hint->name));
	weir_jsonout_string(out, "asked", hint->asked);
	weir_jsonout_string(out, "got", hint->got);
	weir_jsonout_number(out, "count", hint->count);
	weir_jsonout_number(out, "files", hint->files);
	weir_text_string(out, ",\"file\":");
	weir_text_json(out, file ? file : "", len);
	weir_text_char(out, '}');
}

/* Which hints, where it is about these. */
static void put_json_hints(struct weir_text *out,
			   const struct weir_runfacts *facts,
			   const struct weir_finding *finding)
{
	size_t count = hints_shown(facts, finding);

	if (!count)
		return;
	weir_jsonout_key(out, "hints", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		weir_text_string(out, i ? "," : "");
		put_json_hint(out, facts, &facts->hints.list[i]);
	}
	weir_text_char(out, ']');
}

/* Sites are parallel to the evidence: null where one is not known. */
static void put_json_evidence(struct weir_text *out,
			      const struct weir_finding *finding)
{
	weir_jsonout_key(out, "evidence", 0);
	weir_text_char(out, '[');
	for (unsigned i = 0; i < finding->evidence_count; i++) {
		weir_text_string(out, i ? ",\"" : "\"");
		put_id(out, &finding->evidence[i]);
		weir_text_char(out, '"');
	}
	weir_text_char(out, ']');
	weir_jsonout_key(out, "sites", 0);
	weir_text_char(out, '[');
	for (unsigned i = 0; i < finding->evidence_count; i++) {
		const char *site = finding->sites[i];

		weir_text_string(out, i ? "," : "");
		if (site)
			weir_text_json(out, site, strlen(site));
		else
			weir_text_string(out, "null");
	}
	weir_text_char(out, ']');
}

static void put_json_remark(struct weir_text *out,
			    const struct weir_runfacts *facts,
			    const struct weir_finding *finding)
{
	struct weir_bytes remark = { 0 };

	take_remark(out, facts, finding, &remark);
	if (remark.used > 1)
		weir_jsonout_string(out, "remark", (char *)remark.data);
	weir_bytes_fini(&remark);
}

/*
 * Texts have their figures in place; the figures are there as numbers, too, so
 * that no program has to parse words.
 */
static void put_json_finding(struct weir_text *out,
			     const struct weir_runfacts *facts,
			     const struct weir_findings *findings,
			     const struct weir_finding *finding)
{
	static const char *const estimates[] = {
		[WEIR_SAVES_UNKNOWN] = "unknown",
		[WEIR_SAVES_AT_MOST] = "at-most",
		[WEIR_SAVES_ABOUT] = "about",
		[WEIR_SAVES_DATA] = "data",
	};
	const struct weir_rule *rule = finding->rule;
	char text[WEIR_FIGURETEXT_ROOM], line[WEIR_FIGURETEXT_ROOM + 32];

	weir_text_string(out, "\n{\"id\":");
	weir_text_json(out, rule->name, strlen(rule->name));
	weir_jsonout_string(out, "level",
			    weir_findings_level_name(finding->level));
	weir_jsonout_string(out, "estimate", estimates[finding->saves]);
	weir_jsonout_number(out, "saving", finding->saving);
	weir_jsonout_number(out, "saving_of_all", finding->saving_of_all);
	weir_jsonout_number(out, "slowest", finding->slowest);
	weir_jsonout_string(out, "from", finding->from_sums ? "sums" : "calls");
	weir_jsonout_number(out, "count", finding->count);
	weir_jsonout_number(out, "of", finding->of);
	weir_jsonout_number(out, "bytes", finding->bytes);
	weir_jsonout_number(out, "time", finding->time);
	weir_jsonout_number(out, "files", finding->files);
	weir_jsonout_number(out, "processes", finding->processes);
	weir_jsonout_string(out, "title",
			    weir_figuretext_fill(text, finding, rule->title));
	put_because(line, finding);
	weir_jsonout_string(out, "because", line);
	weir_jsonout_string(out, "advice",
			    weir_figuretext_fill(text, finding, rule->advice));
	weir_as_remedy_json(out, facts, findings, finding);
	put_json_files(out, facts, finding);
	put_json_evidence(out, finding);
	put_json_hints(out, facts, finding);
	put_json_remark(out, facts, finding);
	weir_text_char(out, '}');
}

static void put_json_list(struct weir_text *out, const char *key,
			  const struct weir_runfacts *facts,
			  const struct weir_findings *findings, bool answers)
{
	const struct weir_finding *list = answers ? findings->answers :
						    findings->list;
	size_t count = answers ? findings->answer_count : findings->count;

	weir_jsonout_key(out, key, 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			weir_text_char(out, ',');
		put_json_finding(out, facts, findings, &list[i]);
	}
	weir_text_char(out, ']');
}

/* "part" tells programs that a missing finding proves nothing. */
void weir_as_advice_json(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings)
{
	weir_jsonout_string(out, "judged",
			    facts->overflowed ? "part" : "all");
	weir_jsonout_number(out, "unchecked", facts->unchecked);
	put_json_list(out, "findings", facts, findings, false);
	put_json_list(out, "answers", facts, findings, true);
	weir_as_forecast_json(out, &facts->forecast);
}
