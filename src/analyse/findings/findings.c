/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges clues by the rules: findings, the largest saving first. */
#include "analyse/findings/findings.h"

#include "analyse/findings/arith.h"
#include "analyse/findings/bound.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the run that could be saved, from which on it is of that level. */
#define HIGH_PART   10 /* a tenth */
#define MEDIUM_PART 100

void weir_findings_fini(struct weir_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		for (int k = 0; k < WEIR_FINDING_SHOWN; k++)
			free(findings->list[i].sites[k]);
	free(findings->list);
	free(findings->answers);
	*findings = (struct weir_findings){ 0 };
}

static const char *const level_names[] = {
	[WEIR_LEVEL_BY_SAVING] = "none",
	[WEIR_LEVEL_LOW] = "low",
	[WEIR_LEVEL_MEDIUM] = "medium",
	[WEIR_LEVEL_HIGH] = "high",
	[WEIR_LEVEL_WHAT_IF] = "what-if",
};

const char *weir_findings_level_name(enum weir_level level)
{
	return level_names[level];
}

enum weir_level weir_findings_level(const struct weir_findings *findings)
{
	enum weir_level highest = WEIR_LEVEL_BY_SAVING;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->list[i].level > highest)
			highest = findings->list[i].level;
	return highest;
}

/* Clues of a rule lie together then, those of a process too. */
static int by_process(const void *left, const void *right)
{
	const struct weir_clue *a = *(const struct weir_clue *const *)left;
	const struct weir_clue *b = *(const struct weir_clue *const *)right;

	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	return a->file < b->file ? -1 : a->file > b->file;
}

static int by_file(const void *left, const void *right)
{
	const struct weir_clue *a = *(const struct weir_clue *const *)left;
	const struct weir_clue *b = *(const struct weir_clue *const *)right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->proc < b->proc ? -1 : a->proc > b->proc;
}

static void add_clue(struct weir_finding *finding, const struct weir_clue *clue)
{
	finding->count += clue->count;
	finding->of += clue->of;
	finding->bytes += clue->bytes;
	finding->time += clue->time;
	finding->from_sums |= clue->from_sums;
	finding->programs += clue->is_programs ? clue->saving : 0;
	if (clue->need > finding->need)
		finding->need = clue->need;
}

/* Clues of one process, and what it can save of what they say. */
static void add_process(struct weir_finding *finding,
			const struct weir_clue *const *clues, size_t count,
			struct weir_bound *bound)
{
	uint32_t proc = clues[0]->proc;
	uint64_t saving = 0, time = 0, found = 0;

	for (size_t i = 0; i < count; i++) {
		add_clue(finding, clues[i]);
		saving += clues[i]->saving;
		time += clues[i]->time;
		found += clues[i]->count;
	}
	saving = weir_bound_process(bound, clues[0]->rule, proc, saving, time);
	if (proc < bound->count)
		bound->saved[proc] = saving;
	finding->processes += found != 0;
	finding->saving_of_all += saving;
	if (!finding->slowest || saving > finding->saving) {
		finding->saving = saving;
		finding->slowest = proc;
	}
}

/* Where the clues of the next process begin; they have to be sorted by it. */
static size_t end_of_process(const struct weir_clue *const *clues,
			     size_t count, size_t from)
{
	size_t next = from + 1;

	while (next < count && clues[next]->proc == clues[from]->proc)
		next++;
	return next;
}

/* Clues must be sorted by process. */
static void add_processes(struct weir_finding *finding,
			  const struct weir_clue *const *clues, size_t count,
			  struct weir_bound *bound)
{
	size_t next;

	memset(bound->saved, 0, bound->count * sizeof(*bound->saved));
	for (size_t i = 0; i < count; i = next) {
		next = end_of_process(clues, count, i);
		add_process(finding, clues + i, next - i, bound);
	}
	finding->saving = weir_bound_run(
		bound, (uint32_t)(finding->rule - weir_rules),
		finding->slowest, finding->saving);
}

static int is_more(const struct weir_finding_file *a,
		   const struct weir_finding_file *b)
{
	if (a->saving != b->saving)
		return a->saving > b->saving;
	if (a->time != b->time)
		return a->time > b->time;
	if (a->count != b->count)
		return a->count > b->count;
	return a->file < b->file;
}

/* Keeps the few that matter most, in order. */
static void show_file(struct weir_finding *finding,
		      struct weir_finding_file file)
{
	unsigned at = finding->top_count;

	finding->files++;
	while (at && is_more(&file, &finding->top[at - 1]))
		at--;
	if (at == WEIR_FINDING_SHOWN)
		return;
	if (finding->top_count < WEIR_FINDING_SHOWN)
		finding->top_count++;
	memmove(&finding->top[at + 1], &finding->top[at],
		(finding->top_count - 1 - at) * sizeof(file));
	finding->top[at] = file;
}

static void show_event(struct weir_finding *finding,
		       struct weir_witness witness)
{
	unsigned at = finding->evidence_count;

	if (!witness.proc)
		return;
	while (at && weir_witness_is_better(&finding->evidence[at - 1],
					    &witness))
		at--;
	if (at == WEIR_FINDING_SHOWN)
		return;
	if (finding->evidence_count < WEIR_FINDING_SHOWN)
		finding->evidence_count++;
	memmove(&finding->evidence[at + 1], &finding->evidence[at],
		(finding->evidence_count - 1 - at) * sizeof(witness));
	finding->evidence[at] = witness;
}

/* Clues must be sorted by file. */
static void add_files(struct weir_finding *finding,
		      const struct weir_clue *const *clues, size_t count)
{
	struct weir_finding_file file = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (!clues[i]->count)
			continue;
		show_event(finding, clues[i]->witness);
		show_event(finding, clues[i]->partner);
		if (file.file && file.file != clues[i]->file) {
			show_file(finding, file);
			file = (struct weir_finding_file){ 0 };
		}
		file.file = clues[i]->file;
		file.count += clues[i]->count;
		file.bytes += clues[i]->bytes;
		file.time += clues[i]->time;
		/* Of a file, too, no more can be saved than it took. */
		file.saving += clues[i]->saving < clues[i]->time ?
				       clues[i]->saving : clues[i]->time;
	}
	if (file.file)
		show_file(finding, file);
}

static enum weir_level level_of(const struct weir_finding *finding,
				uint64_t span)
{
	if (finding->rule->level != WEIR_LEVEL_BY_SAVING)
		return finding->rule->level;
	if (span && finding->saving >= span / HIGH_PART)
		return WEIR_LEVEL_HIGH;
	if (span && finding->saving >= span / MEDIUM_PART)
		return WEIR_LEVEL_MEDIUM;
	return WEIR_LEVEL_LOW;
}

/* Where the clues of the next file begin; these have to be sorted by it. */
static size_t end_of_file(const struct weir_clue *const *clues, size_t count,
			  size_t from)
{
	size_t next = from + 1;

	while (next < count && clues[next]->file == clues[from]->file)
		next++;
	return next;
}

/* Files of which the rule's share is reached come first: so many clues. */
static size_t choose_files(const struct weir_rule *rule,
			   const struct weir_clue **clues, size_t count)
{
	size_t kept = 0, next;

	if (!rule->per_file)
		return count;
	qsort(clues, count, sizeof(*clues), by_file);
	for (size_t i = 0; i < count; i = next) {
		uint64_t found = 0, of = 0;

		next = end_of_file(clues, count, i);
		for (size_t k = i; k < next; k++) {
			found += clues[k]->count;
			of += clues[k]->of;
		}
		if (!found || weir_arith_part(found, 100, of) < rule->share)
			continue;
		memmove(clues + kept, clues + i, (next - i) * sizeof(*clues));
		kept += next - i;
	}
	qsort(clues, kept, sizeof(*clues), by_process);
	return kept;
}

static enum weir_saves saves_of(const struct weir_rule *rule,
				const struct weir_runfacts *facts)
{
	return facts->totals.is_untimed && rule->saves != WEIR_SAVES_DATA
		       ? WEIR_SAVES_UNKNOWN
		       : rule->saves;
}

/* Whether the rule speaks; the clues are all its own. */
static int judge_finding(struct weir_finding *finding,
			 const struct weir_clue **clues, size_t count,
			 struct weir_bound *bound)
{
	const struct weir_rule *rule = &weir_rules[clues[0]->rule];

	*finding = (struct weir_finding){ .rule = rule };
	count = choose_files(rule, clues, count);
	add_processes(finding, clues, count, bound);
	if (finding->count < rule->least ||
	    weir_arith_part(finding->count, 100, finding->of) < rule->share)
		return 0;
	qsort(clues, count, sizeof(*clues), by_file);
	add_files(finding, clues, count);
	finding->saves = saves_of(rule, bound->facts);
	if (finding->saves == WEIR_SAVES_UNKNOWN ||
	    finding->saves == WEIR_SAVES_DATA)
		finding->saving = finding->saving_of_all = 0;
	finding->level = level_of(finding, bound->span);
	/* More than a part of it has to be saved by what is tried. */
	if (finding->programs <= finding->saving_of_all / HIGH_PART)
		weir_remedy_find(rule, finding->need, bound->facts,
				 &finding->remedy);
	return 1;
}

static int is_wrong(const struct weir_finding *finding)
{
	return finding->saves == WEIR_SAVES_DATA &&
	       finding->level == WEIR_LEVEL_HIGH;
}

/* What saves most comes first; of equals, what takes longest. */
static int by_worth(const void *left, const void *right)
{
	const struct weir_finding *a = left, *b = right;

	/* Wrong data are worse than lost time. */
	if (is_wrong(a) != is_wrong(b))
		return is_wrong(a) ? -1 : 1;
	if (a->saving != b->saving)
		return a->saving > b->saving ? -1 : 1;
	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return a->rule < b->rule ? -1 : 1;
}

/* Clues are sorted by rule. */
static void judge_rules(struct weir_findings *f, const struct weir_clue **clues,
			size_t count, struct weir_bound *bound)
{
	size_t next;

	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (clues[next]->rule != clues[i]->rule)
				break;
		if (weir_rules[clues[i]->rule].level == WEIR_LEVEL_WHAT_IF)
			judge_finding(&f->answers[f->answer_count++], clues + i,
				      next - i, bound);
		else
			f->count += (size_t)judge_finding(&f->list[f->count],
							  clues + i, next - i,
							  bound);
	}
}

int weir_findings_conclude(const struct weir_runfacts *facts,
			   struct weir_findings *ret_findings)
{
	size_t count = facts->clues.count;
	const struct weir_clue **clues = calloc(count + 1, sizeof(*clues));
	struct weir_findings *f = ret_findings;
	struct weir_bound bound = { 0 };

	f->list = calloc(WEIR_RULE_COUNT, sizeof(*f->list));
	f->answers = calloc(WEIR_RULE_COUNT, sizeof(*f->answers));
	if (!clues || !f->list || !f->answers ||
	    weir_bound_init(&bound, facts)) {
		free(clues);
		weir_findings_fini(f);
		return -ENOMEM;
	}
	f->span = bound.span;
	for (size_t i = 0; i < count; i++)
		clues[i] = &facts->clues.list[i];
	qsort(clues, count, sizeof(*clues), by_process);
	judge_rules(f, clues, count, &bound);
	weir_bound_fini(&bound);
	free(clues);
	qsort(f->list, f->count, sizeof(*f->list), by_worth);
	return 0;
}
