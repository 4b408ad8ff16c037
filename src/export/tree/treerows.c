/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out a tree of calls as rows, with lines that lead to callers. */
#include "export/tree/treerows.h"

#include "base/grow.h"
#include "export/dump/dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_WIDTH 12
#define TOOK_WIDTH  10
#define ID_WIDTH    12
#define LAYER_WIDTH 8
#define MOST_BARS   64

void weir_treerows_fini(struct weir_treerows *rows)
{
	free(rows->rows);
}

static void put_padded(struct weir_text *out, const char *word, size_t width)
{
	size_t len = strlen(word);

	weir_text_string(out, word);
	while (len++ < width)
		weir_text_char(out, ' ');
}

static void put_right(struct weir_text *out, const char *word, size_t width)
{
	for (size_t len = strlen(word); len < width; len++)
		weir_text_char(out, ' ');
	weir_text_string(out, word);
}

void weir_treerows_head(struct weir_text *out)
{
	put_right(out, "# start", START_WIDTH);
	put_right(out, "took", TOOK_WIDTH + 1);
	weir_text_string(out, "  ");
	put_padded(out, "id", ID_WIDTH);
	weir_text_char(out, ' ');
	put_padded(out, "layer", LAYER_WIDTH);
	weir_text_string(out, " call\n");
}

/* Which lines are there. */

static struct weir_treerows_row *add_tree_row(struct weir_treerows *rows,
					      struct weir_treeline *line,
					      uint32_t level)
{
	if (WEIR_GROW(rows->rows, rows->count, rows->room)) {
		rows->err = -ENOMEM;
		return NULL;
	}
	rows->rows[rows->count] = (struct weir_treerows_row){
		.line = line, .level = level,
	};
	return &rows->rows[rows->count++];
}

/* What is too deep is counted with the last row above it. */
static void take_tree_line(struct weir_treerows *rows,
			   struct weir_treeline *line, uint32_t level,
			   bool is_top)
{
	struct weir_treerows_row *row;

	if (rows->depth && level >= rows->depth) {
		if (rows->count)
			rows->rows[rows->count - 1].hidden++;
		return;
	}
	row = add_tree_row(rows, line, level);
	if (row)
		row->is_top = is_top;
}

/* Who refers to a node that is wanted is wanted too, and those above. */
static void mark_references(struct weir_treeline *line)
{
	for (; line; line = line->next) {
		struct weir_treeline *above = line;

		if (line->kind != WEIR_TREELINE_MEMBER ||
		    !line->node->has_wanted)
			continue;
		for (; above; above = above->parent)
			above->has_wanted = true;
	}
}

static bool has_wanted_member(const struct weir_treeline_node *node)
{
	const struct weir_treeline_member *member = node->members;

	while (member && !member->line->is_wanted)
		member = member->next;
	return member;
}

static void take_list(struct weir_treerows *rows,
		      struct weir_treeline *first, uint32_t level,
		      bool take_all);

/* The members are there even when only what one of them did is wanted. */
static void take_node(struct weir_treerows *rows,
		      struct weir_treeline *line, uint32_t level,
		      bool take_all)
{
	struct weir_treeline_member *member = line->node->members;
	bool all = take_all || has_wanted_member(line->node);

	take_tree_line(rows, line, level, false);
	for (; member; member = member->next) {
		member->line->has_wanted = true;
		take_list(rows, member->line, level + 1, all);
	}
}

/* It tells for whom its caller did what is wanted. */
static bool causes_wanted(const struct weir_treeline *line)
{
	return line->is_cause && line->parent && line->parent->has_wanted;
}

static void take_list(struct weir_treerows *rows,
		      struct weir_treeline *first, uint32_t level,
		      bool take_all)
{
	struct weir_treeline *line, *until = NULL;

	mark_references(first);
	for (line = first; line; line = line->next) {
		bool below = take_all || until;

		if (line->is_wanted && !until)
			until = line->last;
		if (below || line->is_wanted || line->has_wanted ||
		    causes_wanted(line)) {
			if (line->kind == WEIR_TREELINE_NODE)
				take_node(rows, line, level + line->level,
					  below);
			else
				take_tree_line(rows, line, level + line->level,
					       line == first);
		}
		if (line == until)
			until = NULL;
	}
}

/* From below: where another row of the same caller follows. */
static void draw_bars(struct weir_treerows *rows)
{
	uint64_t seen = 0;

	for (size_t i = rows->count; i--;) {
		struct weir_treerows_row *row = &rows->rows[i];
		uint32_t level = row->level < MOST_BARS ? row->level
							: MOST_BARS - 1;
		uint64_t bit = UINT64_C(1) << level;

		row->bars = seen;
		seen = (seen & (bit - 1)) | bit;
	}
}

/* How they look. */

static void put_took(struct weir_text *out, uint64_t ns)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
	int i = ns < 10000 ? 0 : ns < 10000000 ? 1 : ns < 10000000000 ? 2 : 3;
	char word[32];

	snprintf(word, sizeof(word), "%.*f %s", i ? 1 : 0,
		 (double)ns / units[i].unit, units[i].name);
	put_right(out, word, TOOK_WIDTH + 1);
}

static void put_start(struct weir_text *out, uint64_t ns)
{
	char word[32];

	snprintf(word, sizeof(word), "%llu.%06llu",
		 (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns % 1000000000 / 1000));
	put_right(out, word, START_WIDTH);
}

static void put_id(struct weir_text *out, const struct weir_tree_id *id)
{
	char word[64];

	snprintf(word, sizeof(word), "%u.%u.%llu", id->proc, id->thread,
		 (unsigned long long)id->index);
	put_padded(out, word, ID_WIDTH);
}

static void put_branches(struct weir_text *out,
			 const struct weir_treerows_row *row)
{
	for (uint32_t level = 1; level <= row->level; level++) {
		bool more = level < MOST_BARS && row->bars >> level & 1;

		if (level == row->level)
			weir_text_string(out, more ? "\u251c\u2500 "
						   : "\u2514\u2500 ");
		else
			weir_text_string(out, more ? "\u2502  " : "   ");
	}
}

static int64_t rank_of_process(const struct weir_treerows *rows, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(rows->reader, proc);

	return process ? weir_procinfo_rank(process) : -1;
}

static bool is_server(const struct weir_treerows *rows, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(rows->reader, proc);

	return process && weir_procinfo_is_server(process);
}

/* Whose call it is, where ids alone would not tell people. */
static void put_whose(struct weir_treerows *rows,
		      const struct weir_treeline *line)
{
	uint32_t proc = line->id.proc;
	int64_t rank = rank_of_process(rows, proc);

	if (line->is_foreign && is_server(rows, proc)) {
		weir_text_string(rows->out, "server: ");
		return;
	}
	if (rank < 0 && !line->is_shared && !line->is_foreign)
		return;
	weir_text_string(rows->out, rank < 0 ? "process " : "rank ");
	weir_text_unsigned(rows->out, rank < 0 ? proc : (uint64_t)rank);
	weir_text_string(rows->out, ": ");
}

/* 0-3,7 */
static void put_members(struct weir_treerows *rows,
			const struct weir_collective_node *who)
{
	const struct weir_collective_member *member = who->members;

	weir_text_string(rows->out, rank_of_process(rows, member->proc) < 0
					    ? "processes "
					    : "ranks ");
	for (size_t i = 0; i < who->count; i++) {
		size_t first = i;

		while (i + 1 < who->count &&
		       member[i + 1].rank == member[i].rank + 1)
			i++;
		weir_text_string(rows->out, first ? "," : "");
		weir_text_unsigned(rows->out, member[first].rank);
		if (i > first) {
			weir_text_char(rows->out, '-');
			weir_text_unsigned(rows->out, member[i].rank);
		}
	}
}

static void put_node(struct weir_treerows *rows,
		     const struct weir_treeline *line)
{
	const struct weir_treeline_member *member = line->node->members;
	const char *end = memchr(line->text, '(', line->text_len);
	size_t shown = 0;

	for (; member; member = member->next)
		shown++;
	weir_text_bytes(rows->out, line->text,
			end ? (size_t)(end - line->text) : line->text_len);
	weir_text_string(rows->out, ", one call of ");
	put_members(rows, &line->node->who);
	if (shown >= line->node->who.count)
		return;
	weir_text_string(rows->out, " (");
	weir_text_unsigned(rows->out, shown);
	weir_text_string(rows->out, " shown here)");
}

/* From the first that came to the last that left. */
static uint64_t span_of(const struct weir_treeline_node *node)
{
	const struct weir_treeline_member *member = node->members;
	uint64_t from = UINT64_MAX, to = 0;

	for (; member; member = member->next) {
		const struct weir_treeline *line = member->line;

		if (line->start < from)
			from = line->start;
		if (line->start + line->dur > to)
			to = line->start + line->dur;
	}
	return to > from ? to - from : 0;
}

static void put_columns(struct weir_text *out,
			const struct weir_treeline *line)
{
	static const struct weir_tree_id none;
	bool is_node = line->kind == WEIR_TREELINE_NODE;

	put_start(out, line->start);
	if (line->end == UINT64_MAX && !is_node)
		put_right(out, "-", TOOK_WIDTH + 1);
	else
		put_took(out, is_node ? span_of(line->node) : line->dur);
	weir_text_string(out, "  ");
	if (is_node)
		put_padded(out, "", ID_WIDTH);
	else
		put_id(out, line->id.proc ? &line->id : &none);
	weir_text_char(out, ' ');
	put_padded(out, line->layer ? line->layer : "-", LAYER_WIDTH);
	weir_text_char(out, ' ');
}

static bool is_same_event(struct weir_tree_id a, struct weir_tree_id b)
{
	return a.proc == b.proc && a.thread == b.thread && a.index == b.index;
}

/* What is done for several stands in one place; the others say where. */
static void put_batch(struct weir_text *out,
		      const struct weir_treeline *line)
{
	const struct weir_treeline_batch *batch = line->batch;

	if (line->does_batch && batch->count > 1) {
		weir_text_string(out, "  [batched, for ");
		weir_text_unsigned(out, batch->count);
		weir_text_char(out, ']');
	}
	if (line->does_batch || !batch->doer.proc ||
	    is_same_event(batch->host, line->id))
		return;
	weir_text_string(out, "  [batched, by ");
	weir_dump_put_id(out, batch->doer);
	weir_text_char(out, ']');
}

static void put_remarks(struct weir_treerows *rows,
			const struct weir_treerows_row *row)
{
	const struct weir_treeline *line = row->line;
	struct weir_text *out = rows->out;

	if (line->kind == WEIR_TREELINE_MEMBER) {
		weir_text_string(out, "  [one call with ");
		weir_dump_put_id(out, line->node->first);
		weir_text_string(out, ", shown there]");
	}
	if (line->kind == WEIR_TREELINE_AGAIN)
		weir_text_string(out, "  [goes on]");
	if (line->batch)
		put_batch(out, line);
	if (row->hidden) {
		weir_text_string(out, "  [");
		weir_text_unsigned(out, row->hidden);
		weir_text_string(out, " below]");
	}
}

static void put_tree_row(struct weir_treerows *rows,
			 const struct weir_treerows_row *row)
{
	const struct weir_treeline *line = row->line;

	put_columns(rows->out, line);
	put_branches(rows->out, row);
	if (row->is_top || line->is_foreign)
		put_whose(rows, line);
	if (line->kind == WEIR_TREELINE_NODE)
		put_node(rows, line);
	else
		weir_text_bytes(rows->out, line->text, line->text_len);
	put_remarks(rows, row);
	weir_text_char(rows->out, '\n');
}

void weir_treerows_show(void *context, struct weir_treeline *first)
{
	struct weir_treerows *rows = context;

	rows->count = 0;
	take_list(rows, first, 0, !rows->selects);
	draw_bars(rows);
	for (size_t i = 0; i < rows->count; i++)
		put_tree_row(rows, &rows->rows[i]);
}
