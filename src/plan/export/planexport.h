/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a plan for others: files, variables, commands, source. */
#ifndef WEIR_EXPORT_PLANEXPORT_H
#define WEIR_EXPORT_PLANEXPORT_H

#include "base/text.h"
#include "plan/plan.h"

#include <stddef.h>
#include <stdio.h>

/* One being written. */
struct weir_planexport {
	struct weir_text *out;
	const struct weir_plan *plan;
	const char *source; /* the name of the plan */
	FILE *complaints;   /* who is told what is left out */
	const struct weir_planexport_format *format;
	size_t left_out;
};

/* Why a setting cannot be said so; NULL: it can. */
typedef const char *weir_planexport_judge(const struct weir_plan_item *item);

struct weir_planexport_format {
	const char *name;
	const char *comment[2]; /* what is before and behind one */
	weir_planexport_judge *judge;
	void (*write)(struct weir_planexport *export);
	const char *weak; /* what becomes of force="yes"; NULL: it holds */
	const char *how;  /* it is used */
};

/* By the word of spec/options. */
const struct weir_planexport_format *weir_planexport_find(const char *name);

/*
 * What cannot be said is told to `complaints`, a line each, and in a comment.
 * Returns how many settings these are.
 */
size_t weir_planexport_write(struct weir_text *out,
			     const struct weir_planexport_format *format,
			     const struct weir_plan *plan, const char *source,
			     FILE *complaints);

/* For those who write. */

/* Whether a setting is in this one. */
int weir_planexport_has(const struct weir_planexport *export,
			const struct weir_plan_item *item);

/* Another place for a setting of this target. */
const char *weir_planexport_elsewhere(int target);

/* Tells that a setting is not in it; those that are judged so are told. */
void weir_planexport_leave_out(struct weir_planexport *export,
			       const struct weir_plan_item *item,
			       const char *why);

/* A line that is no part of it. */
void weir_planexport_remark(struct weir_planexport *export, const char *text);

/* A word as a shell takes it, whatever is in it; or what is between '. */
void weir_planexport_word(struct weir_text *out, const char *text);
void weir_planexport_word_part(struct weir_text *out, const char *text);

/* For every file and dataset. */
int weir_planexport_is_general(const struct weir_plan_item *item);

/* The formats, each in a file with others of its kind. */
weir_planexport_judge weir_planexport_hints_judge_romio;
weir_planexport_judge weir_planexport_hints_judge_mpich;
weir_planexport_judge weir_planexport_hints_judge_pnetcdf;
weir_planexport_judge weir_planexport_variables_judge_all;
weir_planexport_judge weir_planexport_variables_judge_mca;
weir_planexport_judge weir_planexport_stripes_judge;
weir_planexport_judge weir_planexport_source_judge;
void weir_planexport_hints_write_romio(struct weir_planexport *export);
void weir_planexport_hints_write_mpich(struct weir_planexport *export);
void weir_planexport_hints_write_pnetcdf(struct weir_planexport *export);
void weir_planexport_variables_write(struct weir_planexport *export);
void weir_planexport_variables_write_conf(struct weir_planexport *export);
void weir_planexport_stripes_write(struct weir_planexport *export);
void weir_planexport_source_write(struct weir_planexport *export);
void weir_planexport_xml_write(struct weir_planexport *export);

#endif
