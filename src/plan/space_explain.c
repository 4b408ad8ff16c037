/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains a space to people. */
#include "plan/space.h"

#include "plan/complaint.h"

#include <inttypes.h>
#include <string.h>

#define WIDE 50 /* letters of values in a line, about */

/* As many as fit, and always the last. */
static void put_values(const struct weir_space_axis *axis, FILE *to)
{
	size_t used = 0, last = axis->count - 1;

	for (size_t i = 0; i < last; i++) {
		size_t length = strlen(axis->values[i].value) + 1;

		if (used + length > WIDE) {
			fputs("... ", to);
			break;
		}
		weir_complaint_show(to, axis->values[i].value);
		fputc(' ', to);
		used += length;
	}
	weir_complaint_show(to, axis->values[last].value);
}

static void put_scope(const char *what, const char *pattern, FILE *to)
{
	if (!pattern || !*pattern)
		return;
	fprintf(to, " (%s ", what);
	weir_complaint_show(to, pattern);
	fputc(')', to);
}

static void put_axis(const struct weir_space_platform *platform,
		     const struct weir_space_axis *axis, FILE *to)
{
	if (axis->tied_to) {
		fprintf(to, "  %-24s %6s  as %s", axis->param->name, "-",
			platform->axes[axis->other].param->name);
	} else {
		fprintf(to, "  %-24s %6zu  ", axis->param->name, axis->count);
		put_values(axis, to);
	}
	put_scope("file", axis->values->file, to);
	put_scope("dataset", axis->values->dataset, to);
	fputc('\n', to);
}

void weir_space_explain(const struct weir_space *space, FILE *to)
{
	for (size_t p = 0; p < space->count; p++) {
		const struct weir_space_platform *platform =
			&space->platforms[p];

		fputs(p ? "\nplatform " : "platform ", to);
		weir_complaint_show(to, platform->name);
		fprintf(to, ": %" PRIu64 " points\n", platform->points);
		if (*platform->about) {
			fputs("  ", to);
			weir_complaint_show(to, platform->about);
			fputc('\n', to);
		}
		fprintf(to, "  %-24s %6s\n", "parameter", "values");
		for (size_t i = 0; i < platform->count; i++)
			put_axis(platform, &platform->axes[i], to);
	}
}
