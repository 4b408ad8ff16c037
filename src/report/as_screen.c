/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#include "report/as_screen.h"

#include "report/as_advice.h"
#include "report/as_plan.h"
#include "report/output/memtext.h"
#include "report/screen/screen.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE 3 /* findings that a screen has room for */

/* Ever less, until it fits. */
static const struct weir_screen_form short_forms[] = {
	{ .findings = 6,
	  .whole = 3,
	  .files = 5,
	  .processes = 5,
	  .settings = 6 },
	{ .findings = 5,
	  .whole = 2,
	  .files = 5,
	  .processes = 3,
	  .settings = 4 },
	{ .findings = 4,
	  .whole = 2,
	  .files = 3,
	  .processes = 2,
	  .settings = 3 },
	{ .findings = 3,
	  .whole = 1,
	  .files = 3,
	  .processes = 2,
	  .settings = 2 },
	{ .findings = 2,
	  .whole = 1,
	  .files = 1,
	  .processes = 1,
	  .settings = 1 },
};

#define SHORT_FORMS (sizeof(short_forms) / sizeof(*short_forms))

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int say_by_bytes(const struct weir_screen *s)
{
	uint32_t *files;
	int err = weir_totals_sort_files(s->totals, WEIR_ORDER_BYTES, &files);

	if (err)
		return err;
	weir_screenrows_by_bytes(s, files);
	free(files);
	return 0;
}

static int write_all(const struct weir_screen *s,
		     const struct weir_findings *findings)
{
	const struct weir_as_advice_form form = {
		.listed = s->form.findings,
		.whole = s->form.whole,
		.is_short = s->form.is_short,
	};
	int err = 0;

	weir_screenhead_write(s);
	weir_screenlayers_write(s);
	weir_as_plan_text(s->out, s->facts, s->form.settings);
	weir_as_advice_text(s->out, s->facts, findings, &form);
	if (s->form.details)
		err = weir_screencounts_write(s);
	if (err)
		return err;
	weir_screenrows_files(s);
	if (s->form.details && !s->totals->is_untimed)
		err = say_by_bytes(s);
	weir_screenrows_processes(s);
	weir_screenunseen_write(s);
	return err;
}

static struct weir_screen_form usual_form(const struct weir_as_screen *what)
{
	return (struct weir_screen_form){
		.findings = what->details ? UINT64_MAX : what->top,
		.whole = what->details ? UINT64_MAX : WHOLE,
		.files = what->top,
		.processes = what->top,
		.settings = UINT64_MAX,
		.details = what->details,
	};
}

static struct weir_screen_form short_form(size_t number, uint64_t top)
{
	struct weir_screen_form form = short_forms[number];

	form.findings = least(form.findings, top);
	form.files = least(form.files, top);
	form.processes = least(form.processes, top);
	form.is_short = 1;
	return form;
}

static size_t count_lines(const struct weir_bytes *bytes)
{
	size_t lines = 0;

	for (size_t i = 0; i < bytes->used; i++)
		lines += bytes->data[i] == '\n';
	return lines;
}

/* Whole lines, at most so many. */
static size_t length_of(const struct weir_bytes *bytes, size_t lines)
{
	size_t i = 0;

	while (i < bytes->used && lines)
		lines -= bytes->data[i++] == '\n';
	return i;
}

/* The first form that fits; where none does, the beginning of the last. */
static int write_fitted(struct weir_screen *s,
			const struct weir_as_screen *what,
			struct weir_memtext *text, struct weir_bytes *bytes)
{
	struct weir_text *out = s->out;
	size_t lines = what->lines - 1; /* the last tells that it was cut */
	int err = 0;

	s->out = &text->out;
	text->out.has_colours = out->has_colours;
	for (size_t i = 0; !err && i <= SHORT_FORMS; i++) {
		if (i)
			s->form = short_form(i - 1, what->top);
		bytes->used = 0;
		err = write_all(s, what->findings);
		err = err ?: weir_memtext_take(text, bytes);
		if (!err && count_lines(bytes) <= (i ? lines : what->lines))
			break;
	}
	if (err)
		return err;
	weir_text_bytes(out, bytes->data, length_of(bytes, what->lines));
	if (s->form.is_short)
		weir_text_string(out, "shortened to one screen: --details "
				      "shows all of it\n");
	return 0;
}

static int write_within(struct weir_screen *s,
			const struct weir_as_screen *what)
{
	struct weir_bytes bytes = { 0 };
	struct weir_memtext text;
	int err = weir_memtext_init(&text);

	if (err)
		return err;
	err = write_fitted(s, what, &text, &bytes);
	weir_memtext_fini(&text);
	weir_bytes_fini(&bytes);
	return err;
}

int weir_as_screen_write(struct weir_text *out,
			 const struct weir_as_screen *what)
{
	const struct weir_totals *totals = &what->facts->totals;
	struct weir_screen s = { .out = out,
				 .facts = what->facts,
				 .totals = totals,
				 .reader = what->reader,
				 .form = usual_form(what) };
	struct weir_digest *processes = NULL;
	uint32_t *files = NULL;
	int err = weir_totals_sort_files(totals, WEIR_ORDER_TIME, &files);

	err = err ?: weir_totals_sort(totals, WEIR_ORDER_TIME, &processes);
	s.files = files;
	s.processes = processes;
	if (!err)
		err = what->lines ? write_within(&s, what)
				  : write_all(&s, what->findings);
	free(processes);
	free(files);
	return err;
}
