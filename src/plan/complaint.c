/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is wrong with a file, and where: `FILE:LINE: what`. */
#include "plan/complaint.h"

#include "base/text.h"

#include <stdarg.h>
#include <string.h>

#define MOST 100 /* to tell; who wrote a file by hand has fewer */

void weir_complaint_show(FILE *to, const char *text)
{
	size_t length = strlen(text);

	while (length) {
		size_t shown = weir_text_shown((const uint8_t *)text, length);

		if (shown)
			fwrite(text, 1, shown, to);
		else
			fprintf(to, "\\x%02x", (uint8_t)*text);
		text += shown ? shown : 1;
		length -= shown ? shown : 1;
	}
}

void weir_complaint_tell(struct weir_complaints *list, unsigned line,
			 const char *format, ...)
{
	char what[1024];
	va_list args;

	if (++list->count > MOST || !list->to)
		return;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	weir_complaint_show(list->to, list->path);
	fprintf(list->to, ":%u: ", line);
	weir_complaint_show(list->to, what);
	fputc('\n', list->to);
}

void weir_complaint_end(const struct weir_complaints *list)
{
	if (!list->to || list->count <= MOST)
		return;
	weir_complaint_show(list->to, list->path);
	fprintf(list->to, ": and %u more\n", list->count - MOST);
}
