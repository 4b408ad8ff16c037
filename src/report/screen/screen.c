/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the parts of a report for people have in common. */
#include "report/screen/screen.h"

#include <inttypes.h>

void weir_screen_print(const struct weir_screen *screen, const char *format,
		       ...)
{
	va_list args;

	va_start(args, format);
	weir_text_format_list(screen->out, format, args);
	va_end(args);
}

const char *weir_screen_time(const struct weir_screen *screen,
			     char to[WEIR_MEASURES_ROOM], uint64_t ns)
{
	return screen->totals->is_untimed ? "?" : weir_measures_time(to, ns);
}

void weir_screen_heading(const struct weir_screen *screen, const char *text)
{
	weir_text_paint(screen->out, WEIR_TEXT_BOLD);
	weir_text_string(screen->out, text);
	weir_text_paint(screen->out, WEIR_TEXT_PLAIN);
}

void weir_screen_columns(const struct weir_screen *screen, const char *title,
			 const char *last)
{
	weir_screen_print(screen, "\n");
	weir_screen_heading(screen, title);
	weir_screen_print(screen, "\n  %9s %9s %10s %10s %10s  %s\n", "time",
			  "slowest", "read", "written", "calls", last);
}

void weir_screen_digest(const struct weir_screen *screen,
			const struct weir_digest *digest)
{
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];
	char time[WEIR_MEASURES_ROOM], longest[WEIR_MEASURES_ROOM];

	weir_screen_print(screen, "  %9s %9s %10s %10s %10" PRIu64 "  ",
			  weir_screen_time(screen, time, digest->time),
			  weir_screen_time(screen, longest, digest->longest),
			  weir_measures_bytes(read, digest->read),
			  weir_measures_bytes(written, digest->written),
			  digest->calls);
}
