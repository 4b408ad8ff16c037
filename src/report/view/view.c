/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what all forms of a view have in common. */
#include "report/view/view.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void weir_view_say(const struct weir_view *view, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	weir_text_string(view->out, line);
}

unsigned int weir_view_share(uint64_t number, uint64_t most,
			     unsigned int letters)
{
	double part = most ? (double)number / (double)most : 0;
	unsigned int length = (unsigned int)(part * letters + 0.5);

	if (number && !length)
		length = 1;
	return length < letters ? length : letters;
}

void weir_view_bar(const struct weir_view *view, uint64_t number,
		   uint64_t most, unsigned int column)
{
	char bar[WEIR_VIEW_BAR + 1];

	memset(bar, '#', sizeof(bar));
	bar[weir_view_share(number, most, WEIR_VIEW_BAR)] = 0;
	if (column || *bar)
		weir_view_say(view, " %-*s", (int)column, bar);
}

static uint32_t pid_of(const struct weir_view *view, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(view->reader, proc);

	return process ? process->pid : 0;
}

const char *weir_view_label(const struct weir_view *view,
			    const struct weir_who *who, uint32_t group,
			    char to[WEIR_VIEW_LABEL])
{
	const struct weir_who_group *it = &who->groups[group];

	switch (who->by) {
	case WEIR_WHO_TOTAL:
		snprintf(to, WEIR_VIEW_LABEL, "all");
		break;
	case WEIR_WHO_HOST:
		snprintf(to, WEIR_VIEW_LABEL, "host %" PRIu32, group + 1);
		break;
	case WEIR_WHO_RANK:
		if (it->rank < 0)
			snprintf(to, WEIR_VIEW_LABEL, "no rank");
		else
			snprintf(to, WEIR_VIEW_LABEL, "rank %" PRIi64,
				 it->rank);
		break;
	case WEIR_WHO_PROCESS:
		snprintf(to, WEIR_VIEW_LABEL, "%" PRIu32,
			 pid_of(view, it->proc));
		break;
	}
	return to;
}

void weir_view_mark(struct weir_text *out, const struct weir_marksteps *marks,
		    uint32_t row)
{
	const struct weir_markstep *step = &marks->rows[row];
	size_t len = 0;
	const char *name = weir_names_get(&marks->names, step->phase, &len);

	if (!name && !step->has_step)
		weir_text_string(out, "(before any mark)");
	if (name)
		weir_text_safe(out, name, len);
	if (step->has_step) {
		weir_text_string(out, name ? ", step " : "step ");
		weir_text_signed(out, step->step);
	}
}

int weir_view_is_void(const struct weir_series *series, uint32_t row)
{
	return series->by_marks && !row && !weir_series_all(series, row, 0) &&
	       !weir_series_all(series, row, 1);
}
