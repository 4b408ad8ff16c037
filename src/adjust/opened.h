/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies a plan where libc opens files and streams. The wrapper of such a
 * call is made twice: with a plan that says something about opens,
 *
 *	struct weir_opened plan = { .dirfd = ..., .path = ..., ... };
 *
 *	weir_opened_NAME_before(&plan);
 *	ret = real(path, plan.flags, mode);
 *	weir_opened_NAME_after(&plan, ret);
 *	...					(args.beside = &plan.beside)
 *	weir_opened_count(&plan);
 *
 * NAME is the row's word `adjust`. All keep errno; what they do is not
 * recorded as the program's own.
 */
#ifndef WEIR_ADJUST_OPENED_H
#define WEIR_ADJUST_OPENED_H

#include "adjust/buffers.h"
#include "plan/plan_layout.h"

#define WEIR_OPENED_MOST    12 /* settings of one open */
#define WEIR_OPENED_SAID    24
#define WEIR_OPENED_LETTERS 32 /* of a stream's mode */

/* How a setting went. */
struct weir_opened_effect {
	const struct weir_plan_setting *setting;
	enum weir_plan_verdict verdict;
	const char *why;	     /* NULL: what was read back */
	char said[WEIR_OPENED_SAID]; /* that */
};

struct weir_opened {
	struct weir_beside beside;
	int dirfd, flags;
	unsigned perms;
	bool has_perms;
	const char *path;    /* NULL: it has none */
	const char *letters; /* of a stream */
	struct weir_stream *stream; /* that is closed */
	struct weir_buffer buffer;  /* which it had */
	bool mends;	     /* permissions of a file made before the call */
	unsigned mended;     /* to what they are to be */
	uint32_t count;
	struct weir_opened_effect effects[WEIR_OPENED_MOST];
	char own_letters[WEIR_OPENED_LETTERS];
};

/* There is a plan, and it says something about libc's opens. */
extern bool weir_opened_is_on;

/* After weir_adjust_begin(). */
void weir_opened_begin(void);

void weir_opened_open_before(struct weir_opened *plan);
void weir_opened_open_after(struct weir_opened *plan, int fd);
void weir_opened_creat_before(struct weir_opened *plan);
void weir_opened_creat_after(struct weir_opened *plan, int fd);
void weir_opened_temporary_before(struct weir_opened *plan);
void weir_opened_temporary_after(struct weir_opened *plan, int fd);
void weir_opened_stream_before(struct weir_opened *plan);
void weir_opened_stream_after(struct weir_opened *plan, void *stream);
void weir_opened_adopt_before(struct weir_opened *plan);
void weir_opened_adopt_after(struct weir_opened *plan, void *stream);
void weir_opened_close_before(struct weir_opened *plan);
void weir_opened_close_after(struct weir_opened *plan, int ret);

/* What the trace could not be told is counted all the same. */
void weir_opened_count(struct weir_opened *plan);

/* For those who apply settings: how one went, and what was read back. */
void weir_opened_note(struct weir_opened *plan,
		      const struct weir_plan_setting *setting,
		      enum weir_plan_verdict verdict, const char *why);
void weir_opened_measure(struct weir_opened *plan,
			 const struct weir_plan_setting *setting,
			 int64_t asked, int64_t found);

#endif
