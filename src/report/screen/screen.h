/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what is shared by the parts of a report for people. */
#ifndef WEIR_SCREEN_SCREEN_H
#define WEIR_SCREEN_SCREEN_H

#include "analyse/findings/runfacts.h"
#include "base/text.h"
#include "report/output/measures.h"

/* How much of it is to be shown. */
struct weir_screen_form {
	uint64_t findings; /* that are listed */
	uint64_t whole;	   /* of these: with more than their heading */
	uint64_t files, processes;
	uint64_t settings; /* of a plan */
	int is_short;	   /* findings without what proves them */
	int details;	   /* all that was counted, too */
};

/* One report being written. */
struct weir_screen {
	struct weir_text *out;
	const struct weir_runfacts *facts;
	const struct weir_totals *totals; /* of the facts */
	const struct weir_reader *reader;
	const uint32_t *files;		     /* by time */
	const struct weir_digest *processes; /* by time */
	struct weir_screen_form form;
};

void weir_screen_print(const struct weir_screen *screen, const char *format,
		       ...) __attribute__((format(printf, 2, 3)));

/* A time, or ? where nobody knows how long calls took. */
const char *weir_screen_time(const struct weir_screen *screen,
			     char to[WEIR_MEASURES_ROOM], uint64_t ns);

/* In the colour of headings. */
void weir_screen_heading(const struct weir_screen *screen, const char *text);

/* The head of a table of digests, and the columns of one that has its name. */
void weir_screen_columns(const struct weir_screen *screen, const char *title,
			 const char *last);
void weir_screen_digest(const struct weir_screen *screen,
			const struct weir_digest *digest);

/* Damage, which comes first; then what ran, when and where, and its sums. */
void weir_screenhead_write(const struct weir_screen *screen);

/* Who was killed; nothing when all ended by themselves. */
void weir_screenends_write(const struct weir_screen *screen);

void weir_screenlayers_write(const struct weir_screen *screen);

/* By kind, by how long they took, by size. 0 or -ENOMEM. */
int weir_screencounts_write(const struct weir_screen *screen);

void weir_screenrows_files(const struct weir_screen *screen);
void weir_screenrows_by_bytes(const struct weir_screen *screen,
			      const uint32_t *files);
void weir_screenrows_processes(const struct weir_screen *screen);

/* Told even when there is nothing to tell. */
void weir_screenunseen_write(const struct weir_screen *screen);

#endif
