/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the figures of a finding into its sentences. */
#include "report/figuretext.h"

#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * A name that no figure has leaves its place empty; spec/gen/findings.py
 * refuses such texts when weir is built.
 */
static void put_figure(char to[WEIR_MEASURES_ROOM],
		       const struct weir_finding *finding, const char *name,
		       size_t len)
{
	const struct {
		const char *name;
		uint64_t number;
	} counts[] = {
		{ "count", finding->count },
		{ "of", finding->of },
		{ "files", finding->files },
		{ "processes", finding->processes },
	};

	to[0] = 0;
	if (!strncmp(name, "bytes", len))
		weir_measures_bytes(to, finding->bytes);
	if (!strncmp(name, "time", len))
		weir_measures_time(to, finding->time);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (!strncmp(name, counts[i].name, len))
			snprintf(to, WEIR_MEASURES_ROOM, "%" PRIu64,
				 counts[i].number);
}

/* {s} behind a number: what the number was is still there. */
static int is_plural(const char *name, size_t len)
{
	return len == 1 && *name == 's';
}

const char *weir_figuretext_fill(char to[WEIR_FIGURETEXT_ROOM],
				 const struct weir_finding *finding,
				 const char *text)
{
	char figure[WEIR_MEASURES_ROOM] = "";
	size_t used = 0;

	while (*text && used < WEIR_FIGURETEXT_ROOM - WEIR_MEASURES_ROOM) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;

		if (!end) {
			to[used++] = *text++;
			continue;
		}
		if (is_plural(text + 1, (size_t)(end - text - 1)))
			snprintf(figure, sizeof(figure), "%s",
				 strcmp(figure, "1") ? "s" : "");
		else
			put_figure(figure, finding, text + 1,
				   (size_t)(end - text - 1));
		memcpy(to + used, figure, strlen(figure));
		used += strlen(figure);
		text = end + 1;
	}
	to[used] = 0;
	return to;
}
