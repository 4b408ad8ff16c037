/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan in the languages of others: files, variables, commands, source. */
#ifndef WEIR_PLAN_HANDOUT_H
#define WEIR_PLAN_HANDOUT_H

#include "base/text.h"
#include "plan/plan.h"

#include <stddef.h>
#include <stdio.h>

/* One being written. */
struct weir_handout {
	struct weir_text *out;
	const struct weir_plan *plan;
	const char *source; /* the name of the plan */
	FILE *complaints;   /* who is told what is left out */
	const struct weir_handout_format *format;
	size_t left_out;
};

/* Why a setting cannot be said so; NULL: it can. */
typedef const char *weir_handout_judge(const struct weir_plan_item *item);

struct weir_handout_format {
	const char *name;
	const char *comment[2]; /* what is before and behind one */
	weir_handout_judge *judge;
	void (*write)(struct weir_handout *handout);
	const char *weak; /* what becomes of force="yes"; NULL: it holds */
	const char *how;  /* it is used */
};

/* By the word of spec/options. */
const struct weir_handout_format *weir_handout_find(const char *name);

/*
 * What cannot be said is told to `complaints`, a line each, and in a comment.
 * Returns how many settings these are.
 */
size_t weir_handout_write(struct weir_text *out,
			  const struct weir_handout_format *format,
			  const struct weir_plan *plan, const char *source,
			  FILE *complaints);

/* For those who write. */

/* Whether a setting is in this one. */
int weir_handout_has(const struct weir_handout *handout,
		     const struct weir_plan_item *item);

/* Another place for a setting of this layer. */
const char *weir_handout_elsewhere(int layer);

/* Tells that a setting is not in it; those that are judged so are told. */
void weir_handout_leave_out(struct weir_handout *handout,
			    const struct weir_plan_item *item,
			    const char *why);

/* A line that is no part of it. */
void weir_handout_remark(struct weir_handout *handout, const char *text);

/* A word as a shell takes it, whatever is in it; or what is between '. */
void weir_handout_word(struct weir_text *out, const char *text);
void weir_handout_word_part(struct weir_text *out, const char *text);

/* For every file and dataset. */
int weir_handout_is_general(const struct weir_plan_item *item);

/* The formats, each in a file with others of its kind. */
weir_handout_judge weir_handout_hints_judge_romio;
weir_handout_judge weir_handout_hints_judge_mpich;
weir_handout_judge weir_handout_hints_judge_pnetcdf;
weir_handout_judge weir_handout_variables_judge_all;
weir_handout_judge weir_handout_variables_judge_mca;
weir_handout_judge weir_handout_stripes_judge;
weir_handout_judge weir_handout_source_judge;
void weir_handout_hints_write_romio(struct weir_handout *handout);
void weir_handout_hints_write_mpich(struct weir_handout *handout);
void weir_handout_hints_write_pnetcdf(struct weir_handout *handout);
void weir_handout_variables_write(struct weir_handout *handout);
void weir_handout_variables_write_conf(struct weir_handout *handout);
void weir_handout_stripes_write(struct weir_handout *handout);
void weir_handout_source_write(struct weir_handout *handout);
void weir_handout_xml_write(struct weir_handout *handout);

#endif
